import type { Edit } from "../../client/edit.ts";
import { remove, removeNotes, removeTabs } from "../../client/edits.ts";
import { DEFAULT_STATUS } from "../../domain/tasks/task.ts";
import { type MadeBy, taskName, type TaskView } from "../../client/views.ts";
import { tasks } from "../state/client.ts";
import { keep, keepAll, lookedUntil } from "../state/looked.ts";
import { say } from "../state/notice.ts";
import { stepOff } from "../state/selection.ts";
import { count } from "../words/names.ts";
import { act } from "./act.ts";
import { nameOf } from "./tabs.ts";
import { change, type Ids } from "./tasks.ts";

type Child = { readonly madeBy: MadeBy; readonly addedAt: string | null };

/**
 * Takes back what agents did to a task since the person looked: a task that one made goes to the trash; tabs and notes
 * that one filed elsewhere are removed. Changes to its fields are taken back in its history.
 */
export const undoAgents = async (task: TaskView): Promise<void> => {
  const made = task.madeBy.author === "agent";
  const until = lookedUntil(task);
  const isNew = ({ madeBy, addedAt }: Child): boolean =>
    madeBy.author === "agent" && (addedAt ?? task.updatedAt) > until;
  const tabs = task.tabs.filter(isNew);
  const notes = task.notes.filter(isNew);
  const edits: readonly Edit[] = made
    ? [remove("sync_tasks", task.id)]
    : [removeTabs(task.id, tabs.map(nameOf)), removeNotes(task.id, notes.map(nameOf))];
  stepOff([task.id]);
  const done = await act(
    made ? "Task deleted" : `${wordsFor(tabs.length, notes.length)} removed`,
    edits,
    { notice: true },
  );
  const now = tasks.value.get(task.id);
  if (done && now) keep(now);
};

/** The person has looked at a task that an agent made or changed. */
export const keepTask = (task: TaskView): void => sayKept(`Kept “${taskName(task)}”`, keep(task));

export const keepEverything = (): void => sayKept("Kept everything from agents", keepAll());

/** What an agent proposed becomes a task like others. */
export const keepProposed = async (ids: Ids): Promise<void> => {
  const kept = await change(
    ids,
    { status: DEFAULT_STATUS },
    `${count(ids.length, "task")} kept`,
    true,
  );
  if (!kept) return;
  for (const id of ids) {
    const task = tasks.value.get(id);
    if (task) keep(task);
  }
};

/** What an agent proposed goes to the trash. */
export const dismissProposed = async (ids: Ids): Promise<void> => {
  const edits = ids.map((id) => remove("sync_tasks", id));
  await act(`${count(ids.length, "task")} dismissed`, edits, { notice: true });
};

const sayKept = (text: string, back: () => void): void =>
  say({ text, kind: "done", action: { label: "Undo", run: back } });

const wordsFor = (tabs: number, notes: number): string =>
  [tabs > 0 ? count(tabs, "tab") : "", notes > 0 ? count(notes, "note") : ""]
    .filter((words) => words !== "")
    .join(" and ");
