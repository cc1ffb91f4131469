import type { Instant } from "../../../domain/base/instant.ts";
import type { Restriction } from "../../../domain/people/api-key.ts";
import type { Store } from "../../store.ts";
import { highWater, readEpoch } from "../clock.ts";
import { issueServerTime } from "../server-time.ts";
import {
  type ListRequest,
  type FoundPage,
  isOfDue,
  isSearch,
  type Page,
  type Shape,
  shapeOf,
  type TaskFilter,
  type TaskPosition,
  valuesOf,
} from "./task-filter.ts";
import type { Orm } from "../../query.ts";
import { withFolderName } from "../../../domain/tasks/projection.ts";
import { namesOf } from "../named-folders.ts";
import { markOf, withRev } from "../../../domain/base/rev.ts";
import { mayList } from "../reach.ts";
import type { Hits } from "./task-filter.ts";
import { withClaims } from "../claims.ts";
import { FEW, type Listed, selectDue, selectEnd, selectTasks } from "./task-query.ts";
import { breathe } from "../../../domain/base/breathe.ts";

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
  const hw = await highWater(store.reader, accountId);
  const first = page.first ?? issueServerTime(store.clock, store.writer, accountId, hw, now);
  const asked = { accountId, restriction, filter, page: { after: page.after, limit: page.limit } };
  const serverTime = await first;
  const found = await readAsked(store, asked);
  const rows = await withClaims(store.reader, accountId, found.rows, now);
  return { ...found, rows, serverTime };
};

const readAsked = (store: Store, asked: ListRequest): Promise<FoundPage> => {
  const { ids } = asked.filter;
  if (ids !== undefined) return readFound(store.reader, asked, { tiers: [ids], partial: false });
  return isSearch(asked.filter) ? store.searcher.search(asked) : readList(store.reader, asked);
};

/** Returns one page of the tasks that the index has found. */
export const readFound = async (orm: Orm, asked: ListRequest, hits: Hits): Promise<FoundPage> => ({
  ...(await readPage(orm, asked, JSON.stringify(hits.tiers))),
  partial: hits.partial,
});

/** Returns one page of tasks. `hits` is what the index has found, as JSON; null for a list without a search. */
const readPage = async (orm: Orm, asked: ListRequest, hits: string | null): Promise<FoundPage> => {
  const { filter, page, restriction } = asked;
  // Without a query: one would take as long as there are tasks in a folder that the caller may not know of.
  if (!mayList(restriction, filter.folderId)) return { rows: [], next: null, partial: false };
  const shape = shapeOf(filter, page.after, restriction);
  return pageOf(orm, asked, await selectTasks(orm, shape).all({ ...valuesOf(asked), hits }));
};

/** Returns the page that begins with these tasks. There is another one if there are more than its limit. */
const pageOf = async (
  orm: Orm,
  { accountId, restriction, page: { limit } }: ListRequest,
  found: readonly Listed[],
): Promise<FoundPage> => {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const ids = new Set(shown.flatMap(({ folderId }) => folderId ?? []));
  const names = await namesOf(orm, accountId, [...ids], restriction);
  const mark = markOf(await readEpoch(orm));
  const rows = shown.map(({ row, folderId, changedAt }) =>
    withRev(withFolderName(row, names.get(folderId ?? "") ?? null), changedAt, mark),
  );
  return { rows, next: last ? placeOf(last) : null, partial: false };
};

const placeOf = ({ row, changedAt, tier = 0 }: Listed): TaskPosition => {
  const { id } = JSON.parse(row) as { readonly id: string };
  return { tier, changedAt, id };
};

/**
 * Returns one page of a list. If no index has its tasks in their order, it walks along one in short steps, so that it holds
 * nobody up, however many tasks there are: among 300,000, to find that none has a tag took 275 ms. A task that changes
 * meanwhile moves to the front, and comes with the next `since`.
 */
export const readList = async (orm: Orm, asked: ListRequest): Promise<FoundPage> => {
  const { filter, page, restriction } = asked;
  const shape = shapeOf(filter, page.after, restriction);
  const isQuick = isShort(asked, shape) || (await isOfFewDue(orm, asked, shape));
  return isQuick ? await readPage(orm, asked, null) : walk(orm, asked);
};

/** Tasks that are read in one go. */
const AT_ONCE = 50;

/** Whether a page takes no longer than its rows: an index has just these tasks in their order, and few are asked for. */
const isShort = ({ page, restriction, filter }: ListRequest, shape: Shape): boolean => {
  const { reach, status, folder, columns, claimed } = shape;
  // Of the inbox there is one task; of folders out of reach, there is none.
  if (reach === "inbox" || !mayList(restriction, filter.folderId)) return true;
  const isIndexed =
    status === "open" ||
    status === "any" ||
    (status === "one" && folder === "any" && reach === "all");
  return isIndexed && columns === "" && claimed !== "yes" && page.limit <= AT_ONCE;
};

/** Not for a key that is kept to folders: the time would tell it how many tasks outside are due. */
const isOfFewDue = async (orm: Orm, asked: ListRequest, shape: Shape): Promise<boolean> =>
  shape.reach === "all" &&
  isOfDue(shape) &&
  ((await selectDue(orm, shape).get(valuesOf(asked)))?.due ?? 0) <= FEW;

const walk = async (orm: Orm, asked: ListRequest): Promise<FoundPage> => {
  const { page } = asked;
  const found: Listed[] = [];
  let [after, size] = [page.after, AT_ONCE];
  for (;;) {
    await breathe();
    const began = performance.now();
    const shape = { ...shapeOf(asked.filter, after, asked.restriction), window: true };
    const limit = page.limit - found.length;
    const values = {
      ...valuesOf({ ...asked, page: { after, limit } }),
      window: size,
      skipped: size - 1,
    };
    const end = await selectEnd(orm, shape).get(values);
    found.push(...(await selectTasks(orm, shape).all(values)));
    if (end === undefined || found.length > page.limit) return pageOf(orm, asked, found);
    after = { ...end, tier: 0 };
    size = nextSize(size, performance.now() - began);
  }
};

/** The time that one step should take, in ms. A task of 1 MiB takes a thousand times as long as a short one. */
const STEP = 3;
const [SMALLEST, LARGEST] = [8, 8_192];

const nextSize = (size: number, took: number): number =>
  took > STEP ? Math.max(SMALLEST, size >> 1) : Math.min(LARGEST, size << 1);
