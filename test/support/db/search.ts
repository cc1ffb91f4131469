import { Database } from "bun:sqlite";
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "bun:test";
import type { Store } from "../../../src/db/store.ts";
import { listTasks } from "../../../src/db/records/lists/task-list.ts";
import { readFilter } from "../../../src/server/tasks/filter.ts";
import type { Restriction } from "../../../src/domain/people/api-key.ts";
import {
  addressesOf,
  addressToken,
  numberOf,
  openFollower,
  placeToken,
} from "../../../src/db/sqlite/search/follow.ts";
import { indexFile } from "../../../src/db/sqlite/search/index-file.ts";
import { deserialise } from "../../../src/domain/base/payload.ts";
import { searchable, searchText } from "../../../src/domain/tasks/search.ts";
import { ON_POSTGRES } from "../engine.ts";
import { NOON } from "../server.ts";
import { annsRecords } from "./past.ts";
import { databaseFile, openForTest } from "./store.ts";

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

/**
 * Tells when the search index that is there now has been deleted. The search thread may make another one within
 * milliseconds, so a look at the name alone can come too late.
 */
export const watchIndex = (directory: string) => {
  const file = indexFile(join(directory, ON_POSTGRES ? "mirror" : ""));
  // No other file gets the number of one that is open.
  const held = openSync(file, "r");
  const { ino } = fstatSync(held);
  const isGone = (): boolean => statSync(file, { throwIfNoEntry: false })?.ino !== ino;
  return { isGone, [Symbol.dispose]: () => closeSync(held) };
};

type Kept = {
  readonly account: number;
  readonly id: string;
  readonly payload: string;
  readonly folder: string | null;
};

/**
 * Checks that the index is sound and equals a newly made one once it has read everything: each word of
 * each task that is not deleted, at its position.
 */
export const expectIndexed = (directory: string): void => {
  const data = new Database(databaseFile(directory), { readwrite: true, create: false });
  try {
    data.run("PRAGMA busy_timeout = 5000");
    const accounts = data.query<{ id: number }, []>("SELECT id FROM account").all();
    readAll(
      directory,
      accounts.map(({ id }) => id),
    );
    expectEqual(indexFile(directory), data.query<Kept, []>(TASKS).all());
  } finally {
    data.close();
  }
};

export const readAll = (directory: string, accounts: readonly number[]): void => {
  const follower = openFollower(directory);
  for (const id of accounts) while (follower.step(id) !== "all");
  follower.close();
};

const expectEqual = (file: string, tasks: readonly Kept[]): void => {
  const index = new Database(file, { readwrite: true, create: false });
  try {
    index.run("PRAGMA busy_timeout = 5000");
    index.run("INSERT INTO search(search) VALUES('integrity-check')");
    const made = index.query("SELECT sql FROM sqlite_schema WHERE name = 'search'").get();
    index.run(
      (made as { sql: string }).sql.replace("VIRTUAL TABLE search", "VIRTUAL TABLE temp.wanted"),
    );
    for (const { account, id, payload, folder } of tasks) {
      const content = deserialise(payload);
      const { title, tabs, urls, notes } = searchText(content);
      const addresses = [...new Set(addressesOf(content).map(addressToken))].join(" ");
      index
        .query(
          "INSERT INTO temp.wanted (rowid, title, tabs, urls, notes, addresses, place) VALUES (?,?,?,?,?,?,?)",
        )
        .run(
          numberOf(index, account, id) ?? 0,
          ...[title, tabs, urls, notes].map(searchable),
          addresses,
          placeToken(folder),
        );
    }
    for (const [from, table] of [
      ["main", "search"],
      ["temp", "wanted"],
    ] as const)
      index.run(
        `CREATE VIRTUAL TABLE temp.${table}_tokens USING fts5vocab(${from}, ${table}, instance)`,
      );
    const [found, wanted] = ["search_tokens", "wanted_tokens"].map(
      (name) => `SELECT doc, col, "offset", term FROM temp.${name}`,
    );
    expect(index.query(`${found} EXCEPT ${wanted}`).all()).toEqual([]);
    expect(index.query(`${wanted} EXCEPT ${found}`).all()).toEqual([]);
    expect(index.query("SELECT count(*) AS n FROM task").get()).toEqual({ n: tasks.length });
  } finally {
    index.close();
  }
};

/** Every task that belongs in the index. */
const TASKS = `SELECT account_id AS account, id, payload, folder_id AS folder FROM record
  WHERE tbl = 'sync_tasks' AND deleted_at IS NULL`;

/** ann's records on her own server, and a function that searches them. */
export const searchWorld = async () => {
  const store = await openForTest();
  const records = await annsRecords(store);
  return { ...records, store, find: finder(store, records.ann) };
};
