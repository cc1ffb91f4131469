import { addNote, addTabs, createTask, type TaskFields } from "../../client/edits.ts";
import { taskName } from "../../client/views.ts";
import type { Outside } from "../list/drag.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { client, tasks } from "../state/client.ts";
import { inboxFor } from "../state/open.ts";
import { count } from "../words/names.ts";
import { linksIn } from "../words/drafts.ts";
import type { Link } from "../words/links.ts";
import { act } from "./act.ts";
import { addTasks } from "./tasks.ts";

// What is pasted or dropped, where nobody was typing.

/** Adds the links of a text to a task as tabs; a text without any becomes a note. */
export const receive = (text: string, taskId: string): Promise<boolean> => {
  const links = linksIn(text);
  const task = tasks.value.get(taskId);
  const title = task ? taskName(task) : "the task";
  if (links.length > 0)
    return act(`${count(links.length, "tab")} added to “${title}”`, [addTabs(taskId, links)], {
      notice: true,
    });
  if (text.trim() === "") return Promise.resolve(false);
  return act(`Note added to “${title}”`, [addNote(taskId, { text: text.trim() })], {
    notice: true,
  });
};

/** Adds what was dropped onto a task. */
export const receiveDrop = ({ text, saveTo }: Outside, taskId: string): void => {
  if (saveTo) saveTo(taskId);
  else void receive(text, taskId);
};

/** Adds what was dropped onto the inbox. */
export const receiveDropInInbox = ({ text, saveTo }: Outside): void => {
  if (saveTo) saveTo(null);
  else void receiveInInbox(text);
};

/** Adds what was pasted or dropped to the inbox. Makes an inbox if there is none yet, or none that has room. */
export const receiveInInbox = async (text: string): Promise<boolean> => {
  await client().whole;
  const links = linksIn(text);
  const inbox = inboxFor(links.length > 0 ? links : [text]);
  if (inbox) return receive(text, inbox.id);
  return links.length === 0
    ? addTasks(text).then((id) => id !== null)
    : act(`${count(links.length, "tab")} added to the inbox`, [newInbox(links)], { notice: true });
};

const newInbox = (tabs: readonly Link[]) =>
  createTask({ id: client().newId(), title: INBOX_TITLE, tabs });

/** Makes tasks of what was dropped onto a list or a place. */
export const receiveTasks = async (text: string, fields: TaskFields = {}): Promise<void> => {
  await addTasks(text, fields);
};
