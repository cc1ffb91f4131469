import type { Caller } from "../../domain/people/account.ts";
import type { Store } from "../../db/store.ts";
import { listTasks } from "../../db/records/lists/task-list.ts";
import type { TaskFilter } from "../../db/records/lists/task-filter.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
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

/**
 * Returns the page of the caller's tasks that starts after `cursor`, or the first page without one. Refuses a cursor
 * that is invalid or belongs to other filters (422).
 */
export const listPage = async (
  store: Store,
  { account, restriction }: Caller,
  filter: TaskFilter,
  page: { readonly cursor: string | undefined; readonly limit: number },
  now: Instant,
): Promise<Listing> => {
  const cursor = readCursor(page.cursor, filter);
  const place = { after: cursor?.place ?? null, first: cursor?.first ?? null, limit: page.limit };
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
