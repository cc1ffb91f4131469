import { recordName } from "../../domain/base/record.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { notesFact, tabsFact } from "../list/facts.tsx";
import { taskName, type TaskView } from "../../client/views.ts";
import { putInto } from "../acts/order.ts";
import { receiveDrop } from "../acts/receive.ts";
import { shiftTabs } from "../acts/tabs.ts";
import { draggable, dropAt, dropTarget, inLowerHalf, isDragged } from "../list/drag.ts";
import { FolderIcon } from "../parts/marks.tsx";
import { Due } from "../parts/due.tsx";
import { StatusButton } from "../parts/status.tsx";
import type { Column } from "../state/board.ts";
import { foldersById } from "../state/client.ts";
import { route, taskPath } from "../state/route.ts";
import { cursor } from "../state/selection.ts";
import { toggleDone } from "../acts/tasks.ts";

type CardProps = {
  readonly task: TaskView;
  readonly index: number;
  /** The column that the card is in. */
  readonly column: Column;
};

/** A task on the board. */
export const BoardCard = ({ task, index, column }: CardProps) => {
  const { id, due, tabs, notes, folderId } = task;
  const name = taskName(task);
  const folder = folderId === null ? null : foldersById.value.get(folderId);
  const drop = dropAt.value?.endsWith(` ${id}`) ? ` drop-${dropAt.value.split(" ")[0]}` : "";
  return (
    <li
      class={`card${isDragged(id) ? " dragged" : ""}${isClosed(task.status) ? " closed" : ""}${route.value.task === id ? " open" : ""}${drop}`}
      {...draggable(() => ({ kind: "tasks", ids: [id] }), name)}
      {...dropTarget(
        (what, event) => {
          if (what.kind === "tasks") return `${inLowerHalf(event) ? "below" : "above"} ${id}`;
          const isTab = what.kind === "tabs" && what.from !== id;
          return isTab || what.kind === "outside" ? `here ${id}` : null;
        },
        (what, event) => {
          const at = index + (inLowerHalf(event) ? 1 : 0);
          if (what.kind === "tasks") void putInto(column, what.ids, at);
          if (what.kind === "tabs") void shiftTabs(what.from, what.names, id);
          if (what.kind === "outside") receiveDrop(what, id);
        },
      )}
    >
      <div class="card-head">
        <StatusButton status={task.status} title={name} onPress={() => void toggleDone([id])} />
        <a
          class="title"
          href={taskPath(id)}
          data-row={id}
          dir="auto"
          draggable={false}
          onFocus={() => (cursor.value = id)}
        >
          {name}
        </a>
      </div>
      {(folder || due !== null || tabs.length + notes.length > 0) && (
        <div class="facts">
          {folder && (
            <span class="in-folder">
              <FolderIcon colour={folder.colour} size={14} />
              <span>{recordName("sync_projects", folder.name)}</span>
            </span>
          )}
          {tabsFact(task)}
          {notesFact(task)}
          {due !== null && <Due due={due} />}
        </div>
      )}
    </li>
  );
};
