import type { Database } from "bun:sqlite";
import { deserialise } from "../../domain/base/payload.ts";
import { indexTask } from "./search-index.ts";
import { ormOf } from "./orm.ts";

type TaskRow = { readonly accountId: number; readonly id: string; readonly payload: string };

/** From so many tasks on the filling takes so long that it is announced. */
const MANY = 5_000;

/**
 * Fills the full-text index, which is empty, from all tasks that are there, inside the transaction that made
 * it. One task after the other is read, never all of them.
 */
export const fillIndex = (database: Database, say?: (line: string) => void): void => {
  const orm = ormOf(database);
  const tasks = "FROM record WHERE tbl = 'sync_tasks' AND deleted_at IS NULL";
  const counted = database.query<{ tasks: number }, []>(`SELECT count(*) AS tasks ${tasks}`).get();
  if (counted && counted.tasks >= MANY)
    say?.(`Indexing ${counted.tasks} tasks for search. This happens only once.`);
  const rows = database
    .prepare<TaskRow, []>(`SELECT account_id AS accountId, id, payload ${tasks}`)
    .iterate();
  for (const { accountId, id, payload } of rows)
    indexTask(orm, { accountId, id, payload: deserialise(payload), deletedAt: null }, null);
};
