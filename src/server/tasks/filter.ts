import type { TaskFilter } from "../../db/records/lists/task-filter.ts";
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

/** The filters of the task list, as they are sent. */
type FilterQuery = TaskFilterValues & {
  readonly q?: string;
  readonly status?: string;
  /** Text when it comes from a URL. */
  readonly closed?: boolean | "false" | "true";
  readonly project_id?: string;
  readonly url?: string;
  readonly since?: string;
};

/** Reads the filters that were sent as text. Refuses malformed ones. */
export const readFilter = (query: FilterQuery): TaskFilter => ({
  statuses: query.status === undefined ? null : statusesOf(query.status),
  closed: withClosed(query),
  folderId: query.project_id ?? null,
  columns: columnsOf(query),
  url: query.url ?? null,
  since: parseSince(query.since),
  words: query.q === undefined ? null : readWords(query.q),
});

/** The filters on one column that were sent. */
const columnsOf = (query: TaskFilterValues): TaskFilterValues =>
  Object.fromEntries(
    TASK_FILTER_NAMES.flatMap((name) => {
      const value = query[name];
      if (value === undefined) return [];
      const { check, must }: ColumnFilter = TASK_FILTERS[name];
      if (check && !check(value)) throw invalid(say`${{ parameter: name }} must be ${must}.`);
      return [[name, value]];
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
