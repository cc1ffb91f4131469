import type { Instant } from "../../../domain/base/instant.ts";
import type { Restriction } from "../../../domain/people/api-key.ts";
import type { Word } from "../../../domain/tasks/search.ts";
import type { TaskFilterValues } from "../../../domain/tasks/task-filters.ts";
import { restrictionValues, type Reach, reachOf } from "../reach.ts";

/** Which tasks to list; null means no such filter. Deleted and trashed tasks are never listed. */
export type TaskFilter = {
  /** Null: open tasks, and with `closed` closed ones too. */
  readonly statuses: readonly string[] | null;
  readonly closed: boolean;
  /** A folder's id, or `none` for tasks in no folder. */
  readonly folderId: string | null;
  /** Values to compare columns with, for the `TASK_FILTERS` that were sent. */
  readonly columns: TaskFilterValues;
  /** Tasks that hold a tab with exactly this URL. */
  readonly url: string | null;
  /** Changed strictly after this instant, on the server's clock. */
  readonly since: Instant | null;
  /** Only these tasks; closed ones too, unless statuses are asked for. */
  readonly ids?: readonly string[];
  /** Only tasks that some key works on, or only others: `ids` are those that keys work on. */
  readonly claimed?: { readonly is: boolean; readonly ids: readonly string[] };
  /** Words that must all occur in the title, the notes, or the tabs' titles and URLs. */
  readonly words: readonly Word[] | null;
};

/**
 * A position in the list: newest change first, then by id within one commit. A search sorts first by how well
 * a task matches (`tier`; 0 is best).
 */
export type TaskPosition = {
  readonly tier: number;
  readonly changedAt: Instant;
  readonly id: string;
};

export type Page = { readonly after: TaskPosition | null; readonly limit: number };

/** A page that somebody asks for. */
export type ListRequest = {
  readonly accountId: number;
  readonly restriction: Restriction | null;
  readonly filter: TaskFilter;
  readonly page: Page;
};

/** The form of a query: what is the same for all values of its filters. */
export type Shape = {
  readonly status: "any" | "many" | "one" | "open";
  readonly folder: "any" | "none" | "one";
  /** The names of the filters in `columns`, separated by spaces. */
  readonly columns: string;
  readonly since: boolean;
  readonly claimed: "any" | "no" | "yes";
  /** Whether it is asked for tasks by their ids: proposed ones too. */
  readonly ids: boolean;
  /** Whether the index is asked first, for words or an address. */
  readonly search: boolean;
  readonly after: boolean;
  /** Whether only the next tasks of the walk are looked at, as many as `window` says. */
  readonly window: boolean;
  readonly reach: Reach;
};

export const isSearch = ({ words, url }: TaskFilter): boolean => words !== null || url !== null;

/** Whether a list asks when tasks are due. */
export const isOfDue = ({ columns }: Shape): boolean => columns.includes("due");

/** The values of the placeholders in a query for `asked`. */
export const valuesOf = ({ accountId, restriction, filter, page }: ListRequest) => ({
  accountId,
  ...restrictionValues(restriction),
  status: filter.statuses?.[0] ?? "",
  statuses: JSON.stringify(filter.statuses),
  folderId: filter.folderId,
  ...filter.columns,
  since: filter.since,
  claimedIds: JSON.stringify(filter.claimed?.ids ?? []),
  tier: page.after?.tier ?? 0,
  changedAt: page.after?.changedAt ?? 0,
  id: page.after?.id ?? "",
  // One more than asked for, to see whether there is another page.
  limit: page.limit + 1,
});

export const shapeOf = (
  filter: TaskFilter,
  after: TaskPosition | null,
  restriction: Restriction | null,
): Shape => ({
  reach: reachOf(restriction),
  status: statusShape(filter),
  folder: filter.folderId === null ? "any" : filter.folderId === "none" ? "none" : "one",
  columns: Object.keys(filter.columns).join(" "),
  since: filter.since !== null,
  claimed: filter.claimed === undefined ? "any" : filter.claimed.is ? "yes" : "no",
  ids: filter.ids !== undefined,
  search: isSearch(filter) || filter.ids !== undefined,
  after: after !== null,
  window: false,
});

const statusShape = ({ statuses, closed, ids }: TaskFilter): Shape["status"] => {
  if (statuses === null) return closed || ids !== undefined ? "any" : "open";
  return statuses.length === 1 ? "one" : "many";
};

/** A page of a list. */
export type FoundPage = {
  /** Each task's row as JSON text. */
  readonly rows: readonly string[];
  /** Where the next page starts; null on the last page. */
  readonly next: TaskPosition | null;
  /** Whether a search looked at the tasks that changed last only, because there are too many. */
  readonly partial: boolean;
};

/** The ids of the tasks found, by tier, best first. `partial` says that there may be more. */
export type Hits = { readonly tiers: readonly (readonly string[])[]; readonly partial: boolean };
