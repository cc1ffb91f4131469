import { shownName } from "../../domain/base/text.ts";
import type { ComponentChildren } from "preact";
import { today } from "../state/screen.ts";
import { dueState, dueWords } from "../words/dates.ts";
import { Icon, type IconName } from "./marks.tsx";

// Fields of a task as small buttons. Each is also its own editor: the browser's lists and calendars do the choosing, on
// a phone too.

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

type ChoiceProps = {
  readonly label: string;
  readonly icon: IconName;
  readonly value: string;
  readonly shown: string;
  readonly set: boolean;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onPick: (value: string) => void;
};

/** A choice of one among a few. */
export const Choice = ({ label, icon, value, shown, set, options, onPick }: ChoiceProps) => (
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
export const PlaceChoice = ({ label, icon, places, at, none, onPick }: PlaceChoiceProps) => {
  const place = places.find(({ id }) => id === at);
  const unnamed = `Unnamed ${label.toLowerCase()}`;
  return (
    <Choice
      label={label}
      icon={icon}
      value={place?.id ?? ""}
      shown={place === undefined ? label : shownName(place.name, unnamed)}
      set={place !== undefined}
      options={[
        ["", none],
        ...places.map(({ id, name }) => [id, shownName(name, unnamed)] as const),
      ]}
      onPick={(next) => onPick(next || null)}
    />
  );
};

type DueChoiceProps = {
  /** `YYYY-MM-DD`. */
  readonly due: string | null;
  readonly onPick: (due: string | null) => void;
};

/** The choice of the day on which a task is due. */
export const DueChoice = ({ due, onPick }: DueChoiceProps) => (
  <Chip
    icon="calendar"
    shown={due === null ? "Due" : dueWords(due, today.value)}
    set={due !== null}
    class={due === null ? "" : `${dueState(due, today.value)} removable`}
  >
    <input
      type="date"
      aria-label="Due date"
      title="Due date"
      value={due ?? ""}
      onClick={(event) => openPicker(event.currentTarget)}
      onChange={(event) => onPick(event.currentTarget.value || null)}
    />
    {due !== null && (
      <button
        type="button"
        class="remove"
        aria-label="Remove the due date"
        onClick={() => onPick(null)}
      >
        <Icon name="x" size={12} />
      </button>
    )}
  </Chip>
);

/** Some browsers allow this only after a press, and some not at all: the field then works as it always does. */
const openPicker = (input: HTMLInputElement): void => {
  try {
    input.showPicker();
  } catch {
    input.focus();
  }
};
