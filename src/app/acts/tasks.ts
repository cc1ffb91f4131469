import { createTask, remove, revive, setTask, type TaskFields } from "../../client/edits.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { client, tasks } from "../state/client.ts";
import { say } from "../state/notice.ts";
import { openTask, route } from "../state/route.ts";
import { clearSelection, cursor, stepOff } from "../state/selection.ts";
import { today } from "../state/today.ts";
import { count } from "../words/count.ts";
import { splitLinks } from "../words/links.ts";
import { act } from "./act.ts";

export type Ids = readonly string[];

/** Changes fields of tasks in one step. */
export const change = (
  ids: Ids,
  fields: TaskFields,
  label = "Task changed",
  notice = false,
): Promise<boolean> =>
  act(
    label,
    ids.map((id) => setTask(id, fields)),
    { notice },
  );

/** Makes a task of what was typed: pasted links become its tabs. The current view decides its folder and day. */
export const addTask = async (text: string, fields: TaskFields = {}): Promise<string | null> => {
  const { title, links } = splitLinks(text);
  const name = title || links[0]?.title || links[0]?.url;
  if (!name) return null;
  const id = client().newId();
  const task = { ...placeFields(), ...fields, id, title: name.slice(0, 500), tabs: links };
  if (!(await act("Task added", [createTask(task)]))) return null;
  cursor.value = id;
  say({
    text: links.length === 0 ? "Task added" : `Task added with ${count(links.length, "tab")}`,
    kind: "done",
    action: { label: "Open", run: () => openTask(id) },
  });
  return id;
};

/** What a new task gets from the view in which it is made. */
export const placeFields = (): TaskFields => {
  const { view, folder } = route.value;
  if (view === "today") return { due: today.value };
  return view === "folder" && folder !== "none" && folder !== null ? { folderId: folder } : {};
};

/** Finishes tasks; if all of them are finished, opens them again. */
export const toggleDone = async (ids: Ids): Promise<void> => {
  const open = ids.filter((id) => !isClosed(tasks.value.get(id)?.status ?? ""));
  if (open.length === 0) {
    await change(ids, { status: "todo" }, `${count(ids.length, "task")} reopened`, true);
    return;
  }
  stepOff(open);
  await change(open, { status: "done" }, `${count(open.length, "task")} done`, true);
  clearSelection();
};

export const deleteTasks = async (ids: Ids): Promise<void> => {
  stepOff(ids);
  const edits = ids.map((id) => remove("sync_tasks", id));
  await act(`${count(ids.length, "task")} deleted`, edits, { notice: true });
  clearSelection();
};

/** Brings tasks back from the trash: deleted ones, and those in a trash bucket. */
export const restoreTasks = async (ids: Ids): Promise<void> => {
  stepOff(ids);
  const edits = ids.map((id) =>
    tasks.value.has(id) ? setTask(id, { bucketId: null }) : revive("sync_tasks", id),
  );
  await act(`${count(ids.length, "task")} restored`, edits, { notice: true });
  clearSelection();
};

export const moveToFolder = async (ids: Ids, folderId: string | null): Promise<void> => {
  await change(ids, { folderId }, `${count(ids.length, "task")} moved`, true);
  clearSelection();
};

export const setDue = async (ids: Ids, due: string | null): Promise<void> => {
  await change(ids, { due }, due === null ? "Due date removed" : "Due date set", true);
  clearSelection();
};
