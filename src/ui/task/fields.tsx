import type { ComponentChildren } from "preact";
import type { TaskView } from "../../client/views.ts";
import { statusName } from "../../domain/tasks/task.ts";
import { showHistory } from "../acts/history.ts";
import { change } from "../acts/tasks.ts";
import { Choice, DueChoice, PlaceChoice } from "../parts/chip.tsx";
import { ownColumns } from "../state/board.ts";
import { folders } from "../state/client.ts";
import { STATUSES, statusIcon } from "../words/statuses.ts";
import { Tags } from "./tags.tsx";
import { isPlainPress } from "../state/route.ts";
import { textField } from "../../domain/base/payload.ts";
import { momentWords } from "../words/dates.ts";
import { historyPath } from "../views/places.ts";

/** The task's fields, each as a small button that is also its own editor. */
export const Fields = ({ task }: { readonly task: TaskView }) => {
  const { id, due } = task;
  return (
    <div class="fields">
      <Property name="Status">
        <Status task={task} />
      </Property>
      <Property name="Folder">
        <Folder task={task} />
      </Property>
      <Property name="Due">
        <DueChoice
          due={due}
          onPick={(day) =>
            void change([id], { due: day }, day === null ? "Due date removed" : "Due date changed")
          }
        />
      </Property>
      {ownColumns.value.length > 0 && (
        <Property name="Column">
          <Column task={task} />
        </Property>
      )}
      <Property name="Tags">
        <Tags task={task} />
      </Property>
    </div>
  );
};

type PropertyProps = { readonly name: string; readonly children: ComponentChildren };

/** The name stands beside the field for the eye. The field says it itself to a screen reader. */
const Property = ({ name, children }: PropertyProps) => (
  <div class="property">
    <span class="property-name" data-name={name} aria-hidden="true" />
    {children}
  </div>
);

const Status = ({ task: { id, status } }: { readonly task: TaskView }) => {
  const options = [...new Set([...STATUSES, status])];
  return (
    <Choice
      label="Status"
      icon={statusIcon(status)}
      value={status}
      shown={statusName(status)}
      set
      options={options.map((one) => [one, statusName(one)])}
      onPick={(next) => void change([id], { status: next }, "Status changed")}
    />
  );
};

const Folder = ({ task: { id, folderId } }: { readonly task: TaskView }) => (
  <PlaceChoice
    label="Folder"
    icon="folder"
    places={folders.value}
    at={folderId}
    none="No folder"
    onPick={(next) => void change([id], { folderId: next }, "Task moved")}
  />
);

/** Only where the board has columns of the person's own. */
const Column = ({ task: { id, bucketId } }: { readonly task: TaskView }) => (
  <PlaceChoice
    label="Column"
    icon="columns-3"
    places={ownColumns.value}
    at={bucketId}
    none="No column"
    onPick={(next) => void change([id], { bucketId: next }, "Task moved")}
  />
);

/** Who made the task, when it last changed, and the way to its history. */
export const Foot = ({ task: { id, madeBy, updatedAt, payload } }: { readonly task: TaskView }) => {
  const made = textField(payload, "created_at");
  return (
    <footer class="panel-foot soft">
      {madeBy.author === "agent" ? `Made by ${madeBy.key ?? "an agent"}` : "Made by you"}
      {made !== null && `, ${momentWords(made, true)}`} · Changed {momentWords(updatedAt, true)} ·{" "}
      <a
        href={historyPath(id)}
        onClick={(event) => {
          if (!isPlainPress(event)) return;
          event.preventDefault();
          showHistory(id);
        }}
      >
        History
      </a>
    </footer>
  );
};
