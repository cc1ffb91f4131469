import { join } from "node:path";
import { Database } from "bun:sqlite";

/**
 * The data that both must have written alike, as one text each, without times and generated ids.
 */
const QUERIES = [
  `SELECT id, payload, size, updated, updated_at, pushed_at, title, status, open, live, trashed, pushed_content,
     protected_at = changed_at AS protected, json_remove(row, '$.created_at') AS row
   FROM record WHERE id LIKE 'check-%' OR (id LIKE 'dora-%' AND title LIKE '% v1') ORDER BY id`,
  "SELECT record_id, loss, updated_at, by_kind, difference, size, via FROM version ORDER BY record_id, id",
  "SELECT email, history_size FROM account ORDER BY id",
  "SELECT sum(applied) AS applied FROM session",
];

/**
 * Throws if the two data directories differ: the floor must write everything that Docket writes.
 */
export const checkRows = (docket: string, floor: string): void => {
  for (const query of QUERIES) {
    const [ours, theirs] = [rows(docket, query), rows(floor, query)];
    const at = ours.findIndex((row, index) => row !== theirs[index]);
    if (at === -1 && ours.length === theirs.length) continue;
    throw new Error(`The floor wrote something else: ${query}\n${ours[at]}\n${theirs[at]}`);
  }
};

const rows = (directory: string, query: string): readonly string[] => {
  using database = new Database(join(directory, "docket.db"), { readonly: true });
  return database
    .query(query)
    .all()
    .map((row) => JSON.stringify(row));
};
