import { INBOX_ROW, NEW_TABS, NOTE, NOW, TAB, TASK, TASK_ROW } from "./examples.ts";
import { FILE_QUERY, LIST_QUERY, OVERRIDE_QUERY } from "./queries.ts";
import type { Operations } from "./operation.ts";

const V1 = "/api/public/v1";

/** Tasks, and the tabs and notes in them. */
export const TASKS: Operations = {
  [`GET ${V1}/tasks`]: {
    id: "listTasks",
    tag: "Tasks",
    summary: "List or search tasks, newest change first",
    description:
      "Without `status`, only open tasks are listed. Deleted and trashed tasks are never listed. A key that is restricted to folders or to the inbox sees only the tasks there.",
    query: LIST_QUERY,
    reply: {
      description: "A page of tasks.",
      shape: "TaskPage",
      example: { tasks: [TASK_ROW], next_cursor: null, server_time: NOW },
    },
  },
  [`POST ${V1}/tasks`]: {
    id: "createTask",
    tag: "Tasks",
    summary: "Create a task, with any tabs and notes",
    description:
      "One call creates everything. A key that is restricted to folders must name one of them, or it gets 422. A key that is restricted to the inbox gets 403.",
    body: {
      example: {
        title: TASK.title,
        folder: "Travel",
        tabs: [{ url: TAB.url, title: TAB.title }],
        notes: [NOTE.text],
      },
    },
    reply: {
      description: "The new task.",
      shape: "Task",
      example: TASK,
      tagged: true,
    },
  },
  [`GET ${V1}/tasks/:id`]: {
    id: "getTask",
    tag: "Tasks",
    summary: "Read a task with its tabs and notes",
    reply: { description: "The task.", shape: "Task", example: TASK, tagged: true },
  },
  [`PATCH ${V1}/tasks/:id`]: {
    id: "updateTask",
    tag: "Tasks",
    summary: "Change a task's fields",
    description:
      "A field you leave out stays as it is. Null clears any field but the title and the status. If nothing would change, nothing is written. A key that is restricted to folders gets 422 if it tries to move a task out of them.",
    query: OVERRIDE_QUERY,
    body: { example: { status: "in_progress" } },
    reply: {
      description:
        "The task as lists show it. A key without `read` gets the task's id and what it sent.",
      shape: "TaskRow",
      withoutRead: "TaskReceipt",
      example: { ...TASK_ROW, status: "in_progress" },
      tagged: true,
    },
  },
  [`PATCH ${V1}/tasks`]: {
    id: "updateTasks",
    tag: "Tasks",
    summary: "Change the same fields of several tasks",
    description:
      "Sets the fields in `set` on 1 to 50 tasks, all or none, in one commit. A refusal names the first id that cannot be changed.",
    query: OVERRIDE_QUERY,
    body: { example: { ids: [TASK.id], set: { status: "done" } } },
    reply: {
      description:
        "The tasks as lists show them, in the order of the ids. A key without `read` gets the ids and what it sent.",
      shape: "TaskRows",
      withoutRead: "TaskReceipts",
      example: { tasks: [{ ...TASK_ROW, status: "done" }] },
    },
  },
  [`POST ${V1}/tasks/:id/tabs`]: {
    id: "fileTabs",
    tag: "Tasks",
    summary: "Add tabs to a task",
    description: "Adds 1 to 100 tabs after the ones that are already there.",
    query: { ...FILE_QUERY, ...OVERRIDE_QUERY },
    body: { example: NEW_TABS },
    reply: {
      description: "The tabs that were sent.",
      shape: "FiledTabs",
      example: { tabs: [TAB] },
    },
  },
  [`POST ${V1}/tasks/:id/tabs/move`]: {
    id: "moveTabs",
    tag: "Tasks",
    summary: "Move tabs here from another task",
    description:
      "Moves 1 to 100 tabs to the end of this task, in the order in which you name them, all or none. They keep their ids, authors and times, and their groups come along. Nothing is deleted: the history has both tasks as they were. A key without `read` names tabs by their ids alone.",
    query: OVERRIDE_QUERY,
    body: { example: { from: "inbox", tabs: [TAB.id] } },
    reply: {
      description:
        "The tabs, the task that they are in now, and the one that they left. A key without `read` gets their ids.",
      shape: "MovedTabs",
      withoutRead: "MovedTabsReceipt",
      example: { tabs: [TAB], task: TASK_ROW, from: INBOX_ROW },
    },
  },
  [`POST ${V1}/tasks/:id/notes`]: {
    id: "addNote",
    tag: "Tasks",
    summary: "Add a note to a task",
    query: OVERRIDE_QUERY,
    body: { example: { text: NOTE.text } },
    reply: { description: "The new note.", shape: "Note", example: NOTE },
  },
  [`PATCH ${V1}/tasks/:id/notes/:note`]: {
    id: "updateNote",
    tag: "Tasks",
    summary: "Correct a note",
    description:
      "Gives a note another text. A key can change notes that agents wrote: one that a person wrote is refused with 403. The text before is in the history.",
    query: OVERRIDE_QUERY,
    body: { example: { text: NOTE.text } },
    reply: {
      description: "The note. A key without `read` gets its id and the text.",
      shape: "Note",
      withoutRead: "NoteReceipt",
      example: NOTE,
    },
  },
  [`GET ${V1}/inbox`]: {
    id: "getInbox",
    tag: "Tasks",
    summary: "Read the inbox with its tabs",
    description:
      "The inbox is the account's task `Agent unsorted`, for tabs that belong to no task yet. Without one, `id` is null. A key that is restricted to folders never sees it.",
    reply: {
      description: "The inbox.",
      shape: "Inbox",
      example: { ...INBOX_ROW, tabs: [TAB], notes: [] },
    },
  },
  [`POST ${V1}/inbox/tabs`]: {
    id: "fileInboxTabs",
    tag: "Tasks",
    summary: "Add tabs to the inbox",
    description:
      "Use this when you do not know which task the tabs belong to. They go into the account's task `Agent unsorted`, which is created if it does not exist. A key that is restricted to folders gets 403. For a key that is restricted to the inbox, this is the only call that changes anything.",
    query: FILE_QUERY,
    body: { example: NEW_TABS },
    reply: {
      description:
        "The tabs that were sent, and the task that they were added to. A key without `read` gets only the task's id.",
      shape: "FiledInboxTabs",
      withoutRead: "FiledInboxTabsReceipt",
      example: { tabs: [TAB], task: INBOX_ROW },
    },
  },
};
