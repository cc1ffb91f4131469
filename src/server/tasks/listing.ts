import { Refusal } from "../../domain/base/refusal.ts";
import { byteLength } from "../../domain/base/text.ts";
import { readTaskView, taskChildren } from "../../db/records/lookup.ts";
import type { Caller } from "../../domain/people/account.ts";
import type { Store } from "../../db/store.ts";
import { listTasks } from "../../db/records/lists/task-list.ts";
import type { TaskFilter } from "../../db/records/lists/task-filter.ts";
import { formatInstant, type Instant, parseInstant } from "../../domain/base/instant.ts";
import { readCursor, writeCursor } from "./filter.ts";

/**
 * A page of a list: each task's row as JSON text, the cursor of the next page, and what goes beside the rows.
 */
export type Listing = {
  readonly rows: readonly string[];
  readonly rest: {
    readonly next_cursor: string | null;
    readonly server_time: string;
    /** Only there if a search left tasks out. */
    readonly partial?: true;
  };
};

/** The page that starts after `cursor`. `first` is the server time of the first page, if it was read before. */
type ListedPage = {
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly first?: Instant | null;
};

/**
 * Returns the page of the caller's tasks that starts after `cursor`, or the first page without one. Refuses a cursor
 * that is invalid or belongs to other filters (422).
 */
export const listPage = async (
  store: Store,
  { account, restriction }: Caller,
  filter: TaskFilter,
  page: ListedPage,
  now: Instant,
): Promise<Listing> => {
  const cursor = readCursor(page.cursor, filter);
  const first = cursor?.first ?? page.first ?? null;
  const place = { after: cursor?.place ?? null, first, limit: page.limit };
  const { rows, next, partial, serverTime } = await listTasks(
    store,
    account.id,
    restriction,
    filter,
    place,
    now,
  );
  return {
    rows,
    rest: {
      next_cursor: next && writeCursor({ place: next, first: serverTime }, filter),
      server_time: formatInstant(serverTime),
      ...(partial ? { partial } : {}),
    },
  };
};

/** The lists that can be included in a task. */
export type Included = "notes" | "tabs";

/** The most tasks of a page with their tabs or notes, and about how many bytes they may take: one task always fits. */
export const MOST_WHOLE = 20;
const ROOM = 256 * 1_024;

/** Like `listPage`, with tabs, notes or both in each task. The page ends early where its tasks would take too much room. */
export const listWhole = async (
  store: Store,
  caller: Caller,
  filter: TaskFilter,
  page: ListedPage & { readonly include: readonly Included[] },
  now: Instant,
): Promise<Listing> => {
  const listing = await listPage(store, caller, filter, page, now);
  const rows: string[] = [];
  let size = 0;
  for (const [at, row] of listing.rows.entries()) {
    const whole = await withLists(store, caller, row, page.include);
    size += byteLength(whole ?? "");
    if (at > 0 && size > ROOM) {
      // The place where the next page starts is that of a shorter one.
      const first = parseInstant(listing.rest.server_time);
      const { rest } = await listPage(store, caller, filter, { ...page, limit: at, first }, now);
      return { rows, rest };
    }
    if (whole !== null) rows.push(whole);
  }
  return { ...listing, rows };
};

/** Returns a row with the lists of its task as they are now; null if the task has gone meanwhile. */
const withLists = async (
  store: Store,
  caller: Caller,
  row: string,
  include: readonly Included[],
): Promise<string | null> => {
  const { account, restriction } = caller;
  const { id } = JSON.parse(row) as { readonly id: string };
  const task = await readTaskView(store, account.id, restriction, id, false).catch(
    (error: unknown) => {
      if (error instanceof Refusal && error.reason === "not_found") return null;
      throw error;
    },
  );
  if (task === null) return null;
  const lists = taskChildren(task);
  const shown = include.map((name) => `,"${name}":${JSON.stringify(lists[name])}`);
  return `${row.slice(0, -1)}${shown.join("")}}`;
};
