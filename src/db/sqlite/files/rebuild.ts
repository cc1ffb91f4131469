import type { Database, SQLQueryBindings } from "bun:sqlite";
import { getTableColumns } from "drizzle-orm";
import { deserialise } from "../../../domain/base/payload.ts";
import { holdsTrash } from "../../../domain/tasks/task.ts";
import { project, type Projection } from "../../../domain/tasks/projection.ts";
import { record } from "../../schema/records.ts";

/** From this many records on, the rebuild is slow enough to be announced. */
const ANNOUNCED_FROM = 5_000;

/** Rows in memory at a time, each with a payload of up to 1 MiB. */
const READ_AT_ONCE = 100;

const COLUMNS = getTableColumns(record);
const SELECTED = Object.entries(COLUMNS)
  .map(([name, { name: column }]) => `"${column}" AS "${name}"`)
  .join(", ");

type Stored = typeof record.$inferSelect & { readonly rowid: number };

/**
 * Projects all records again, including deleted ones, inside the transaction of the migration that
 * asks for it: older versions of the program projected fewer fields. `updated` and the stamps stay as they
 * are, so no device pulls anything because of it.
 */
export const rebuildProjections = (database: Database, say?: (line: string) => void): void => {
  const counted = database.query<{ rows: number }, []>("SELECT count(*) AS rows FROM record").get();
  if (counted && counted.rows >= ANNOUNCED_FROM)
    say?.(`Updating the stored rows of ${counted.rows} records. This happens only once.`);
  const page = database.prepare<Stored, [number, number]>(
    `SELECT rowid, ${SELECTED} FROM record WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  const update = updater(database);
  const inTrash = trashOf(database);
  for (let last = 0; ;) {
    const rows = page.all(last, READ_AT_ONCE);
    for (const row of rows) update(row, projectionOf(row, inTrash(row.accountId)));
    if (rows.length < READ_AT_ONCE) return;
    last = rows.at(-1)?.rowid ?? 0;
  }
};

const projectionOf = (row: Stored, inTrash: InTrash): Projection => {
  const author = { created_by: row.createdBy, created_by_key: row.createdByKey };
  return project({ ...row, author, payload: deserialise(row.payload) }, inTrash);
};

/** Returns whether the bucket with this id is a trash bucket. */
type InTrash = (bucketId: string) => boolean;

/** The buckets of each account are read once. */
const trashOf = (database: Database): ((accountId: number) => InTrash) => {
  const known = new Map<number, InTrash>();
  const select = database.prepare<{ id: string; trashed: number }, [number]>(
    "SELECT id, trashed FROM record WHERE account_id = ? AND tbl = 'sync_buckets'",
  );
  const read = (accountId: number): InTrash => {
    const buckets = new Map(select.all(accountId).map((bucket) => [bucket.id, bucket]));
    return (id) => holdsTrash(id, buckets.get(id) ?? null);
  };
  return (accountId) => {
    const inTrash = known.get(accountId) ?? read(accountId);
    known.set(accountId, inTrash);
    return inTrash;
  };
};

/** Writes only the columns that differ, since SQLite updates the indexes of every column it is given. */
const updater =
  (database: Database) =>
  (row: Stored, projection: Projection): void => {
    const changed = Object.entries<SQLQueryBindings>(projection).filter(
      ([name, value]) => row[name as keyof Projection] !== value,
    );
    if (changed.length === 0) return;
    const set = changed
      .map(([name]) => `"${COLUMNS[name as keyof Projection].name}" = ?`)
      .join(", ");
    // `query` caches prepared statements.
    database
      .query<never, SQLQueryBindings[]>(`UPDATE record SET ${set} WHERE rowid = ?`)
      .run(...changed.map(([, value]) => value), row.rowid);
  };
