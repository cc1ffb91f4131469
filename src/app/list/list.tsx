import type { TaskView } from "../../client/views.ts";
import { rowHeight } from "../state/screen.ts";
import { cursor, cursorMoves } from "../state/selection.ts";
import { useFocusAtCursor } from "./focus.ts";
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
