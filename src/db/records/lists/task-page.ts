import type { Orm } from "../../sqlite/orm.ts";
import { withFolderName } from "../../../domain/tasks/projection.ts";
import { namesOf } from "../../sqlite/records/folders.ts";
import { markOf, withRev } from "../../../domain/base/rev.ts";
import { readEpoch } from "../clock.ts";
import { mayList } from "../reach.ts";
import type { Hits } from "../../sqlite/search/query.ts";
import { type Asked, shapeOf, type TaskPosition, valuesOf } from "./task-filter.ts";
import { type Listed, selectTasks } from "./task-query.ts";

/** A page of a list. */
export type FoundPage = {
  /** Each task's row as JSON text. */
  readonly rows: readonly string[];
  /** Where the next page starts; null on the last page. */
  readonly next: TaskPosition | null;
  /** Whether a search looked at the tasks that changed last only, because there are too many. */
  readonly partial: boolean;
};

/** Returns one page of the tasks that the index has found. */
export const readFound = (orm: Orm, asked: Asked, hits: Hits): FoundPage => ({
  ...readPage(orm, asked, JSON.stringify(hits.tiers)),
  partial: hits.partial,
});

/** Returns one page of tasks. `hits` is what the index has found, as JSON; null for a list without a search. */
export const readPage = (orm: Orm, asked: Asked, hits: string | null): FoundPage => {
  const { filter, page, restriction } = asked;
  // Without a query: one would take as long as there are tasks in a folder that the caller may not know of.
  if (!mayList(restriction, filter.folderId)) return { rows: [], next: null, partial: false };
  const shape = shapeOf(filter, page.after, restriction);
  return pageOf(orm, asked, selectTasks(orm, shape).all({ ...valuesOf(asked), hits }));
};

/** Returns the page that begins with these tasks. There is another one if there are more than its limit. */
export const pageOf = (
  orm: Orm,
  { accountId, restriction, page: { limit } }: Asked,
  found: readonly Listed[],
): FoundPage => {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const ids = new Set(shown.flatMap(({ folderId }) => folderId ?? []));
  const names = namesOf(orm, accountId, [...ids], restriction);
  const mark = markOf(readEpoch(orm));
  const rows = shown.map(({ row, folderId, changedAt }) =>
    withRev(withFolderName(row, names.get(folderId ?? "") ?? null), changedAt, mark),
  );
  return { rows, next: last ? placeOf(last) : null, partial: false };
};

const placeOf = ({ row, changedAt, tier = 0 }: Listed): TaskPosition => {
  const { id } = JSON.parse(row) as { readonly id: string };
  return { tier, changedAt, id };
};
