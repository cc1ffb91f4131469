import { recordName } from "../../domain/base/record.ts";
import { isInbox, taskName, type TaskView } from "../../client/views.ts";
import { isClosed, statusName } from "../../domain/tasks/task.ts";
import { Icon } from "../parts/icon.tsx";
import { foldersById } from "../state/client.ts";
import { statusIcon } from "../words/statuses.ts";

/** A task that a picker or the palette offers: its name, and what tells it from others of that name. */
export const TaskLine = ({ task }: { readonly task: TaskView }) => {
  const { status, folderId } = task;
  const folder = foldersById.value.get(folderId ?? "");
  return (
    <>
      <Icon name={isInbox(task) ? "inbox" : statusIcon(status)} />
      <span class="name" dir="auto">
        {taskName(task)}
      </span>
      <span class="soft">
        {isClosed(status) ? statusName(status) : folder && recordName("sync_projects", folder.name)}
      </span>
    </>
  );
};
