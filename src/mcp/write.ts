import { Type } from "@sinclair/typebox";
import {
  addNote,
  createTask,
  editNote,
  fileTabs,
  patchTask,
  patchTasks,
} from "../db/records/edits.ts";
import { createFolder } from "../db/records/folders.ts";
import { fileInbox } from "../db/records/inbox.ts";
import { fileNewInbox, fileNewTabs } from "../db/records/file-new.ts";
import { checkAccess, READ } from "../server/checks/admission.ts";
import { INBOX_ID, moveTabsTo } from "../db/records/move-tabs.ts";
import { MAX_TABS, MAX_URL } from "../domain/tasks/task.ts";
import { taskChildren } from "../db/records/lookup.ts";
import type { RecordRow } from "../domain/records/row.ts";
import { tabsOf } from "../domain/tasks/content.ts";
import { Colour, Name } from "../server/tasks/fields.ts";
import type { Restriction } from "../domain/people/api-key.ts";
import type { Transaction } from "../db/transaction.ts";
import { statusToStore } from "../server/tasks/status.ts";
import { invalid } from "../domain/base/refusal.ts";
import { CLEARABLE, SETTABLE } from "../domain/tasks/task-words.ts";
import {
  ADDS,
  Arguments,
  editorOf,
  ManyNotes,
  ManyTabs,
  NewTaskFields,
  NoteId,
  ONCE,
  OVERRIDE,
  REPLACES,
  TaskFields,
  TaskId,
  TaskIdOrInbox,
  TaskIds,
  Text,
  type ToolContext,
  writing,
} from "./tool.ts";
import { changedResult, folderResult, newTaskResult, recordResult } from "./results.ts";

/** A key restricted to the inbox can only file tabs there. */
const notInbox = (restriction: Restriction): boolean => restriction.kind !== "inbox";

export const addTask = writing(
  {
    name: "add_task",
    title: "Add a task",
    description: "Creates a task, with any tabs and notes.",
    input: Arguments({
      ...NewTaskFields,
      tabs: Type.Optional(ManyTabs),
      notes: Type.Optional(ManyNotes),
      ...ONCE,
    }),
    restriction: notInbox,
  },
  ADDS,
  async ({ store, caller, args }) => {
    const { tabs = [], notes = [], status, idempotency_key: _, ...fields } = args;
    const draft = { ...fields, tabs: tabsOf(tabs, caller), notes };
    const stored = await statusToStore(store, caller, status);
    return (tx: Transaction) =>
      createTask(tx, { ...draft, ...(stored === undefined ? {} : { status: stored }) }, caller);
  },
  newTaskResult,
);

export const fileTabsTool = writing(
  {
    name: "file_tabs",
    title: "File tabs",
    description:
      "Adds tabs to a task. Without task_id, to the inbox, for tabs that belong nowhere yet.",
    input: Arguments({
      tabs: ManyTabs,
      task_id: Type.Optional(TaskIdOrInbox),
      skip_existing: Type.Optional(
        Type.Boolean({ description: "true to leave out addresses already there" }),
      ),
      ...OVERRIDE,
      ...ONCE,
    }),
  },
  ADDS,
  (context) => {
    const { args, now } = context;
    const caller = editorOf(context);
    const tabs = tabsOf(args.tabs, caller);
    const { task_id: id = INBOX_ID, skip_existing: skips = false } = args;
    const isInbox = id === INBOX_ID;
    if (skips) {
      // A key that cannot read must not ask in this way which addresses are there.
      checkAccess(caller, READ, now);
      return (tx) => (isInbox ? fileNewInbox(tx, tabs, caller) : fileNewTabs(tx, id, tabs, caller));
    }
    return async (tx) => {
      const row = await (isInbox ? fileInbox(tx, tabs, caller) : fileTabs(tx, id, tabs, caller));
      return { id: row.id, row, tabs: args.tabs };
    };
  },
  ({ row, tabs }: { readonly row: RecordRow; readonly tabs: readonly object[] }, { caller }) => ({
    ...recordResult(row, { caller }),
    tabs_filed: tabs.filter((tab) => !("existing" in tab)).length,
  }),
);

export const moveTabsTool = writing(
  {
    name: "move_tabs",
    title: "Move tabs",
    description: "Moves tabs to another task.",
    input: Arguments({
      from: TaskIdOrInbox,
      task_id: TaskIdOrInbox,
      tabs: Type.Array(Type.String({ minLength: 1, maxLength: MAX_URL }), {
        minItems: 1,
        maxItems: MAX_TABS,
        description: "ids of tabs, or urls of tabs without one",
      }),
      ...OVERRIDE,
    }),
    restriction: notInbox,
  },
  REPLACES,
  (context) => {
    const { from, tabs, task_id: id } = context.args;
    return (tx) => moveTabsTo(tx, id, { from, tabs }, editorOf(context));
  },
  ({ task }, { args, caller }) => ({
    ...recordResult(task, { caller }),
    tabs_moved: args.tabs.length,
  }),
);

export const writeNote = writing(
  {
    name: "write_note",
    title: "Write a note",
    description: "Adds a note to a task, or corrects an agent's.",
    input: Arguments({
      task_id: TaskId,
      text: Text,
      note_id: Type.Optional(NoteId),
      ...OVERRIDE,
      ...ONCE,
    }),
    restriction: notInbox,
  },
  ADDS,
  (context) => {
    const { task_id: id, text, note_id: note } = context.args;
    const editor = editorOf(context);
    if (note === undefined) return (tx) => addNote(tx, id, text, editor);
    return (tx) => editNote(tx, id, { id: note, text, ifMatch: null }, editor);
  },
  (row, { caller, args }) => {
    const { notes } = taskChildren(row);
    return { ...recordResult(row, { caller }), note_id: args.note_id ?? notes.at(-1)?.id };
  },
);

const ChangeArguments = Arguments({
  task_ids: TaskIds,
  ...TaskFields,
  if_match: Type.Optional(
    Type.String({ maxLength: 100, description: "etag of read_task, for one task" }),
  ),
  ...OVERRIDE,
});

export const changeTasks = writing(
  {
    name: "change_tasks",
    title: "Change tasks",
    description: `Sets the same fields of tasks, all or none. What you leave out stays; null clears ${CLEARABLE}.`,
    input: ChangeArguments,
    restriction: notInbox,
  },
  REPLACES,
  async (context: ToolContext<typeof ChangeArguments.static>) => {
    const { store, caller, args } = context;
    const { task_ids: ids, if_match: ifMatch = null, override: _override, ...patch } = args;
    if (Object.keys(patch).length === 0)
      throw invalid(`There is nothing to change. Send ${SETTABLE}.`);
    if (ifMatch !== null && ids.length > 1)
      throw invalid("if_match names the version of one task. Send one id with it.");
    const status = await statusToStore(store, caller, patch.status);
    const change = { patch, status, ifMatch, sentAs: "task_ids" };
    const editor = editorOf(context);
    return async (tx: Transaction) =>
      ids.length > 1
        ? patchTasks(tx, ids, change, editor)
        : [await patchTask(tx, ids[0] ?? "", change, editor)];
  },
  changedResult,
);

export const addFolder = writing(
  {
    name: "add_folder",
    title: "Add a folder",
    description: "Creates a folder for tasks.",
    input: Arguments({ name: Name, colour: Type.Optional(Colour), ...ONCE }),
    touches: "folder",
    restriction: () => false,
  },
  ADDS,
  ({ caller, args: { name, colour = null } }) =>
    (tx) =>
      createFolder(tx, { name, colour }, caller),
  ({ text }) => ({ folder: folderResult(text) }),
);
