import type { ComponentChildren } from "preact";
import { isInbox, taskName, type TaskView } from "../../client/views.ts";
import { MAX_TITLE } from "../../domain/tasks/task.ts";
import { receiveDrop } from "../acts/receive.ts";
import { restoreTasks, retitle, toggleDone } from "../acts/tasks.ts";
import { dropAt, dropTarget } from "../list/drag.ts";
import { Editable } from "../parts/editable.tsx";
import { Icon } from "../parts/marks.tsx";
import { StatusButton } from "../parts/status.tsx";
import { isThrownAway } from "../state/lists.ts";
import { closeTask } from "../state/route.ts";
import { ClaimBanner } from "./claim.tsx";
import { Fields, Foot } from "./fields.tsx";
import { TaskMenu } from "./menu.tsx";
import { LostInTask } from "../views/banner.tsx";
import { Notes } from "./notes.tsx";
import { Tabs } from "./tabs.tsx";

type TaskPanelProps = {
  readonly task: TaskView;
  /** What the person must know first. */
  readonly children: ComponentChildren;
};

/** One task, beside the list or, on a phone, over it. Everything is edited where it is read. */
export const TaskPanel = ({ task, children }: TaskPanelProps) => (
  <aside
    class={`panel${dropAt.value === "panel" ? " drop-here" : ""}`}
    {...dropTarget(
      (what) => (what.kind === "outside" && task.deletedAt === null ? "panel" : null),
      (what) => {
        if (what.kind === "outside") receiveDrop(what, task.id);
      },
    )}
    aria-label={`Task: ${taskName(task)}`}
  >
    <div class="panel-bar">
      <button
        type="button"
        class="icon-button back"
        aria-label="Close the task"
        title="Close ( Esc )"
        onClick={closeTask}
      >
        <Icon name="arrow-left" size={18} />
      </button>
      {task.waits && <span class="soft waits">Not sent yet</span>}
      <span class="spring" />
      <TaskMenu task={task} />
      <button
        type="button"
        class="icon-button close"
        aria-label="Close the task panel"
        title="Close ( Esc )"
        onClick={closeTask}
      >
        <Icon name="x" size={18} />
      </button>
    </div>
    <div class="panel-body scroll">
      {children}
      <ClaimBanner task={task} />
      <LostInTask id={task.id} />
      {task.refused !== null && (
        <p class="banner" role="status">
          <Icon name="triangle-alert" />
          <span>The server refused the last change: {task.refused}</span>
        </p>
      )}
      {isThrownAway(task) && (
        <p class="banner" role="status">
          <Icon name="trash" />
          <span>
            {task.deletedAt === null ? "This task is in the trash." : "This task is deleted."}{" "}
            <button type="button" class="link" onClick={() => void restoreTasks([task.id])}>
              Restore it
            </button>
          </span>
        </p>
      )}
      <div class="panel-title">
        <StatusButton
          status={task.status}
          title={taskName(task)}
          onPress={() => void toggleDone([task.id])}
        />
        {isInbox(task) ? (
          <h2 class="task-title">{taskName(task)}</h2>
        ) : (
          <Editable
            class="task-title"
            place={`title ${task.id}`}
            label="Title"
            value={task.title}
            placeholder="Untitled"
            max={MAX_TITLE}
            locked={task.deletedAt !== null}
            save={(typed) => retitle(task.id, typed)}
          />
        )}
      </div>
      <Fields task={task} />
      <Tabs task={task} />
      <Notes task={task} />
      <Foot task={task} />
    </div>
  </aside>
);
