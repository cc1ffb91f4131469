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
    if (moves > 0) requestAnimationFrame(focusCursor);
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

const focusCursor = (): void => {
  const id = cursor.peek();
  if (id === null || document.querySelector("dialog[open]")) return;
  document
    .querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
    ?.focus({ preventScroll: true });
};
