import type { TaskFilter } from "../db/tasks.ts";
import { invalid } from "../refusal.ts";
import { isStatus } from "../task.ts";
import { parseSince } from "./query.ts";

/** The filters of a list of tasks, as they are sent. */
type FilterQuery = {
  readonly status?: string;
  readonly project_id?: string;
  readonly created_by?: "agent" | "person";
  readonly url?: string;
  readonly since?: string;
};

/** Which tasks are asked for, from what was sent as text. Refuses what cannot be understood. */
export const readFilter = (query: FilterQuery): TaskFilter => ({
  statuses: query.status === undefined ? null : statusesOf(query.status),
  folderId: query.project_id ?? null,
  createdBy: query.created_by ?? null,
  url: query.url ?? null,
  since: parseSince(query.since),
});

const statusesOf = (text: string): readonly string[] => {
  const statuses = text.split(",").map((status) => status.trim());
  if (!statuses.every(isStatus))
    throw invalid("Query parameter status must be statuses with commas between, as todo,done.");
  return statuses;
};
