import { readTaskView } from "../db/records/task.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../server/tasks/fields.ts";
import { filterFor } from "../server/tasks/filter.ts";
import { listPage } from "../server/tasks/listing.ts";
import { parseLimit } from "../server/tasks/query.ts";
import { jsonList, type Reply } from "../server/reply.ts";
import { seesTrash } from "../domain/people/caller.ts";
import { type ApiContext, callerOf, idOf } from "./context.ts";
import { showTask } from "./replies.ts";
import type { TasksQuery } from "./schemas.ts";

/** `GET /tasks`: a page of the caller's tasks, newest change first, or best match first in a search. */
export const getTasks = async (context: ApiContext<TasksQuery>): Promise<Reply> => {
  const { query } = context;
  const { store, now } = context;
  const caller = callerOf(context);
  const limit = parseLimit(query.limit, MAX_LIMIT) ?? DEFAULT_LIMIT;
  const page = { cursor: query.cursor, limit };
  const filter = await filterFor(store, caller, query);
  const { rows, rest } = await listPage(store, caller, filter, page, now);
  return jsonList("tasks", rows, rest);
};

/** `GET /tasks/{id}`: a task with its tabs and notes. */
export const getTask = async (context: ApiContext): Promise<Reply> => {
  const caller = callerOf(context);
  const { account, restriction } = caller;
  const trashed = seesTrash(caller);
  const task = await readTaskView(context.store, account.id, restriction, idOf(context), trashed);
  return showTask(task, context);
};
