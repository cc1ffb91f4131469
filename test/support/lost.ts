import { formatInstant, type Instant } from "../../src/domain/base/instant.ts";
import { rowsOf, type Row } from "./client.ts";
import { numberOf } from "./agent.ts";
import type { Ledger } from "./load.ts";
import { query, type ServerProcess } from "./process.ts";
import { httpWire } from "./wire.ts";

/** What the server promised and lost. Neither its replies nor its files are trusted alone. */
export const lost = async (
  server: ServerProcess,
  session: string,
  ledger: Ledger,
): Promise<readonly string[]> => {
  const reply = await httpWire(server.url, session).pull(null, null);
  return [
    ...(reply.server_time < ledger.serverTime
      ? [`server_time went back from ${ledger.serverTime} to ${reply.server_time}`]
      : []),
    ...lostFrom(server.directory, rowsOf(reply), ledger),
  ];
};

/** What was promised and is missing from the files. `found` are the records that are there. */
export const lostFrom = (
  directory: string,
  found: readonly Row[],
  ledger: Ledger,
): readonly string[] => {
  const rows = new Map(found.map((row) => [row.id, row]));
  return [
    ...lostPushes(rows, ledger),
    ...tornPushes(rows, ledger),
    ...lostFilings(rows, ledger),
    ...doubled(rows),
    ...lostTitles(directory, rows, ledger),
    ...lostMarks(rows, ledger),
    ...lostCalls(directory, ledger),
    ...brokenFile(directory, ledger),
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

const lostFilings = (rows: Rows, { filed }: Ledger): readonly string[] => {
  const ids = new Set([...rows].flatMap(([id, row]) => [id, ...childrenOf(row).map(idOf)]));
  return [...filed].filter((id) => !ids.has(id)).map((id) => `${id} was filed and is gone`);
};

/** Tabs and notes filed twice. No agent does so on purpose: each has its call's name. */
const doubled = (rows: Rows): readonly string[] => {
  const names = [...rows.values()].flatMap(childrenOf).map(({ url, text }) => url ?? text ?? "");
  const once = new Set<string>();
  return names.filter((name) => once.size === once.add(name).size).map((name) => `${name} twice`);
};

type Child = { readonly id?: string; readonly url?: string; readonly text?: string };

const childrenOf = ({ payload }: Row): readonly Child[] =>
  [payload["pages"] ?? [], payload["notes"] ?? []].flat() as readonly Child[];

const idOf = ({ id }: Child): string => id ?? "";

/**
 * Titles given by an agent that are lost: a task must have that title or a later one, or have it in
 * its history.
 */
const lostTitles = (directory: string, rows: Rows, { titles }: Ledger): readonly string[] => {
  const late = [...titles].filter(([id, call]) => {
    const title = rows.get(id)?.payload["title"];
    return typeof title !== "string" || numberOf(title) < call;
  });
  const history = late.length === 0 ? [] : namesIn(directory);
  return late
    .filter(([id, call]) => !history.some((kept) => kept === `${id} call-${call}`))
    .map(([id, call]) => `task ${id} lost the title of call ${call}`);
};

/** Each task with each of its former titles. */
const namesIn = (directory: string): readonly string[] =>
  query<{ record_id: string; difference: string }>(
    directory,
    "SELECT record_id, difference FROM version WHERE difference LIKE '%call-%'",
  ).flatMap(({ record_id, difference }) =>
    [...difference.matchAll(/call-\d+/g)].map(([name]) => `${record_id} ${name}`),
  );

const lostMarks = (rows: Rows, { marks }: Ledger): readonly string[] =>
  [...marks].flatMap(([id, mark]) => {
    const stored = Number(rows.get(id)?.payload["mark"] ?? 0);
    return stored >= mark ? [] : [`task ${id} lost edit ${mark} and is at ${stored}`];
  });

const lostCalls = (directory: string, { calls }: Ledger): readonly string[] => {
  const listed = query<{ client: string; rows: number }>(
    directory,
    "SELECT client, count(*) AS rows FROM activity GROUP BY client",
  );
  const once = new Set(listed.filter(({ rows }) => rows === 1).map(({ client }) => client));
  return [...calls].filter((call) => !once.has(call)).map((call) => `${call} is not listed once`);
};

/**
 * Checks that `max(changed_at) <= hw <= lease`, that no `server_time` is above the lease, and that
 * the database is sound.
 */
const brokenFile = (directory: string, { serverTime }: Ledger): readonly string[] => {
  const sound = query<{ quick_check: string }>(directory, "PRAGMA quick_check");
  const [clock] = query<{ stamp: Instant; hw: Instant; lease: Instant }>(
    directory,
    `SELECT (SELECT coalesce(max(changed_at), 0) FROM record) AS stamp,
      (SELECT coalesce(max(hw), 0) FROM account) AS hw, (SELECT lease FROM server) AS lease`,
  );
  const { stamp, hw, lease } = clock ?? { stamp: 0, hw: 0, lease: 0 };
  const marks = [stamp, hw, lease].map(formatInstant);
  const ordered = stamp <= hw && hw <= lease && serverTime <= formatInstant(lease);
  return [
    ...sound.map(({ quick_check: said }) => said).filter((said) => said !== "ok"),
    ...(ordered ? [] : [`stamp, mark and lease: ${marks}; server_time: ${serverTime}`]),
  ];
};
