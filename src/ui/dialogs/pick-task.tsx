import { isInbox, taskName, type TaskView } from "../../client/views.ts";
import { type Choice, Chooser } from "../parts/chooser.tsx";
import { Icon } from "../parts/marks.tsx";
import { findTasks } from "../state/used.ts";
import { recordName } from "../../domain/base/record.ts";
import { isClosed, statusName } from "../../domain/tasks/task.ts";
import { foldersById } from "../state/client.ts";
import { statusIcon } from "../words/statuses.ts";

/** The task that someone picked; without an id, they want a new one of this name. */
export type Picked = { readonly id?: string; readonly name: string };

type PickTaskProps = {
  readonly without?: string;
  /** Whether the inbox can be picked too. */
  readonly withInbox?: boolean;
  readonly onPick: (picked: Picked) => unknown;
};

const MOST = 50;

/** Picks a task by a part of it, or makes a new one of what was typed. */
export const PickTask = ({ without = "", withInbox = false, onPick }: PickTaskProps) => (
  <Chooser
    label="Choose a task"
    placeholder="Find a task, or type the title of a new one"
    none="No open tasks yet. Type a title to make one."
    choices={(text) => {
      const found = findTasks(
        text,
        MOST,
        (task) => task.id !== without && (withInbox || !isInbox(task)),
      );
      const choices = found.map(({ task }) => taskChoice(task, onPick));
      const name = text.trim();
      return name === "" ? choices : [...choices, newTask(name, onPick)];
    }}
  />
);

const taskChoice = (task: TaskView, onPick: PickTaskProps["onPick"]): Choice => ({
  key: task.id,
  shown: <TaskLine task={task} />,
  run: () => onPick({ id: task.id, name: taskName(task) }),
});

const newTask = (name: string, onPick: PickTaskProps["onPick"]): Choice => ({
  key: "new",
  shown: (
    <>
      <Icon name="plus" />
      <span class="name">New task “{name}”</span>
    </>
  ),
  run: () => onPick({ name }),
});

/** A task that a picker or the palette offers: its name, and what tells it from others of that name. */
export const TaskLine = ({ task }: { readonly task: TaskView }) => {
  const { status, folderId } = task;
  const folder = foldersById.value.get(folderId ?? "");
  return (
    <>
      <Icon name={isInbox(task) ? "inbox" : statusIcon(status)} />
      <span class="name" dir="auto">
        {taskName(task)}
      </span>
      <span class="soft">
        {isClosed(status) ? statusName(status) : folder && recordName("sync_projects", folder.name)}
      </span>
    </>
  );
};
