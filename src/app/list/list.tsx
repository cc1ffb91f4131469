import { useLayoutEffect } from "preact/hooks";
import type { TaskView } from "../../client/views.ts";
import { rowHeight } from "../state/screen.ts";
import { cursor, cursorMoves } from "../state/selection.ts";
import { TaskRow } from "./row.tsx";
import { VirtualList } from "./virtual.tsx";

/** A list of tasks, arranged and selected by mouse or keyboard. */
export const TaskList = ({
  tasks,
  label,
}: {
  readonly tasks: readonly TaskView[];
  readonly label: string;
}) => {
  const at = tasks.findIndex(({ id }) => id === cursor.value);
  const moves = cursorMoves.value;
  useLayoutEffect(() => {
    // A row that was out of view is drawn only after the list has scrolled.
    if (moves > 0 && !focusCursor()) requestAnimationFrame(focusCursor);
  }, [moves]);
  return (
    <VirtualList
      items={tasks}
      keyOf={({ id }) => id}
      rowHeight={rowHeight.value}
      at={at}
      moves={moves}
      label={label}
      row={(task, index) => <TaskRow task={task} index={index} />}
    />
  );
};

/** Returns whether the row at the cursor was there. */
const focusCursor = (): boolean => {
  const id = cursor.peek();
  if (id === null || document.querySelector("dialog[open]")) return true;
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  row?.focus({ preventScroll: true });
  return row !== null;
};
