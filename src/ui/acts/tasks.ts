import type { Edit } from "../../client/edit.ts";
import {
  createTask,
  remove,
  removeForGood,
  revive,
  setTask,
  type TaskFields,
} from "../../client/edits.ts";
import { onTop } from "../../client/lists.ts";
import { type Typed, typeTitle } from "../../client/typed.ts";
import { isClosed, isTitleTooLong } from "../../domain/tasks/task.ts";
import { client, records, tasks } from "../state/client.ts";
import { say } from "../state/notice.ts";
import { closeTask, openTask, route } from "../state/route.ts";
import { clearSelection, cursor, stepOff } from "../state/selection.ts";
import { today } from "../state/screen.ts";
import { count } from "../words/names.ts";
import { nameOf, readPasted } from "../words/drafts.ts";
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

/** Changes a title as somebody types it. */
export const retitle = (id: string, typed: Typed): Promise<boolean> =>
  actTyped(id, "Task changed", typeTitle(id, typed));

/** Saves what was typed into a task. If that was deleted meanwhile, it comes back, and a notice says so. */
export const actTyped = (id: string, label: string, edit: Edit): Promise<boolean> =>
  tasks.value.has(id)
    ? act(label, [edit])
    : act("Deleted task restored, with what you typed", [revive("sync_tasks", id), edit], {
        notice: true,
      });

/**
 * Makes tasks of what was typed or pasted (see `draftsOf`), in one step. The current view decides their folder and day.
 * Returns the id of the first; null if there was nothing to make, or it could not be saved. `notice: false` leaves it to
 * the caller to say that a task was added, unless a part of its title is now a note.
 */
export const addTasks = async (
  text: string,
  fields: TaskFields = {},
  { notice = true }: { readonly notice?: boolean } = {},
): Promise<string | null> => {
  const { drafts: read, leftOut } = readPasted(text);
  const drafts = read.flatMap(({ links, notes, ...draft }) => {
    const name = nameOf({ ...draft, links, notes });
    const written = notes.map((note) => ({ text: note }));
    return name ? [{ ...draft, title: name, tabs: links, notes: written }] : [];
  });
  // Of tasks made in the same moment, lists show the one with the smallest id first.
  const ids = drafts.map(() => client().newId()).toSorted();
  const [first] = ids;
  if (first === undefined) return null;
  const made = drafts.map((draft, at) => ({
    ...placeFields(),
    ...fields,
    ...draft,
    id: ids[at] ?? first,
  }));
  const edits = onTop(records.value, made).map(createTask);
  const tabs = drafts.flatMap((draft) => draft.tabs).length;
  const rest = leftOut === 0 ? "" : `, ${count(leftOut, "address", "addresses")} left out`;
  const label = `${drafts.length === 1 ? "Task" : count(drafts.length, "task")} added${rest}`;
  const isLong = drafts.some(({ title }) => isTitleTooLong(title));
  if (!(await act(label, edits, { notice: drafts.length > 1 }))) return null;
  cursor.value = first;
  if (drafts.length === 1 && (notice || isLong))
    say({
      text: `${label}${tabs === 0 ? "" : ` with ${count(tabs, "tab")}`}${isLong ? IN_A_NOTE : ""}`,
      kind: "done",
      action: { label: "Open", run: () => openTask(first) },
    });
  return first;
};

const IN_A_NOTE = ". Its title was too long, so the end of it is in a note.";

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

/** Deletes tasks with all that they hold. No device can restore them then, only the account's pages, for 90 days. */
export const deleteForGood = async (ids: Ids): Promise<void> => {
  stepOff(ids);
  if (route.value.task !== null && ids.includes(route.value.task)) closeTask();
  const edits = ids.map((id) => removeForGood("sync_tasks", id));
  await act(`${count(ids.length, "task")} deleted for good`, edits, { notice: true });
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

export const moveToFolder = async (ids: Ids, folderId: string | null): Promise<boolean> => {
  const isDone = await change(ids, { folderId }, `${count(ids.length, "task")} moved`, true);
  if (isDone) clearSelection();
  return isDone;
};

/** Tasks are in the Inbox as long as they are nowhere else. */
export const moveToInbox = (ids: Ids): Promise<boolean> =>
  change(
    ids,
    { folderId: null, bucketId: null, due: null },
    `${count(ids.length, "task")} moved`,
    true,
  );

export const setDue = async (ids: Ids, due: string | null): Promise<boolean> => {
  const label = due === null ? "Due date removed" : "Due date set";
  const isDone = await change(ids, { due }, label, true);
  if (isDone) clearSelection();
  return isDone;
};
