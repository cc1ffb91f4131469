import { readShown } from "../db/task.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../door/fields.ts";
import { readFilter } from "../door/filter.ts";
import { listPage } from "../door/listing.ts";
import { parseLimit } from "../door/query.ts";
import { jsonList, type Reply } from "../door/reply.ts";
import { type Soon, soon } from "../soon.ts";
import { type Ask, callerOf, idOf } from "./ask.ts";
import { showTask } from "./edits.ts";
import type { TasksQuery } from "./schemas.ts";

/** `GET /tasks`: a page of the caller's tasks, newest change first, or of a search the best first. */
export const getTasks = (ask: Ask<TasksQuery>): Soon<Reply> => {
  const { query } = ask;
  const filter = readFilter(query);
  const limit = parseLimit(query.limit, MAX_LIMIT) ?? DEFAULT_LIMIT;
  const page = { cursor: query.cursor, limit };
  const listed = listPage(ask.store, callerOf(ask), filter, page, ask.now);
  return soon(listed, ({ rows, rest }) => jsonList("tasks", rows, rest));
};

/** `GET /tasks/{id}`: a task with its tabs and notes. */
export const getTask = (ask: Ask): Soon<Reply> => {
  const { account, leash } = callerOf(ask);
  return soon(readShown(ask.store, account.id, leash, idOf(ask)), showTask);
};
