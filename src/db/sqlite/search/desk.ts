import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { deserialise } from "../../../domain/base/payload.ts";
import { hasWords } from "../../../domain/tasks/search.ts";
import type { ListRequest, FoundPage } from "../../records/lists/task-filter.ts";
import { readFound } from "../../records/lists/task-list.ts";
import { ormOf } from "../orm.ts";
import { addressesOf, numberOf } from "./follow.ts";
import { indexFile, openToRead, rangeOf } from "./index-file.ts";
import { comesBack, findHits, type Sought } from "./query.ts";

/** Where one search at a time is done: a connection to the index and one to the records, both for reading. */
export type Desk = {
  readonly search: (asked: ListRequest) => Promise<FoundPage>;
  readonly close: () => void;
};

export const openDesk = (directory: string): Desk => {
  const index = openToRead(indexFile(directory));
  const data = openToRead(join(directory, "docket.db"));
  const orm = ormOf(data);
  const search = async (asked: ListRequest): Promise<FoundPage> => {
    const sought = soughtBy(asked, index, data);
    return readFound(orm, asked, await findHits(index, sought, holder(data, asked, sought)));
  };
  return {
    search: async (asked) => {
      // The records are never older than what the index has read of them.
      for (const [database, first] of [
        [index, "state"],
        [data, "server"],
      ] as const) {
        database.run("BEGIN");
        database.query(`SELECT 1 FROM ${first} LIMIT 1`).get();
      }
      try {
        return await search(asked);
      } finally {
        for (const database of [index, data]) database.run("ROLLBACK");
      }
    },
    close: () => {
      index.close();
      data.close();
    },
  };
};

/** The restriction of a key and the folder asked for are part of what the index is asked. */
const soughtBy = (
  { accountId, restriction, filter }: ListRequest,
  index: Database,
  data: Database,
): Sought => ({
  words: filter.words,
  url: filter.url,
  range: restriction?.kind === "inbox" ? inboxOf(index, data, accountId) : rangeOf(accountId),
  places: [
    ...(filter.folderId === null ? [] : [[filter.folderId === "none" ? null : filter.folderId]]),
    ...(restriction?.kind === "folders" ? [restriction.folders] : []),
  ],
});

/** The range that holds the account's inbox task alone; an empty one if there is none. */
const inboxOf = (index: Database, data: Database, accountId: number): Sought["range"] => {
  const inbox = data
    .query<{ id: string | null }, [number]>("SELECT inbox_task_id AS id FROM account WHERE id = ?")
    .get(accountId);
  const number = numberOf(index, accountId, inbox?.id ?? "");
  return number === null ? [1, 0] : [number, number];
};

/** Returns a function that says whether a task has what the index alone cannot tell: see `findHits`. */
const holder = (data: Database, { accountId }: ListRequest, { url, words }: Sought) => {
  const open = (words ?? []).filter((word) => !comesBack(word));
  if (url === null && open.length === 0) return () => true;
  const select = data.query<{ payload: string }, [number, string]>(
    "SELECT payload FROM record WHERE account_id = ? AND tbl = 'sync_tasks' AND id = ?",
  );
  return (taskId: string): boolean => {
    const row = select.get(accountId, taskId);
    if (row === null) return false;
    const payload = deserialise(row.payload);
    return (url === null || addressesOf(payload).includes(url)) && hasWords(payload, open);
  };
};
