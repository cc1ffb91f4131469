import { CONNECTIONS } from "../../db/postgres/faults.ts";
import { type DatabaseState, lookAtDatabase } from "../../db/postgres/look.ts";
import { megabytes } from "../../domain/base/disk-space.ts";
import { formatInstant, type Instant, MINUTE, SECOND } from "../../domain/base/instant.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

/** Looks at a PostgreSQL database from this machine. Throws `UnusableDatabase` if it cannot be reached. */
export const lookAtPostgres = async (url: string, now: Instant): Promise<readonly Finding[]> => {
  const state = await lookAtDatabase(url);
  const { version, size, clock, connections, mostConnections } = state;
  const apart = Math.abs(clock - now);
  const free = mostConnections - connections;
  return [
    ok("database", `PostgreSQL ${version} holds ${megabytes(size)} MB.`),
    apart < 15 * MINUTE
      ? ok("clocks", "The clocks of this machine and of the database's fit.")
      : problem(
          "clocks",
          `The database's clock says ${formatInstant(clock)}, ${Math.round(apart / SECOND)} s from this machine's.`,
          "Set both, best by NTP.",
        ),
    free >= CONNECTIONS
      ? ok("connections", `${connections} of ${mostConnections} connections are in use.`)
      : note(
          "connections",
          `${connections} of ${mostConnections} connections are in use. A server that works holds up to ${CONNECTIONS}.`,
          "Raise max_connections in PostgreSQL, or end other programs.",
        ),
    ...standbysOf(state),
    ...encryptionOf(new URL(url), state.isEncrypted),
  ];
};

const standbysOf = ({ standbys, waitsForStandbys }: DatabaseState): readonly Finding[] => {
  if (standbys === 0) return [];
  return waitsForStandbys
    ? [ok("standby", "A commit waits for a standby, which then lacks nothing that was answered.")]
    : [
        problem(
          "standby",
          "A standby follows the database, and no commit waits for it: if it takes over, it may lack what was answered.",
          "Name it in synchronous_standby_names, or use Patroni's synchronous_mode.",
        ),
      ];
};

const encryptionOf = ({ hostname }: URL, isEncrypted: boolean): readonly Finding[] => {
  if (isEncrypted) return [ok("encryption", "The way to the database is encrypted.")];
  if (hostname === "" || isLoopback(hostname)) return [];
  return [
    problem(
      "encryption",
      `All data go to ${hostname} in the clear.`,
      "Add ?sslmode=verify-full to --database, and hostssl to pg_hba.conf.",
    ),
  ];
};
