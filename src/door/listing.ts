import type { Caller } from "../caller.ts";
import type { Store } from "../db/open.ts";
import { listTasks, type TaskFilter } from "../db/tasks.ts";
import { formatInstant, type Instant } from "../instant.ts";
import { type Soon, soon } from "../soon.ts";
import { readCursor, writeCursor } from "./cursor.ts";

/** A page of a list, and how it goes on: each task's row as JSON text, and what stands beside the rows. */
export type Listing = {
  readonly rows: readonly string[];
  readonly rest: { readonly next_cursor: string | null; readonly server_time: string };
};

/** The page of the caller's tasks that `cursor` asks for, as it was sent; without one the first. */
export const listPage = (
  store: Store,
  { account, leash }: Caller,
  filter: TaskFilter,
  page: { readonly cursor: string | undefined; readonly limit: number },
  now: Instant,
): Soon<Listing> => {
  const cursor = readCursor(page.cursor, filter);
  const place = { after: cursor?.place ?? null, first: cursor?.first ?? null, limit: page.limit };
  const listed = listTasks(store, account.id, leash, filter, place, now);
  return soon(listed, ({ rows, next, serverTime }) => ({
    rows,
    rest: {
      next_cursor: next && writeCursor({ place: next, first: serverTime }, filter),
      server_time: formatInstant(serverTime),
    },
  }));
};
