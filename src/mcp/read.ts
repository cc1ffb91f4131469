import { Type } from "@sinclair/typebox";
import { INBOX_ID } from "../db/records/move-tabs.ts";
import { readInboxView, readTaskView, taskChildren, withClaimOf } from "../db/records/lookup.ts";
import { entityTag } from "../domain/calls/etag.ts";
import { notFound } from "../domain/base/refusal.ts";
import { seesTrash } from "../domain/people/account.ts";
import type { Note, Tab } from "../domain/tasks/children.ts";
import { MAX_NOTE, MAX_URL } from "../domain/tasks/task.ts";
import {
  Arguments,
  Filters,
  reading,
  TaskIdOrInbox,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";
import {
  filling,
  fillingTexts,
  LINE,
  put,
  putAuthor,
  ROOM,
  sizeOf,
  taskResult,
} from "./results.ts";
import type { TaskFilter } from "../db/records/lists/task-filter.ts";
import { Time } from "../server/tasks/fields.ts";
import { filterFor } from "../server/tasks/filter.ts";
import { listPage, listWhole, MOST_WHOLE } from "../server/tasks/listing.ts";
import { MAX_QUERY } from "../domain/tasks/search.ts";

/** In characters: the longest note that an agent can add, with some room for escaped line ends. */
const NOTE = MAX_NOTE + 1_000;

const From = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `${what}_next of the last answer`,
    }),
  );

export const readTask = reading(
  {
    name: "read_task",
    title: "Read a task",
    description:
      "Returns a task with its tabs, notes and etag. If tabs_next or notes_next is not null, there is more. A text " +
      "with a _length has been cut.",
    input: Arguments({
      task_id: TaskIdOrInbox,
      tabs_from: From("tabs"),
      notes_from: From("notes"),
    }),
  },
  async ({ store, caller, args, now }) => {
    const { account, restriction } = caller;
    const found =
      args.task_id === INBOX_ID
        ? await readInboxView(store, account.id, restriction)
        : await readTaskView(store, account.id, restriction, args.task_id, seesTrash(caller));
    if (found === null) throw notFound("task");
    const row = await withClaimOf(store, account.id, found, now);
    const task = taskResult(row.row);
    const { tabs_from, notes_from } = args;
    // A caller who continues one list does not get the other one.
    const first = tabs_from === undefined && notes_from === undefined;
    const from = first ? { tabs: 0, notes: 0 } : { tabs: tabs_from, notes: notes_from };
    return { task, etag: entityTag(row), ...listsOf(taskChildren(row), from, ROOM - sizeOf(task)) };
  },
);

type Lists = { readonly tabs: readonly Tab[]; readonly notes: readonly Note[] };

/** Returns a task's tabs and notes from these places on, as far as they fit into `room` characters. */
const listsOf = (
  { tabs, notes }: Lists,
  from: Readonly<Record<keyof Lists, number | undefined>>,
  room: number,
): ToolResult => {
  const shownNotes = partOf("notes", notes, shownNote, from.notes, room / 2);
  const rest = room - sizeOf(shownNotes);
  return { ...partOf("tabs", tabs, shownTab, from.tabs, rest), ...shownNotes };
};

/** Returns a task of a list with its tabs and notes, from its JSON text. If they do not fit, read_task has the rest. */
const wholeResult = (row: string): ToolResult => {
  // The lists say how many there are.
  const { tab_count: _tabs, note_count: _notes, created_at: _at, ...task } = taskResult(row);
  const lists = listsOf(JSON.parse(row) as Lists, { tabs: 0, notes: 0 }, ROOM - sizeOf(task));
  const told = Object.entries(lists).filter(([, value]) => value !== null);
  return { ...task, ...Object.fromEntries(told) };
};

/**
 * Returns the rows of a list from `from` on that fit, and `NAME_next`: where the list continues, or null at its end.
 */
const partOf = <Row>(
  name: string,
  rows: readonly Row[],
  show: (row: Row) => ToolResult,
  from: number | undefined,
  room: number,
): ToolResult => {
  if (from === undefined) return {};
  const shown = filling(rows.slice(from), show, room);
  const end = from + shown.length;
  return { [name]: shown, [`${name}_next`]: end < rows.length ? end : null };
};

/** A tab without an id is moved by its url. */
const shownTab = (tab: Tab): ToolResult => {
  const shown: Record<string, unknown> = {};
  put(shown, "id", tab.id, LINE);
  put(shown, "url", tab.url, LINE);
  if (tab.title !== tab.url) put(shown, "title", tab.title, LINE);
  putAuthor(shown, tab);
  return shown;
};

const shownNote = (note: Note): ToolResult => {
  const shown: Record<string, unknown> = {};
  put(shown, "id", note.id, LINE);
  put(shown, "text", note.text, NOTE);
  putAuthor(shown, note);
  if (note.created_at !== null) shown["created_at"] = note.created_at;
  return shown;
};

/** Tasks per answer: the default and the maximum. */
const DEFAULT = 20;
const MOST = 50;

const FindArguments = Arguments({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY,
      description: "up to 16 words that must all occur in the title, tabs or notes",
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "one or more statuses separated by commas, such as todo,done",
    }),
  ),
  closed: Type.Optional(Type.Boolean({ description: "true to include closed tasks" })),
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "a folder's id or exact name, or none",
    }),
  ),
  ...Filters,
  url: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_URL, description: "a tab's exact url" }),
  ),
  since: Type.Optional({
    ...Time,
    description: "server_time of an earlier answer",
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST, description: `a whole number from 1 to ${MOST}` }),
  ),
  whole: Type.Optional(Type.Boolean({ description: "true to get their tabs and notes too" })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "next_cursor of the last answer",
    }),
  ),
});

type FindContext = ToolContext<typeof FindArguments.static>;

export const findTasks = reading(
  {
    name: "find_tasks",
    title: "Find tasks",
    description:
      "Lists open tasks, newest change first, or with words (q) best match first. If the answer is partial, add words.",
    input: FindArguments,
  },
  async (context) => {
    const { limit = DEFAULT, whole = false } = context.args;
    return rowsOf(context, await filterOf(context), whole ? Math.min(limit, MOST_WHOLE) : limit);
  },
);

const BOTH = ["tabs", "notes"] as const;

const rowsOf = async (
  context: FindContext,
  filter: TaskFilter,
  limit: number,
): Promise<ToolResult> => {
  const { store, caller, args, now } = context;
  const page = { cursor: args.cursor, limit, include: BOTH };
  const list = args.whole ? listWhole : listPage;
  const { rows, rest } = await list(store, caller, filter, page, now);
  const tasks = args.whole
    ? filling(rows, wholeResult, ROOM)
    : fillingTexts(rows, taskResult, ROOM);
  // Rows that do not fit come with the next cursor, which must point after the last row returned.
  return tasks.length < rows.length ? rowsOf(context, filter, tasks.length) : { tasks, ...rest };
};

const filterOf = async ({ store, caller, args, now }: FindContext): Promise<TaskFilter> => {
  const { limit: _limit, cursor: _cursor, whole: _whole, ...asked } = args;
  return filterFor(store, caller, asked, now);
};
