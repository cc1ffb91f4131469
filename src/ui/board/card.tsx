import { recordName } from "../../domain/base/record.ts";
import type { TaskFields } from "../../client/edits.ts";
import { taskName, type TaskView } from "../../client/views.ts";
import { arrange } from "../acts/order.ts";
import { receiveDrop } from "../acts/receive.ts";
import { shiftTabs } from "../acts/tabs.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "../list/drag.ts";
import { FolderIcon, Icon } from "../parts/marks.tsx";
import { Due } from "../parts/due.tsx";
import { StatusButton } from "../parts/status.tsx";
import { foldersById } from "../state/client.ts";
import { route, taskPath } from "../state/route.ts";
import { cursor } from "../state/selection.ts";
import { toggleDone } from "../acts/tasks.ts";

type CardProps = {
  readonly task: TaskView;
  readonly index: number;
  /** The column that the card is in, and what puts a task there. */
  readonly list: readonly TaskView[];
  readonly fields: TaskFields;
};

/** A task on the board. */
export const BoardCard = ({ task, index, list, fields }: CardProps) => {
  const { id, due, tabs, notes, folderId } = task;
  const name = taskName(task);
  const folder = folderId === null ? null : foldersById.value.get(folderId);
  const drop = dropAt.value?.endsWith(` ${id}`) ? ` drop-${dropAt.value.split(" ")[0]}` : "";
  return (
    <li
      class={`card${route.value.task === id ? " open" : ""}${drop}`}
      {...draggable(() => ({ kind: "tasks", ids: [id] }), name)}
      {...dropTarget(
        (what, event) => {
          if (what.kind === "tasks") return `${inLowerHalf(event) ? "below" : "above"} ${id}`;
          const isTab = what.kind === "tabs" && what.from !== id;
          return isTab || what.kind === "outside" ? `here ${id}` : null;
        },
        (what, event) => {
          const at = index + (inLowerHalf(event) ? 1 : 0);
          if (what.kind === "tasks") void arrange(list, what.ids, at, fields, "Task moved");
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
          {tabs.length > 0 && (
            <span class="fact">
              <Icon name="layers" size={14} />
              {tabs.length}
            </span>
          )}
          {notes.length > 0 && (
            <span class="fact">
              <Icon name="sticky-note" size={14} />
              {notes.length}
            </span>
          )}
          {due !== null && <Due due={due} />}
        </div>
      )}
    </li>
  );
};
