import type { Database } from "bun:sqlite";
import { deserialise } from "../../domain/base/payload.ts";
import { indexTask } from "./search-index.ts";
import { ormOf } from "./orm.ts";

type TaskRow = { readonly accountId: number; readonly id: string; readonly payload: string };

/** From this many tasks on, filling the index is slow enough to be announced. */
const ANNOUNCED_FROM = 5_000;

/**
 * Fills the empty full-text index from all tasks, inside the transaction that created it. Reads one task at a
 * time, never all of them.
 */
export const fillIndex = (database: Database, say?: (line: string) => void): void => {
  const orm = ormOf(database);
  const tasks = "FROM record WHERE tbl = 'sync_tasks' AND deleted_at IS NULL";
  const counted = database.query<{ tasks: number }, []>(`SELECT count(*) AS tasks ${tasks}`).get();
  if (counted && counted.tasks >= ANNOUNCED_FROM)
    say?.(`Indexing ${counted.tasks} tasks for search. This happens only once.`);
  const rows = database
    .prepare<TaskRow, []>(`SELECT account_id AS accountId, id, payload ${tasks}`)
    .iterate();
  for (const { accountId, id, payload } of rows)
    indexTask(orm, { accountId, id }, deserialise(payload), null);
};
