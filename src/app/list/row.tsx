import type { TaskView } from "../../client/views.ts";
import { undoAgents } from "../acts/agents.ts";
import { arrange } from "../acts/order.ts";
import { shiftTabs } from "../acts/tabs.ts";
import { restoreTasks, toggleDone } from "../acts/tasks.ts";
import { Dot } from "../parts/dot.tsx";
import { Due } from "../parts/due.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatusButton } from "../parts/status.tsx";
import { foldersById } from "../state/client.ts";
import { shownTasks } from "../state/lists.ts";
import { isNewFromAgents, keep } from "../state/looked.ts";
import { route, taskPath } from "../state/route.ts";
import { cursor, selected, selectTo, targets, toggleSelected } from "../state/selection.ts";
import { momentWords } from "../words/dates.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "./drag.ts";

/** One task, on one line: state, title, and what matters most about it. */
export const TaskRow = ({ task, index }: { readonly task: TaskView; readonly index: number }) => {
  const { id, title } = task;
  const inTrash = route.value.view === "trash";
  const classes = [
    "row",
    selected.value.has(id) ? "selected" : "",
    route.value.task === id ? "open" : "",
    dropAt.value === `above ${id}` ? "drop-above" : "",
    dropAt.value === `below ${id}` ? "drop-below" : "",
    dropAt.value === `onto ${id}` ? "drop-here" : "",
    task.refused === null ? "" : "refused",
  ];
  return (
    <div
      class={classes.join(" ")}
      {...dragOf(task)}
      {...dropOf(task, index)}
      onContextMenu={(event) => {
        // A long press, where fingers press.
        if (!matchMedia("(pointer: coarse)").matches) return;
        event.preventDefault();
        toggleSelected(id);
      }}
    >
      <input
        type="checkbox"
        class="select"
        aria-label={`Select ${title || "untitled task"}`}
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
          aria-label={`Restore ${title}`}
          title="Restore"
          onClick={() => void restoreTasks([id])}
        >
          <Icon name="undo-2" size={18} />
        </button>
      ) : (
        <StatusButton status={task.status} title={title} onPress={() => void toggleDone([id])} />
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
        {title || <span class="soft">Untitled</span>}
      </a>
      <Facts task={task} />
    </div>
  );
};

/** What stands at the right of a row. */
const Facts = ({ task }: { readonly task: TaskView }) => {
  const { view } = route.value;
  const folder = task.folderId === null ? null : foldersById.value.get(task.folderId);
  return (
    <span class="facts">
      {view === "agents" && <AgentFacts task={task} />}
      {task.tags.slice(0, 3).map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
      {folder && view !== "folder" && (
        <span class="in-folder">
          <Dot colour={folder.colour} />
          <span>{folder.name}</span>
        </span>
      )}
      {task.notes.length > 0 && (
        <span class="fact" title={`${task.notes.length} notes`}>
          <Icon name="sticky-note" size={14} />
          {task.notes.length}
        </span>
      )}
      {task.tabs.length > 0 && (
        <span class="fact" title={`${task.tabs.length} tabs`}>
          <Icon name="layers" size={14} />
          {task.tabs.length}
        </span>
      )}
      {task.madeBy.author === "agent" && view !== "agents" && (
        <span class="fact" title={`Made by ${task.madeBy.key ?? "an agent"}`}>
          <Icon name="bot" size={14} />
        </span>
      )}
      {task.due !== null && <Due due={task.due} closed={view === "done"} />}
      {(view === "done" || view === "trash") && (
        <time class="due" dateTime={task.updatedAt}>
          {momentWords(task.deletedAt ?? task.updatedAt)}
        </time>
      )}
    </span>
  );
};

const AgentFacts = ({ task }: { readonly task: TaskView }) => {
  const filed = task.tabs.filter(({ madeBy }) => madeBy.author === "agent").length;
  const isNew = isNewFromAgents(task);
  const key = task.madeBy.key ?? task.tabs.find(({ madeBy }) => madeBy.key !== null)?.madeBy.key;
  return (
    <>
      {isNew && <span class="badge">New</span>}
      <span class="soft by-agent">
        {task.madeBy.author === "agent" ? "made by " : filed > 0 ? "filed by " : "changed by "}
        {key ?? "an agent"}, {momentWords(task.updatedAt)}
      </span>
      {isNew && (
        <span class="row-acts">
          <button
            type="button"
            class="link"
            aria-label={`Keep ${task.title}`}
            onClick={() => keep(task)}
          >
            <Icon name="check" size={14} /> <span>Keep</span>
          </button>
          <button
            type="button"
            class="link"
            aria-label={`Undo ${task.title}`}
            onClick={() => void undoAgents(task)}
          >
            <Icon name="undo-2" size={14} /> <span>Undo</span>
          </button>
        </span>
      )}
    </>
  );
};

const dragOf = ({ id, title }: TaskView) =>
  draggable(() => {
    const ids = selected.peek().has(id) ? targets() : [id];
    return { kind: "tasks", ids };
  }, title);

/** Tasks are dropped above or below a row, tabs onto it. */
const dropOf = ({ id }: TaskView, index: number) =>
  dropTarget(
    (what, event) => {
      if (what.kind === "tabs") return what.from === id ? null : `onto ${id}`;
      return canArrange() ? `${inLowerHalf(event) ? "below" : "above"} ${id}` : null;
    },
    (what, event) => {
      if (what.kind === "tabs") void shiftTabs(what.from, what.names, id);
      else void arrange(shownTasks.peek(), what.ids, index + (inLowerHalf(event) ? 1 : 0));
    },
  );

/** Lists in an order of their own cannot be arranged by hand. */
export const canArrange = (): boolean =>
  ["folder", "open", "today"].includes(route.value.view) && !route.value.query.has("tag");
