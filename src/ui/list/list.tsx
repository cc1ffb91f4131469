import { taskName, type TaskView } from "../../client/views.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { Icon } from "../parts/marks.tsx";
import { tasks as allTasks } from "../state/client.ts";
import { rowHeight, today } from "../state/screen.ts";
import { cursor, cursorMoves } from "../state/selection.ts";
import { TaskRow } from "./row.tsx";
import { VirtualList } from "./virtual.tsx";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";

type TaskListProps = {
  readonly tasks: readonly TaskView[];
  readonly label: string;
  /** The index of the first of them in the view's list, where they are only a part of it. */
  readonly from?: number;
  /** What stands above the tasks that have it in common, such as a day. They must be next to each other. */
  readonly headingOf?: (task: TaskView) => string;
};

/** A list of tasks, arranged and selected by mouse or keyboard. */
export const TaskList = ({ tasks, label, from = 0, headingOf }: TaskListProps) => {
  // Headings name days, and are others after midnight.
  const lines = useMemo(() => linesOf(tasks, headingOf), [tasks, headingOf, today.value]);
  const at = lines.findIndex(({ task }) => task !== null && task.id === cursor.value);
  const moves = cursorMoves.value;
  useFocusAtCursor();
  return (
    <VirtualList
      items={lines}
      keyOf={({ task, heading }) => task?.id ?? `heading ${heading}`}
      placeOf={({ task, index }) => (task === null ? null : index)}
      count={tasks.length}
      rowHeight={rowHeight.value}
      at={at}
      moves={moves}
      label={label}
      ghost={({ task }) => task && <Leaving was={task} />}
      row={({ task, index, heading }) =>
        task === null ? (
          <h2 class="list-heading">{heading}</h2>
        ) : (
          <TaskRow task={task} index={from + index} />
        )
      }
    />
  );
};

/** A task that has just left the list because it is done or deleted. Another list, or another search, leaves nothing. */
const Leaving = ({ was }: { readonly was: TaskView }) => {
  const now = allTasks.peek().get(was.id);
  const isDone = now !== undefined && isClosed(now.status) && !isClosed(was.status);
  if (now !== undefined && !isDone) return null;
  return (
    <div class={`ghost-row${isDone ? " done" : ""}`}>
      <Icon name={isDone ? "circle-check" : "circle"} size={18} /> {taskName(was)}
    </div>
  );
};

/** A task with its index, or the heading in front of some. */
type Line =
  | { readonly task: TaskView; readonly index: number; readonly heading: null }
  | { readonly task: null; readonly index: number; readonly heading: string };

const linesOf = (
  tasks: readonly TaskView[],
  headingOf: TaskListProps["headingOf"],
): readonly Line[] => {
  if (headingOf === undefined) return tasks.map((task, index) => ({ task, index, heading: null }));
  let last: string | null = null;
  return tasks.flatMap((task, index): readonly Line[] => {
    const line = { task, index, heading: null };
    const heading = headingOf(task);
    if (heading === last) return [line];
    last = heading;
    return [{ task: null, index, heading }, line];
  });
};

/**
 * Moves the focus to the row or card at the cursor, each time that the keyboard moved the cursor. A list that appears
 * leaves it where it is: someone may be typing what is searched for.
 */
export const useFocusAtCursor = (): void => {
  const moves = cursorMoves.value;
  const seen = useRef(moves);
  useLayoutEffect(() => {
    if (moves === seen.current) return;
    seen.current = moves;
    // A row that was out of view is drawn only after the list has scrolled.
    if (!focusCursor()) requestAnimationFrame(focusCursor);
  }, [moves]);
};

/** Returns whether the row at the cursor was there. */
const focusCursor = (): boolean => {
  const id = cursor.peek();
  if (id === null || document.querySelector("dialog[open]")) return true;
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  row?.focus({ preventScroll: row.closest(".rows") !== null });
  return row !== null;
};
