import type { Instant } from "../../../domain/base/instant.ts";
import type { Restriction } from "../../../domain/people/api-key.ts";
import type { Store } from "../../store.ts";
import { highWater } from "../clock.ts";
import { issueServerTime } from "../server-time.ts";
import type { FoundPage } from "./task-page.ts";
import { isSearch, type Page, type TaskFilter } from "./task-filter.ts";
import { readList } from "./task-walk.ts";

export type TaskList = FoundPage & { readonly serverTime: Instant };

/**
 * Returns one page of the account's tasks within the restriction: best match first in a search, otherwise
 * newest change first. `first` is the server time of the first page, which later pages repeat. A task that
 * changes meanwhile moves to the front and comes with the next `since`.
 */
export const listTasks = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
  filter: TaskFilter,
  page: Page & { readonly first: Instant | null },
  now: Instant,
): Promise<TaskList> => {
  const hw = highWater(store.reader, accountId);
  const first = page.first ?? issueServerTime(store.clock, store.writer, accountId, hw, now);
  const asked = { accountId, restriction, filter, page: { after: page.after, limit: page.limit } };
  const serverTime = await first;
  const found = await (isSearch(filter)
    ? store.searcher.search(asked)
    : readList(store.reader, asked));
  return { ...found, serverTime };
};
