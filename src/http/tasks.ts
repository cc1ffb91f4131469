import { addNote, createTask, fileTabs, patchTask } from "../db/edits.ts";
import type { RecordRow } from "../db/records.ts";
import {
  listTasks,
  readTaskRecord,
  type TaskFilter,
  taskChildren,
  wholeTask,
} from "../db/tasks.ts";
import { checkTabs, type TabDraft } from "../draft.ts";
import { entityTag } from "../etag.ts";
import { formatInstant } from "../instant.ts";
import { invalid } from "../refusal.ts";
import { isStatus } from "../task.ts";
import { type Ask, callerOf, idOf } from "./ask.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { parseLimit, parseSince } from "./query.ts";
import { json, jsonList, type Reply } from "../door/reply.ts";
import {
  DEFAULT_LIMIT,
  MAX_LIMIT,
  type NoteBody,
  type TabsBody,
  type TaskBody,
  type TaskPatchBody,
  type TasksQuery,
} from "./schemas.ts";

/** `GET /tasks`: a page of the caller's tasks, newest change first. */
export const getTasks = async (ask: Ask<TasksQuery>): Promise<Reply> => {
  const { query } = ask;
  const filter = filterOf(query);
  const cursor = readCursor(query.cursor, filter);
  const page = {
    after: cursor?.place ?? null,
    first: cursor?.first ?? null,
    limit: parseLimit(query.limit, MAX_LIMIT) ?? DEFAULT_LIMIT,
  };
  const { rows, next, serverTime } = await listTasks(
    ask.store,
    callerOf(ask).account.id,
    filter,
    page,
    ask.now,
  );
  return jsonList("tasks", rows, {
    next_cursor: next && writeCursor({ place: next, first: serverTime }, filter),
    server_time: formatInstant(serverTime),
  });
};

const filterOf = (query: TasksQuery): TaskFilter => ({
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

/** `GET /tasks/{id}`: a task with its tabs and notes. */
export const getTask = async (ask: Ask): Promise<Reply> =>
  whole(await readTaskRecord(ask.store, callerOf(ask).account.id, idOf(ask)));

/** `POST /tasks`: files a task, with tabs and notes if it brings some. */
export const postTask = async (ask: Ask<unknown, TaskBody>): Promise<Reply> => {
  const caller = callerOf(ask);
  const { tabs, notes, ...fields } = ask.body;
  const draft = {
    ...fields,
    tabs: (tabs ?? []).map(tabOf),
    notes: (notes ?? []).map((note) => (typeof note === "string" ? note : textOf(note))),
  };
  checkTabs(draft.tabs, caller);
  return whole(await createTask(ask.store, caller.account.id, draft, caller, ask.now));
};

/** `PATCH /tasks/{id}`: changes what was sent, keeps all else. */
export const patchTaskById = async (ask: Ask<unknown, TaskPatchBody>): Promise<Reply> => {
  const caller = callerOf(ask);
  const change = { patch: ask.body, ifMatch: ask.request.headers.get("if-match") };
  const row = await patchTask(
    ask.store,
    caller.account.id,
    idOf(ask),
    change,
    caller,
    ask.now,
  );
  return { body: row.row, headers: { etag: entityTag(row) } };
};

/** `POST /tasks/{id}/tabs`: files tabs behind those that are there. */
export const postTabs = async (ask: Ask<unknown, TabsBody>): Promise<Reply> => {
  const caller = callerOf(ask);
  const tabs = ask.body.map(tabOf);
  checkTabs(tabs, caller);
  const row = await fileTabs(
    ask.store,
    caller.account.id,
    idOf(ask),
    tabs,
    caller,
    ask.now,
  );
  return json({ tabs: taskChildren(row).tabs.slice(-tabs.length) });
};

/** `POST /tasks/{id}/notes`: adds a note. */
export const postNote = async (ask: Ask<unknown, NoteBody>): Promise<Reply> => {
  const caller = callerOf(ask);
  const row = await addNote(
    ask.store,
    caller.account.id,
    idOf(ask),
    textOf(ask.body),
    caller,
    ask.now,
  );
  return json(taskChildren(row).notes.at(-1));
};

export const tabOf = ({ url, title }: TabsBody[number]): TabDraft => ({
  url: url.trim(),
  title: title || null,
});

const textOf = ({ text, content, body }: NoteBody): string => {
  const found = text ?? content ?? body;
  if (found === undefined) throw invalid("A note needs a text.");
  return found;
};

const whole = (row: RecordRow): Reply => ({
  body: wholeTask(row),
  headers: { etag: entityTag(row) },
});
