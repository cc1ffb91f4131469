import { Type } from "@sinclair/typebox";
import { readTaskView, taskChildren } from "../db/records/task.ts";
import { seesTrash } from "../domain/people/caller.ts";
import type { Note, Tab } from "../domain/tasks/children.ts";
import { MAX_NOTE } from "../domain/tasks/note.ts";
import { Arguments, TaskId } from "./fields.ts";
import { filling, put, ROOM, sizeOf } from "./size.ts";
import { LINE, putAuthor, taskResult } from "./results.ts";
import { reading, type ToolResult } from "./tool.ts";

/** In characters: the longest note that an agent can add, with some room for escaped line ends. */
const NOTE = MAX_NOTE + 1_000;

const From = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `${what}_next of the previous answer, to continue from there`,
    }),
  );

export const readTask = reading(
  {
    name: "read_task",
    title: "Read a task",
    description:
      "Returns one task with its tabs and notes, in the order they were added. If tabs_next or notes_next is not " +
      "null, there is more: call again with tabs_from or notes_from. A text with a _length field next to it has " +
      "been cut.",
    input: Arguments({ id: TaskId, tabs_from: From("tabs"), notes_from: From("notes") }),
  },
  async ({ store, caller, args }) => {
    const { account, restriction } = caller;
    const row = await readTaskView(store, account.id, restriction, args.id, seesTrash(caller));
    const task = taskResult(row.row);
    const { tabs, notes } = taskChildren(row);
    const { tabs_from, notes_from } = args;
    // A caller who continues one list does not get the other one.
    const first = tabs_from === undefined && notes_from === undefined;
    const room = ROOM - sizeOf(task);
    const shownNotes = partOf("notes", notes, shownNote, first ? 0 : notes_from, room / 2);
    const rest = room - sizeOf(shownNotes);
    return {
      task,
      ...partOf("tabs", tabs, shownTab, first ? 0 : tabs_from, rest),
      ...shownNotes,
    };
  },
);

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

/** Without the tab's id, which no tool accepts. */
const shownTab = (tab: Tab): ToolResult => {
  const shown: Record<string, unknown> = {};
  put(shown, "url", tab.url, LINE);
  if (tab.title !== tab.url) put(shown, "title", tab.title, LINE);
  putAuthor(shown, tab);
  return shown;
};

const shownNote = (note: Note): ToolResult => {
  const shown: Record<string, unknown> = {};
  put(shown, "text", note.text, NOTE);
  putAuthor(shown, note);
  if (note.created_at !== null) shown["created_at"] = note.created_at;
  return shown;
};
