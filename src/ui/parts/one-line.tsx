import { useRef } from "preact/hooks";
import { isBlank } from "../../domain/base/text.ts";
import { keyOf } from "../keys/meaning.ts";
import { typedIn } from "../state/typed.ts";
import { TooLong } from "./field-note.tsx";

type OneLineProps = {
  readonly label: string;
  /** What is typed is kept under this name. */
  readonly place?: string;
  readonly placeholder: string;
  /** How many characters it can have. A longer text stays in the field. */
  readonly max?: number;
  /** Saves the text. Returns whether that went well; if not, the field stays. */
  readonly onText: (text: string) => Promise<boolean>;
  readonly onEnd: () => void;
};

/**
 * A field for the name of something new. Enter takes it. What was typed stays in it when it is left, and is there again
 * when Escape or another page has closed it.
 */
export const OneLine = (props: OneLineProps) => {
  const { label, place = label, placeholder, max = Infinity, onText, onEnd } = props;
  const typed = typedIn(place);
  const isSaving = useRef(false);
  const tooLong = typed.value.trim().length - max;
  const take = async (): Promise<void> => {
    const name = typed.value.trim();
    if (isSaving.current || tooLong > 0) return;
    isSaving.current = true;
    const isDone = isBlank(name) || (await onText(name));
    isSaving.current = false;
    if (!isDone) return;
    typed.value = "";
    onEnd();
  };
  return (
    <span class="field-place">
      <input
        class="field"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        value={typed.value}
        ref={focusOn}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onBlur={({ currentTarget }) => {
          if (isBlank(typed.value) && !isWindowLeft(currentTarget)) void take();
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (keyOf(event) === "Escape") onEnd();
          if (keyOf(event) === "Enter") void take();
        }}
      />
      <TooLong by={tooLong}>Shorten it, then press Enter.</TooLong>
    </span>
  );
};

/** Puts the focus into a field that appears. As one function it runs then, and not at each change of the field. */
export const focusOn = (input: HTMLInputElement | null): void => {
  if (!input || input === document.activeElement) return;
  input.focus();
  // Not selected: the next key would replace what was typed before.
  input.setSelectionRange(input.value.length, input.value.length);
};

/**
 * Whether a field that loses the focus loses it with its whole window. Browsers give it back then, so a field that waits
 * for a text stays.
 */
export const isWindowLeft = (field: Element): boolean => field === document.activeElement;
