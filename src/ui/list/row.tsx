import type { TaskFields } from "../../client/edits.ts";
import { taskName, type TaskView } from "../../client/views.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { arrange } from "../acts/order.ts";
import { receiveDrop } from "../acts/receive.ts";
import { shiftTabs } from "../acts/tabs.ts";
import { restoreTasks, toggleDone } from "../acts/tasks.ts";
import { Dot, Icon } from "../parts/marks.tsx";
import { StatusButton } from "../parts/status.tsx";
import { canArrange, lateTasks, shownTasks } from "../state/lists.ts";
import { route, taskPath } from "../state/route.ts";
import { today } from "../state/screen.ts";
import { cursor, selected, selectTo, targets, toggleSelected } from "../state/selection.ts";
import { longPress } from "./long-press.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "./drag.ts";
import { Facts } from "./facts.tsx";
import { marked } from "./marked.tsx";

/** One task, on one line: state, title, and what matters most about it. */
export const TaskRow = ({ task, index }: { readonly task: TaskView; readonly index: number }) => {
  const { id } = task;
  const name = taskName(task);
  const inTrash = route.value.view === "trash";
  const classes = [
    "row",
    selected.value.has(id) ? "selected" : "",
    route.value.task === id ? "open" : "",
    dropAt.value === `above ${id}` ? "drop-above" : "",
    dropAt.value === `below ${id}` ? "drop-below" : "",
    dropAt.value === `onto ${id}` ? "drop-here" : "",
    task.refused === null ? "" : "refused",
    isClosed(task.status) ? "closed" : "",
  ];
  return (
    <div
      class={classes.join(" ")}
      {...dragOf(task)}
      {...dropOf(task, index)}
      {...longPress(() => toggleSelected(id))}
    >
      <input
        type="checkbox"
        class="select"
        aria-label={`Select ${name}`}
        checked={selected.value.has(id)}
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          if (event.shiftKey) selectTo(id);
          else toggleSelected(id);
        }}
      />
      {inTrash ? (
        <button
          type="button"
          class="status-button"
          aria-label={`Restore ${name}`}
          title="Restore"
          onClick={() => void restoreTasks([id])}
        >
          <Icon name="undo-2" size={18} />
        </button>
      ) : (
        <StatusButton status={task.status} title={name} onPress={() => void toggleDone([id])} />
      )}
      {task.colour !== null && <Dot colour={task.colour} />}
      <a
        class="title"
        href={taskPath(id)}
        data-row={id}
        dir="auto"
        draggable={false}
        aria-current={route.value.task === id ? "true" : undefined}
        onFocus={() => (cursor.value = id)}
        onClick={(event) => {
          if (!event.shiftKey && !event.metaKey && !event.ctrlKey) return;
          event.preventDefault();
          if (event.shiftKey) selectTo(id);
          else toggleSelected(id);
        }}
      >
        {task.title === "" ? <span class="soft">{name}</span> : marked(name)}
      </a>
      <Facts task={task} />
    </div>
  );
};

const dragOf = (task: TaskView) =>
  draggable(() => {
    const ids = selected.peek().has(task.id) ? targets() : [task.id];
    return { kind: "tasks", ids };
  }, taskName(task));

/** Tasks are dropped above or below a row; tabs, links and text onto it. */
const dropOf = ({ id }: TaskView, index: number) =>
  dropTarget(
    (what, event) => {
      if (what.kind === "tabs") return what.from === id ? null : `onto ${id}`;
      if (what.kind === "outside") return `onto ${id}`;
      if (what.kind !== "tasks" || !canArrange()) return null;
      return `${inLowerHalf(event) ? "below" : "above"} ${id}`;
    },
    (what, event) => {
      if (what.kind === "tabs") void shiftTabs(what.from, what.names, id);
      if (what.kind === "outside") receiveDrop(what, id);
      if (what.kind === "tasks")
        void arrange(
          shownTasks.peek(),
          what.ids,
          index + (inLowerHalf(event) ? 1 : 0),
          fieldsAt(index),
        );
    },
  );

/** What a task gets by being dropped there: among those of today, an overdue one is due today. */
const fieldsAt = (index: number): TaskFields =>
  route.peek().view === "today" && index >= lateTasks.peek().length ? { due: today.peek() } : {};
