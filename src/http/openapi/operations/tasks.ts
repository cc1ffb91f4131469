import { FOLDER, INBOX_ROW, NEW_TABS, NOTE, NOW, TAB, TASK, TASK_ROW } from "./examples.ts";
import { LIST_QUERY } from "./queries.ts";
import type { Operations } from "./operation.ts";

const V1 = "/api/public/v1";

/** Tasks, what is filed into them, and folders. */
export const FILING: Operations = {
  [`GET ${V1}/tasks`]: {
    id: "listTasks",
    tag: "Tasks",
    summary: "List or search tasks, newest change first",
    description:
      "Without `status` the open ones. Deleted and trashed tasks are never listed. A key that is kept to folders or to the inbox sees only what lies there.",
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
    summary: "File a task, with its tabs and notes if it has some",
    description:
      "One call files everything. A key that is kept to folders must name one of them, else 422; one that is kept to the inbox gets 403.",
    body: {
      example: {
        title: TASK.title,
        folder: "Travel",
        tabs: [{ url: TAB.url, title: TAB.title }],
        notes: [NOTE.text],
      },
    },
    reply: {
      description: "The task as it was filed.",
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
      "What is absent stays as it is, null removes. Where nothing would change, nothing is written. A key that is kept to folders cannot move a task out of them (422).",
    body: { example: { status: "in_progress" } },
    reply: {
      description: "The task as lists show it.",
      shape: "TaskRow",
      example: { ...TASK_ROW, status: "in_progress" },
      tagged: true,
    },
  },
  [`POST ${V1}/tasks/:id/tabs`]: {
    id: "fileTabs",
    tag: "Tasks",
    summary: "File tabs into a task",
    description: "They stand behind those that are there. 1 to 100 at a time.",
    body: { example: NEW_TABS },
    reply: {
      description: "The tabs that were filed.",
      shape: "FiledTabs",
      example: { tabs: [TAB] },
    },
  },
  [`POST ${V1}/tasks/:id/notes`]: {
    id: "addNote",
    tag: "Tasks",
    summary: "Add a note to a task",
    body: { example: { text: NOTE.text } },
    reply: { description: "The note that was added.", shape: "Note", example: NOTE },
  },
  [`POST ${V1}/inbox/tabs`]: {
    id: "fileInboxTabs",
    tag: "Tasks",
    summary: "File tabs whose task is unknown",
    description:
      "They land in the account's task `Agent unsorted`, which is made where there is none. A key that is kept to folders gets 403; to one that is kept to the inbox this is the one write there is.",
    body: { example: NEW_TABS },
    reply: {
      description: "The tabs that were filed, and the task that took them.",
      shape: "FiledInboxTabs",
      example: { tabs: [TAB], task: INBOX_ROW },
    },
  },
  [`GET ${V1}/projects`]: {
    id: "listFolders",
    tag: "Folders",
    summary: "List folders, the oldest first",
    description: "A key that is kept to folders sees only those; one kept to the inbox sees none.",
    reply: {
      description: "All folders.",
      shape: "FolderList",
      example: { projects: [FOLDER] },
    },
  },
  [`POST ${V1}/projects`]: {
    id: "createFolder",
    tag: "Folders",
    summary: "Make a folder",
    description:
      "Two may have the same name: the older one is then meant by it. A key that is kept to folders or to the inbox gets 403.",
    body: { example: { name: FOLDER.name, colour: FOLDER.colour } },
    reply: {
      description: "The folder that was made.",
      shape: "Folder",
      example: { ...FOLDER, task_count: 0 },
    },
  },
};
