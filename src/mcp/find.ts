import { Type } from "@sinclair/typebox";
import type { TaskFilter } from "../db/records/lists/task-filter.ts";
import { Time } from "../server/tasks/fields.ts";
import { filterFor } from "../server/tasks/filter.ts";
import { listPage } from "../server/tasks/listing.ts";
import { MAX_QUERY } from "../domain/tasks/search.ts";
import { MAX_URL } from "../domain/tasks/tab.ts";
import { Arguments, Filters } from "./fields.ts";
import { fillingTexts, ROOM } from "./size.ts";
import { taskResult } from "./results.ts";
import { reading, type ToolResult, type ToolContext } from "./tool.ts";

/** Tasks per answer: the default and the maximum. */
const DEFAULT = 20;
const MOST = 50;

const FindArguments = Arguments({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY,
      description:
        "up to 16 words that must all occur in the task's title, tab titles, urls or notes",
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "one or more statuses separated by commas, such as todo,done",
    }),
  ),
  closed: Type.Optional(
    Type.Boolean({ description: "true to include closed tasks (done and cancelled)" }),
  ),
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "a folder's id or exact name, or none for tasks without a folder",
    }),
  ),
  ...Filters,
  url: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_URL, description: "a tab's exact url" }),
  ),
  since: Type.Optional({
    ...Time,
    description: "server_time of an earlier answer, to find only tasks changed after it",
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST, description: `a whole number from 1 to ${MOST}` }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "next_cursor of the previous answer, to get the next page",
    }),
  ),
});

type FindContext = ToolContext<typeof FindArguments.static>;

export const findTasks = reading(
  {
    name: "find_tasks",
    title: "Find tasks",
    description:
      "Finds tasks by words (q), best match first, and by other filters. Without q, lists open tasks, newest change " +
      "first. Rows are short; use read_task for a task's tabs and notes. Deleted tasks are never found. " +
      "If the answer is partial, add words.",
    input: FindArguments,
  },
  async (context) => rowsOf(context, await filterOf(context), context.args.limit ?? DEFAULT),
);

const rowsOf = async (
  context: FindContext,
  filter: TaskFilter,
  limit: number,
): Promise<ToolResult> => {
  const { store, caller, args, now } = context;
  const { rows, rest } = await listPage(store, caller, filter, { cursor: args.cursor, limit }, now);
  const tasks = fillingTexts(rows, taskResult, ROOM);
  // Rows that do not fit come with the next cursor, which must point after the last row returned.
  return tasks.length < rows.length ? rowsOf(context, filter, tasks.length) : { tasks, ...rest };
};

const filterOf = async ({ store, caller, args }: FindContext): Promise<TaskFilter> => {
  const { limit: _limit, cursor: _cursor, ...asked } = args;
  return filterFor(store, caller, asked);
};
