import type { Instant } from "../../domain/base/instant.ts";
import { loadDriver } from "./connect.ts";
import { whyUnusable } from "./faults.ts";

/** What PostgreSQL says of itself. */
export type DatabaseState = {
  readonly version: string;
  /** In bytes. */
  readonly size: number;
  readonly clock: Instant;
  /** Connections that are open, and how many there may be. */
  readonly connections: number;
  readonly mostConnections: number;
  /** Standbys that are connected, and whether a commit waits for some of them. */
  readonly standbys: number;
  readonly waitsForStandbys: boolean;
  readonly isEncrypted: boolean;
};

/** Asks the database at an address how it is. Throws `UnusableDatabase` if it cannot be reached. */
export const lookAtDatabase = async (url: string): Promise<DatabaseState> => {
  const pool = (await loadDriver()).openPool(url);
  try {
    const { rows } = await pool.query({ text: STATE, values: [], asLists: true });
    const [version, size, clock, open, most, standbys, waits, isEncrypted] =
      rows[0] as readonly unknown[];
    return {
      version: String(version),
      size: Number(size),
      clock: Number(clock),
      connections: Number(open),
      mostConnections: Number(most),
      standbys: Number(standbys),
      waitsForStandbys: waits === 1,
      isEncrypted: isEncrypted === 1,
    };
  } catch (error) {
    throw whyUnusable(error, url);
  } finally {
    await pool.end();
  }
};

const STATE = `select current_setting('server_version'), pg_database_size(current_database()),
  (extract(epoch from clock_timestamp()) * 1000)::bigint,
  (select sum(numbackends) from pg_stat_database),
  current_setting('max_connections'), (select count(*) from pg_stat_replication),
  current_setting('synchronous_standby_names') <> '',
  (select ssl from pg_stat_ssl where pid = pg_backend_pid())`;
