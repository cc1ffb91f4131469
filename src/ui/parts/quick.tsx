import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TaskFields } from "../../client/edits.ts";
import { loadPhrases, phrases } from "../state/phrases.ts";
import { today } from "../state/screen.ts";
import { dayWords, dueWords } from "../words/dates.ts";
import { type Quick, readQuick } from "../words/quick.ts";
import { Icon, type IconName } from "./marks.tsx";

/**
 * Understands the day and the tags at the end of what is typed into a field. `refuse` leaves words as they are, and so does
 * Backspace behind them.
 */
export const useQuick = (text: Signal<string>) => {
  const refused = useSignal<readonly string[]>([]);
  const isEmpty = text.value === "";
  useEffect(() => {
    if (isEmpty) refused.value = [];
  }, [isEmpty]);
  const refuse = (words: string): void => void (refused.value = [...refused.value, words]);
  const known = phrases.value;
  const find = known && ((title: string) => known.dayAtEnd(title, today.value, navigator.language));
  const quick = readQuick(text.value, find, refused.value);
  return {
    quick,
    refuse,
    /** For the field. */
    field: {
      onFocus: loadPhrases,
      onBeforeInput: (event: InputEvent): void => {
        const { selectionStart, selectionEnd, value } = event.currentTarget as HTMLInputElement;
        const isBehind = selectionStart === selectionEnd && selectionStart === value.length;
        if (event.inputType !== "deleteContentBackward" || !isBehind || quick.last === null) return;
        if (!value.endsWith(quick.last)) return;
        event.preventDefault();
        refuse(quick.last);
      },
    },
  };
};

/** The fields of a task that were understood. */
export const fieldsOf = ({ due, tags }: Quick): TaskFields => ({
  ...(due && { due: due.day }),
  ...(tags.length > 0 && { tags }),
});

type ChipsProps = {
  readonly of: Quick;
  /** Leaves out the day, where another chip shows it. */
  readonly tagsOnly?: boolean;
  readonly refuse: (words: string) => void;
};

/** What was understood, to be looked at before Enter. A press on it leaves the words as they are. */
export const QuickChips = ({ of: { due, tags }, tagsOnly = false, refuse }: ChipsProps) => (
  <>
    {due !== null && !tagsOnly && (
      <QuickChip
        icon="calendar"
        shown={dueWords(due.day, today.value)}
        title={`Due ${dayWords(due.day, today.value)}`}
        onRefuse={() => refuse(due.words)}
      />
    )}
    {tags.map((tag) => (
      <QuickChip
        key={tag}
        icon="tag"
        shown={tag}
        title={`Tag ${tag}`}
        onRefuse={() => refuse(`#${tag}`)}
      />
    ))}
  </>
);

type QuickChipProps = {
  readonly icon: IconName;
  readonly shown: string;
  readonly title: string;
  readonly onRefuse: () => void;
};

const QuickChip = ({ icon, shown, title, onRefuse }: QuickChipProps) => (
  <span class="chip removable" title={title}>
    <Icon name={icon} size={14} />
    <span>{shown}</span>
    <button
      type="button"
      class="remove"
      aria-label={`${title}: keep it in the title instead`}
      onClick={onRefuse}
    >
      <Icon name="x" size={12} />
    </button>
  </span>
);
