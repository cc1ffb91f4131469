import { Type } from "@sinclair/typebox";
import { addNote, createTask, fileTabs, patchTask } from "../db/records/edits.ts";
import { createFolder } from "../db/records/folders.ts";
import { fileInbox } from "../db/records/inbox.ts";
import { fileNewInbox, fileNewTabs } from "../db/records/file-new.ts";
import { checkAccess, READ } from "../server/checks/admission.ts";
import { INBOX_ID, moveTabsTo } from "../db/records/move-tabs.ts";
import { MAX_TABS, MAX_URL } from "../domain/tasks/task.ts";
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
  ManyNotes,
  ManyTabs,
  NewTaskFields,
  ONCE,
  REPLACES,
  TaskFields,
  TaskId,
  TaskIdOrInbox,
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
    description:
      "Creates a task, with its tabs and notes in the same call. It is marked as created by you.",
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
      "Adds tabs to the end of a task. Without task_id, adds them to the inbox, a task for tabs that belong nowhere yet.",
    input: Arguments({
      tabs: ManyTabs,
      task_id: Type.Optional(TaskIdOrInbox),
      skip_existing: Type.Optional(
        Type.Boolean({ description: "true to leave out addresses that are there already" }),
      ),
      ...ONCE,
    }),
  },
  ADDS,
  ({ caller, args, now }) => {
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
    description: "Moves tabs, as they are, to the end of another task. The person can undo that.",
    input: Arguments({
      from: TaskIdOrInbox,
      task_id: TaskIdOrInbox,
      tabs: Type.Array(Type.String({ minLength: 1, maxLength: MAX_URL }), {
        minItems: 1,
        maxItems: MAX_TABS,
        description: "ids of tabs, from read_task, or urls of tabs without one",
      }),
    }),
    restriction: notInbox,
  },
  REPLACES,
  ({ caller, args: { from, tabs, task_id: id } }) =>
    (tx) =>
      moveTabsTo(tx, id, { from, tabs }, caller),
  ({ task }, { args, caller }) => ({
    ...recordResult(task, { caller }),
    tabs_moved: args.tabs.length,
  }),
);

export const addNoteTool = writing(
  {
    name: "add_note",
    title: "Add a note",
    description: "Adds a note to a task.",
    input: Arguments({ task_id: TaskId, text: Text, ...ONCE }),
    restriction: notInbox,
  },
  ADDS,
  ({ caller, args }) =>
    (tx) =>
      addNote(tx, args.task_id, args.text, caller),
  recordResult,
);

const ChangeArguments = Arguments({ id: TaskId, ...TaskFields });

export const changeTask = writing(
  {
    name: "change_task",
    title: "Change a task",
    description:
      `Changes a task's ${SETTABLE}. What you leave out stays as it is; null clears ${CLEARABLE}. ` +
      "The person can restore the old values. Nothing can be deleted.",
    input: ChangeArguments,
    restriction: notInbox,
  },
  REPLACES,
  async ({ store, caller, args: { id, ...patch } }: ToolContext<typeof ChangeArguments.static>) => {
    if (Object.keys(patch).length === 0)
      throw invalid(`There is nothing to change. Send ${SETTABLE}.`);
    const status = await statusToStore(store, caller, patch.status);
    return (tx: Transaction) => patchTask(tx, id, { patch, status, ifMatch: null }, caller);
  },
  changedResult,
);

export const addFolder = writing(
  {
    name: "add_folder",
    title: "Add a folder",
    description: "Creates a folder, which groups tasks.",
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
