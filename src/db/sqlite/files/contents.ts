import type { Database } from "bun:sqlite";
import type { Instant } from "../../../domain/base/instant.ts";

/** How much data a database holds. */
export type Contents = {
  readonly accounts: number;
  /** Neither deleted nor in the trash. */
  readonly tasks: number;
  /** The instant of the newest change in any account; null if there are none. */
  readonly changedAt: Instant | null;
};

/** Counts what a database of this version or an older one holds, using its indexes only. */
export const contentsOf = (database: Database): Contents | "unreadable" => {
  try {
    return database.query<Contents, []>(COUNTS).get() ?? "unreadable";
  } catch {
    return "unreadable";
  }
};

const COUNTS = `SELECT
  (SELECT count(*) FROM account) AS accounts,
  (SELECT count(*) FROM record WHERE tbl = 'sync_tasks' AND live = 1) AS tasks,
  (SELECT nullif(max(hw), 0) FROM account) AS changedAt`;
