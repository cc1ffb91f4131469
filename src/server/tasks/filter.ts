import type { Store } from "../../db/store.ts";
import { findFolder } from "../../db/records/folders.ts";
import type { TaskFilter } from "../../db/records/lists/task-filter.ts";
import type { Caller } from "../../domain/people/caller.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { readWords } from "../../domain/tasks/search.ts";
import { isStatus } from "../../domain/tasks/task.ts";
import {
  type ColumnFilter,
  TASK_FILTER_NAMES,
  TASK_FILTERS,
  type TaskFilterValues,
} from "../../domain/tasks/task-filters.ts";
import { parseSince } from "./query.ts";
import { statusesToFind } from "./status.ts";

/** The filters of the task list, as they are sent. */
type FilterQuery = TaskFilterValues & {
  readonly q?: string;
  readonly status?: string;
  /** Text when it comes from a URL. */
  readonly closed?: boolean | "false" | "true";
  /** A folder's id or exact name, or `none`. Tools call it `folder`. */
  readonly project_id?: string;
  readonly folder?: string;
  readonly url?: string;
  readonly since?: string;
};

/**
 * Reads the filters that a caller sent. Refuses malformed ones, a folder that the caller cannot reach, and from a key a
 * status that no task has (422): the list would only seem to be empty.
 */
export const filterFor = async (
  store: Store,
  caller: Caller,
  query: FilterQuery,
): Promise<TaskFilter> => {
  const filter = readFilter(query);
  const folderId = await folderOf(store, caller, query);
  const statuses = await (filter.statuses && statusesToFind(store, caller, filter.statuses));
  return { ...filter, folderId, statuses };
};

/** Reads the filters that were sent as text, with a folder's id. Refuses malformed ones. */
export const readFilter = (query: FilterQuery): TaskFilter => ({
  statuses: query.status === undefined ? null : statusesOf(query.status),
  closed: withClosed(query),
  folderId: query.project_id ?? null,
  columns: columnsOf(query),
  url: query.url ?? null,
  since: parseSince(query.since),
  words: query.q === undefined ? null : readWords(query.q),
});

/** A folder's id, `none` for tasks in no folder, or null for all tasks. */
const folderOf = async (
  store: Store,
  { account, restriction }: Caller,
  { folder, project_id: id }: FilterQuery,
): Promise<string | null> => {
  const [sent, sentAs] = id === undefined ? [folder, "folder"] : [id, "project_id"];
  if (sent === undefined || sent === "none") return sent ?? null;
  return findFolder(store, account.id, restriction, sent, { parameter: sentAs });
};

/** The filters on one column that were sent. */
const columnsOf = (query: TaskFilterValues): TaskFilterValues =>
  Object.fromEntries(
    TASK_FILTER_NAMES.flatMap((name) => {
      const value = query[name];
      if (value === undefined) return [];
      const { check, clean, must }: ColumnFilter = TASK_FILTERS[name];
      if (check && !check(value)) throw invalid(say`${{ parameter: name }} must be ${must}.`);
      return [[name, clean ? clean(value) : value]];
    }),
  );

const withClosed = ({ closed, status }: FilterQuery): boolean => {
  if (closed !== undefined && status !== undefined)
    throw invalid("Send either status or closed, not both.");
  return String(closed) === "true";
};

const statusesOf = (text: string): readonly string[] => {
  const statuses = text.split(",").map((status) => status.trim());
  if (!statuses.every(isStatus))
    throw invalid(
      say`${{ parameter: "status" }} must be one or more statuses separated by commas, such as todo,done.`,
    );
  return statuses;
};
