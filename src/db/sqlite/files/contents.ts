import type { Database } from "bun:sqlite";
import type { Instant } from "../../../domain/base/instant.ts";

/** How much a database holds. */
export type Contents = {
  readonly accounts: number;
  /** Neither deleted nor in the trash. */
  readonly tasks: number;
  /** When the newest change of any account came, null where there is none. */
  readonly changedAt: Instant | null;
};

/** Counts what a database holds, of this version or an older one, from its indexes alone. */
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
