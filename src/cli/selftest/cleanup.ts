import { formatInstant, parseInstant } from "../../domain/base/instant.ts";
import { type Bench, fieldsOf, listOf, pull, type Pushed, type SyncRow } from "./bench.ts";
import { wants } from "./expect.ts";

/**
 * Deletes everything that carries the run's mark, and takes its tabs out of the task "Agent unsorted". Returns what is
 * left, one description each. Never throws.
 */
export const cleanUp = async (bench: Bench): Promise<readonly string[]> => {
  try {
    await sweep(bench);
    const { rows } = await pull(bench.call);
    return rows.filter((row) => isOurs(bench, row)).map(describe);
  } catch (error) {
    return [`whatever has "${bench.mark}" in its title (${(error as Error).message})`];
  }
};

/** At most this many records in a push: a server may take more at once for an accident. */
const AT_ONCE = 100;

const sweep = async (bench: Bench): Promise<void> => {
  const { rows, reply } = await pull(bench.call);
  const changes = rows.filter((row) => isOurs(bench, row)).map((row) => removed(bench, row));
  const since = encodeURIComponent(String(reply["server_time"]));
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    const body = changes.slice(from, from + AT_ONCE);
    wants(await bench.call("session", "POST", `/sync?since=${since}`, { body }), 200);
  }
};

const isOurs = ({ mark }: Bench, { deleted_at, table: _table, ...row }: SyncRow): boolean =>
  deleted_at === null && JSON.stringify(row).includes(mark);

/** The record without our part in it: a tombstone if all of it is ours. */
const removed = ({ mark, since }: Bench, row: SyncRow): Pushed => {
  const { table, id } = row;
  const payload = fieldsOf(row["payload"]);
  const updated_at = laterThan(since, row.updated_at);
  const change = { table, id, updated_at, base_updated_at: row.updated_at };
  const pages = listOf(payload["pages"]).filter((page) => !JSON.stringify(page).includes(mark));
  const rest = JSON.stringify({ id, ...payload, pages }).includes(mark);
  const isEmpty = pages.length === 0 && listOf(payload["notes"]).length === 0;
  return rest || isEmpty
    ? { ...change, deleted_at: updated_at, payload }
    : { ...change, payload: { ...payload, pages } };
};

const laterThan = (...times: readonly string[]): string =>
  formatInstant(Math.max(...times.map((time) => parseInstant(time) ?? 0)) + 1);

const describe = ({ table, id, ...row }: SyncRow): string => {
  const { title, name } = fieldsOf(row["payload"]);
  return `${table} ${id} (${String(title ?? name)})`;
};
