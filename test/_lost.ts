import { formatInstant, type Instant } from "../src/instant.ts";
import { rowsOf, type Row } from "./_client.ts";
import { type Ledger, numberOf } from "./_load.ts";
import { query, type ServerProcess } from "./_process.ts";
import { httpWire } from "./_wire.ts";

/** What the server promised and does not keep. Its own replies are believed as little as its files. */
export const lost = async (
  server: ServerProcess,
  session: string,
  ledger: Ledger,
): Promise<readonly string[]> => {
  const reply = await httpWire(server.url, session).pull(null, null);
  const rows = new Map(rowsOf(reply).map((row) => [row.id, row]));
  return [
    ...(reply.server_time < ledger.serverTime
      ? [`server_time went back from ${ledger.serverTime} to ${reply.server_time}`]
      : []),
    ...lostPushes(rows, ledger),
    ...tornPushes(rows, ledger),
    ...lostFilings(rows, ledger),
    ...lostCalls(server.directory, ledger),
    ...brokenFile(server.directory),
  ];
};

type Rows = ReadonlyMap<string, Row>;

const versionOf = (rows: Rows, id: string): unknown => rows.get(id)?.payload["version"] ?? 0;

const lostPushes = (rows: Rows, { pushed, unanswered }: Ledger): readonly string[] => {
  const sent = [...unanswered.values()].flat().map(({ id, version }) => `${id} ${version}`);
  return [...pushed].flatMap(([id, version]) => {
    const stored = versionOf(rows, id);
    if (stored === version || sent.includes(`${id} ${stored}`)) return [];
    return [`${id} was answered in version ${version} and is in version ${stored}`];
  });
};

const tornPushes = (rows: Rows, { unanswered }: Ledger): readonly string[] =>
  [...unanswered].flatMap(([device, batch]) => {
    const standing = batch.filter(({ id, version }) => versionOf(rows, id) === version).length;
    if (standing === 0 || standing === batch.length) return [];
    return [`of ${batch.length} records that ${device} pushed at once, ${standing} stand`];
  });

const lostFilings = (rows: Rows, { filed, titles }: Ledger): readonly string[] => {
  const ids = new Set([...rows.values()].flatMap(idsIn));
  const late = [...titles].filter(([id, call]) => {
    const title = rows.get(id)?.payload["title"];
    return typeof title !== "string" || numberOf(title) < call;
  });
  return [
    ...[...filed].filter((id) => !ids.has(id)).map((id) => `${id} was filed and is gone`),
    ...late.map(([id, call]) => `task ${id} lost the title of call ${call}`),
  ];
};

const idsIn = ({ id, payload }: Row): readonly string[] => {
  const children = [payload["pages"], payload["notes"]].flat() as readonly { id?: string }[];
  return [id, ...children.flatMap((child) => child?.id ?? [])];
};

const lostCalls = (directory: string, { calls }: Ledger): readonly string[] => {
  const listed = query<{ client: string; rows: number }>(
    directory,
    "SELECT client, count(*) AS rows FROM activity GROUP BY client",
  );
  const once = new Set(listed.filter(({ rows }) => rows === 1).map(({ client }) => client));
  return [...calls].filter((call) => !once.has(call)).map((call) => `${call} is not listed once`);
};

/** `max(changed_at) <= hw <= lease`, and a database that SQLite finds sound. */
const brokenFile = (directory: string): readonly string[] => {
  const sound = query<{ quick_check: string }>(directory, "PRAGMA quick_check");
  const [clock] = query<{ stamp: Instant; hw: Instant; lease: Instant }>(
    directory,
    `SELECT (SELECT max(changed_at) FROM record) AS stamp, (SELECT max(hw) FROM account) AS hw,
      (SELECT lease FROM server) AS lease`,
  );
  const { stamp = 0, hw = 0, lease = 0 } = clock ?? {};
  const ordered = stamp <= hw && hw <= lease;
  return [
    ...sound.map(({ quick_check: said }) => said).filter((said) => said !== "ok"),
    ...(ordered ? [] : [`stamp, mark and lease: ${[stamp, hw, lease].map(formatInstant)}`]),
  ];
};
