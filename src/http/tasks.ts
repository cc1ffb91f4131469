import { listTasks, readTaskRecord } from "../db/tasks.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../door/fields.ts";
import { readFilter } from "../door/filter.ts";
import { parseLimit } from "../door/query.ts";
import { jsonList, type Reply } from "../door/reply.ts";
import { formatInstant } from "../instant.ts";
import { type Ask, callerOf, idOf } from "./ask.ts";
import { readCursor, writeCursor } from "../door/cursor.ts";
import { showTask } from "./edits.ts";

import type { TasksQuery } from "./schemas.ts";

/** `GET /tasks`: a page of the caller's tasks, newest change first. */
export const getTasks = async (ask: Ask<TasksQuery>): Promise<Reply> => {
  const { query } = ask;
  const caller = callerOf(ask);
  const filter = readFilter(query);
  const cursor = readCursor(query.cursor, filter);
  const page = {
    after: cursor?.place ?? null,
    first: cursor?.first ?? null,
    limit: parseLimit(query.limit, MAX_LIMIT) ?? DEFAULT_LIMIT,
  };
  const { rows, next, serverTime } = await listTasks(
    ask.store,
    caller.account.id,
    caller.leash,
    filter,
    page,
    ask.now,
  );
  return jsonList("tasks", rows, {
    next_cursor: next && writeCursor({ place: next, first: serverTime }, filter),
    server_time: formatInstant(serverTime),
  });
};

/** `GET /tasks/{id}`: a task with its tabs and notes. */
export const getTask = async (ask: Ask): Promise<Reply> => {
  const { account, leash } = callerOf(ask);
  return showTask(await readTaskRecord(ask.store, account.id, leash, idOf(ask)));
};
