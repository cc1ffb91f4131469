import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { Typed } from "../../client/typed.ts";
import { keyOf } from "../keys/meaning.ts";
import { typedIn } from "../state/typed.ts";
import { TooLong } from "./field-note.tsx";

type OneLineProps = {
  readonly label: string;
  readonly placeholder: string;
  /** What is there to be changed. */
  readonly value?: string;
  /** How many characters it can have. A longer text stays in the field. */
  readonly max?: number;
  /** Saves the text. Returns whether that went well; if not, the field stays. */
  readonly onText: (text: string, typed: Typed) => Promise<boolean>;
  readonly onEnd: () => void;
};

/**
 * A field for a name. Enter takes it. Leaving takes a changed name too; a new one stays in the field. Escape puts back
 * the old name; a new one is there when the field is opened again. While nobody types, it shows what others change.
 */
export const OneLine = (props: OneLineProps) => {
  const { label, placeholder, value = "", max = Infinity, onText, onEnd } = props;
  const first = useRef(value).current;
  const isNew = first === "";
  const kept = typedIn(`${label} ${first}`);
  const typed = useSignal(kept.peek() || null);
  const was = useRef(value);
  const isSaving = useRef(false);
  const text = typed.value ?? value;
  const tooLong = text.trim().length - max;
  const end = (): void => {
    kept.value = "";
    onEnd();
  };
  const take = async (): Promise<void> => {
    const now = text.trim();
    if (isSaving.current || tooLong > 0) return;
    isSaving.current = true;
    const isSame = now === "" || now === value;
    const isDone = isSame || (await onText(now, { was: was.current, now }));
    isSaving.current = false;
    if (isDone) end();
  };
  return (
    <span class="field-place">
      <input
        class="field"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        value={text}
        ref={focusOnce}
        onInput={(event) => {
          if (typed.value === null) was.current = value;
          kept.value = typed.value = event.currentTarget.value;
        }}
        onBlur={() => {
          if (!isNew || text.trim() === "") void take();
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (keyOf(event) === "Escape") (isNew ? onEnd : end)();
          if (keyOf(event) === "Enter") void take();
        }}
      />
      <TooLong by={tooLong}>Shorten it, then press Enter.</TooLong>
    </span>
  );
};

const focusOnce = (input: HTMLInputElement | null): void => {
  if (!input || input === document.activeElement) return;
  input.focus();
  input.select();
};

/** The same without selecting the text. As one function it runs when the field appears, and not at each change of it. */
export const focusOn = (input: HTMLInputElement | null): void => input?.focus();
