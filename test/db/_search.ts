import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import type { Store } from "../../src/db/store.ts";
import { listTasks } from "../../src/db/records/task-list.ts";
import { readFilter } from "../../src/server/tasks/filter.ts";
import type { Restriction } from "../../src/domain/people/restriction.ts";
import { deserialise } from "../../src/domain/base/payload.ts";
import { searchable, searchText } from "../../src/domain/tasks/search.ts";
import { NOON } from "../support/server.ts";
import { annsRecords } from "./_past.ts";
import { databaseFile, openForTest } from "./_store.ts";

export const TAB = {
  id: "a",
  url: "https://doc.example/borrow%20checker.html?q=lifetime",
  title: "Chapter 4",
};

export const BOOK = {
  title: "Read the Rust book",
  pages: [TAB, "https://bare.example/"],
  notes: ["with bob"],
};

type Filters = Parameters<typeof readFilter>[0];

/** Searches an account. Returns the ids found, best match first. */
export const finder =
  (store: Store, accountId: number) =>
  async (
    q: string,
    filters: Filters = {},
    restriction: Restriction | null = null,
  ): Promise<readonly string[]> => {
    const page = { after: null, first: NOON, limit: 200 };
    const filter = readFilter({ ...filters, q });
    const { rows } = await listTasks(store, accountId, restriction, filter, page, NOON);
    return rows.map((row) => (JSON.parse(row) as { id: string }).id);
  };

type Kept = { readonly number: number | null; readonly account: number; readonly payload: string };

/**
 * Checks that the full-text index is sound and equals a newly filled one: each token of each task that is not
 * deleted, at its position.
 */
export const expectIndexed = (directory: string): void => {
  const database = new Database(databaseFile(directory), { readwrite: true, create: false });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    database.run("INSERT INTO search(search) VALUES('integrity-check')");
    const made = database.query("SELECT sql FROM sqlite_schema WHERE name = 'search'").get();
    const { sql } = made as { sql: string };
    database.run(sql.replace("`search`", "temp.wanted"));
    for (const { number, account, payload } of database.query<Kept, []>(TASKS).all()) {
      const { title, tabs, urls, notes } = searchText(deserialise(payload));
      const texts = [title, tabs, urls, notes].map(searchable);
      database
        .query(
          "INSERT INTO temp.wanted (rowid, account, title, tabs, urls, notes) VALUES (?,?,?,?,?,?)",
        )
        .run(number, account, ...texts);
    }
    for (const [from, table] of [
      ["main", "search"],
      ["temp", "wanted"],
    ] as const)
      database.run(
        `CREATE VIRTUAL TABLE temp.${table}_tokens USING fts5vocab(${from}, ${table}, instance)`,
      );
    const [found, wanted] = ["search_tokens", "wanted_tokens"].map(
      (name) => `SELECT doc, col, "offset", term FROM temp.${name}`,
    );
    expect(database.query(`${found} EXCEPT ${wanted}`).all()).toEqual([]);
    expect(database.query(`${wanted} EXCEPT ${found}`).all()).toEqual([]);
    expect(database.query("SELECT rowid FROM search ORDER BY 1").values()).toEqual(
      database.query("SELECT id FROM search_task ORDER BY 1").values(),
    );
    expect(database.query("SELECT count(*) AS n FROM search_task").get()).toEqual(
      database.query("SELECT count(*) AS n FROM temp.wanted").get(),
    );
  } finally {
    database.close();
  }
};

/** Every task that belongs in the index, with the number it should have there. */
const TASKS = `SELECT search_task.id AS number, record.account_id AS account, payload FROM record
  LEFT JOIN search_task ON search_task.account_id = record.account_id AND search_task.task_id = record.id
  WHERE tbl = 'sync_tasks' AND deleted_at IS NULL`;

/** ann's records on her own server, and a function that searches them. */
export const searchWorld = async () => {
  const store = openForTest();
  const records = await annsRecords(store);
  return { ...records, store, find: finder(store, records.ann) };
};
