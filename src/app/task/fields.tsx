import type { ComponentChildren } from "preact";
import type { TaskView } from "../../client/views.ts";
import { statusName } from "../../domain/tasks/status.ts";
import { change } from "../acts/tasks.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { ownColumns } from "../state/board.ts";
import { folders } from "../state/client.ts";
import { today } from "../state/today.ts";
import { dueState, dueWords } from "../words/dates.ts";
import { statusIcon, STATUSES } from "../words/statuses.ts";
import { Tags } from "./tags.tsx";

/** The task's fields, each as a small button that is also its own editor. */
export const Fields = ({ task }: { readonly task: TaskView }) => (
  <div class="fields">
    <Status task={task} />
    <Folder task={task} />
    <DueField task={task} />
    <Column task={task} />
    <Tags task={task} />
  </div>
);

type ChoiceProps = {
  readonly label: string;
  readonly icon: IconName;
  readonly value: string;
  readonly shown: string;
  readonly set: boolean;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onPick: (value: string) => void;
};

/** A choice that looks like a chip. The browser's own list does the choosing, on a phone too. */
const Choice = ({ label, icon, value, shown, set, options, onPick }: ChoiceProps) => (
  <Chip icon={icon} shown={shown} set={set}>
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  </Chip>
);

type ChipProps = {
  readonly icon: IconName;
  readonly shown: string;
  readonly set: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
};

const Chip = ({ icon, shown, set, class: name = "", children }: ChipProps) => (
  <span class={`chip${set ? "" : " unset"} ${name}`}>
    <Icon name={icon} size={14} />
    <span aria-hidden="true">{shown}</span>
    {children}
  </span>
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
const Column = ({ task: { id, bucketId } }: { readonly task: TaskView }) =>
  ownColumns.value.length === 0 ? null : (
    <PlaceChoice
      label="Column"
      icon="columns-3"
      places={ownColumns.value}
      at={bucketId}
      none="No column"
      onPick={(next) => void change([id], { bucketId: next }, "Task moved")}
    />
  );

type PlaceChoiceProps = {
  readonly label: string;
  readonly icon: IconName;
  readonly places: readonly { readonly id: string; readonly name: string }[];
  /** The id of the place that the task is in. One that is not among `places` counts as none. */
  readonly at: string | null;
  /** What it is called to be in none of them. */
  readonly none: string;
  readonly onPick: (id: string | null) => void;
};

/** The choice of the folder or column that a task is in. */
const PlaceChoice = ({ label, icon, places, at, none, onPick }: PlaceChoiceProps) => {
  const place = places.find(({ id }) => id === at);
  const unnamed = `Unnamed ${label.toLowerCase()}`;
  return (
    <Choice
      label={label}
      icon={icon}
      value={place?.id ?? ""}
      shown={place === undefined ? label : place.name || unnamed}
      set={place !== undefined}
      options={[["", none], ...places.map(({ id, name }) => [id, name || unnamed] as const)]}
      onPick={(next) => onPick(next || null)}
    />
  );
};

const DueField = ({ task: { id, due } }: { readonly task: TaskView }) => {
  const urgency = due === null ? "" : dueState(due, today.value);
  return (
    <span class="due-field">
      <Chip
        icon="calendar"
        shown={due === null ? "Due" : dueWords(due, today.value)}
        set={due !== null}
        class={urgency}
      >
        <input
          type="date"
          aria-label="Due date"
          title="Due date"
          value={due ?? ""}
          onClick={(event) => openPicker(event.currentTarget)}
          onChange={(event) =>
            void change([id], { due: event.currentTarget.value || null }, "Due date changed")
          }
        />
      </Chip>
      {due !== null && (
        <button
          type="button"
          class="icon-button small"
          aria-label="Remove the due date"
          onClick={() => void change([id], { due: null }, "Due date removed")}
        >
          <Icon name="x" size={12} />
        </button>
      )}
    </span>
  );
};

/** Some browsers allow this only after a press, and some not at all: the field then works as it always does. */
const openPicker = (input: HTMLInputElement): void => {
  try {
    input.showPicker();
  } catch {
    input.focus();
  }
};
