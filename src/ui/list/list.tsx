import type { TaskView } from "../../client/views.ts";
import { rowHeight } from "../state/screen.ts";
import { cursor, cursorMoves } from "../state/selection.ts";
import { TaskRow } from "./row.tsx";
import { VirtualList } from "./virtual.tsx";
import { useLayoutEffect, useRef } from "preact/hooks";

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
  useFocusAtCursor();
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
