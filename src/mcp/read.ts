import { Type } from "@sinclair/typebox";
import { readTaskRecord, taskChildren } from "../db/tasks.ts";
import type { Note } from "../note.ts";
import { withoutSecrets } from "../secret.ts";
import type { Tab } from "../tab.ts";
import { isRecordId } from "../text.ts";
import { Arguments, TaskId } from "./fields.ts";
import { cut, fitting, ROOM, sizeOf } from "./room.ts";
import { madeBy, present, shownTask } from "./shown.ts";
import { reading, type Shown } from "./tool.ts";

/** Characters that are shown of one text, and of one url: devices may have stored longer ones. */
const TEXT = 8_000;
const URL_TEXT = 2_000;

const From = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `${what}_next of the last answer, to go on from there`,
    }),
  );

export const readTask = reading(
  {
    name: "read_task",
    title: "Read a task",
    description:
      "One task with its tabs and notes, in the order filed. What does not fit into one answer is told by " +
      "tabs_next and notes_next: call again with tabs_from or notes_from to go on.",
    input: Arguments({ id: TaskId, tabs_from: From("tabs"), notes_from: From("notes") }),
  },
  async ({ store, call, caller, args }) => {
    if (isRecordId(args.id)) call.touched = withoutSecrets(`task:${args.id}`);
    const row = await readTaskRecord(store, caller.account.id, caller.leash, args.id);
    const { tabs, notes } = taskChildren(row);
    const { tabs_from, notes_from } = args;
    // Who goes on in one list does not ask for the other.
    const first = tabs_from === undefined && notes_from === undefined;
    const room = ROOM - sizeOf(shownTask(row.row));
    const shownNotes = partOf("notes", notes.map(shownNote), first ? 0 : notes_from, room / 2);
    const rest = room - sizeOf(shownNotes);
    return {
      task: shownTask(row.row),
      ...partOf("tabs", tabs.map(shownTab), first ? 0 : tabs_from, rest),
      ...shownNotes,
    };
  },
);

/** The rows of a list from one on, as far as there is room; where it goes on, null at its end. */
const partOf = (
  name: string,
  rows: readonly Shown[],
  from: number | undefined,
  room: number,
): Shown => {
  if (from === undefined) return {};
  const asked = rows.slice(from);
  const end = from + fitting(asked, room);
  return { [name]: rows.slice(from, end), [`${name}_next`]: end < rows.length ? end : null };
};

const shownTab = (tab: Tab): Shown =>
  present({
    id: tab.id,
    ...cut("url", tab.url, URL_TEXT),
    ...(tab.title === tab.url ? {} : cut("title", tab.title, TEXT)),
    ...madeBy(tab),
  });

const shownNote = (note: Note): Shown =>
  present({
    id: note.id,
    ...cut("text", note.text, TEXT),
    ...madeBy(note),
    created_at: note.created_at,
  });
