import { useRef } from "preact/hooks";
import { keyOf } from "../keys/meaning.ts";

type OneLineProps = {
  readonly label: string;
  readonly placeholder: string;
  /** What is there to be changed. */
  readonly value?: string;
  /** Saves the text. Returns whether that went well; if not, the field stays. */
  readonly onText: (text: string) => Promise<boolean>;
  readonly onEnd: () => void;
};

/** A field for a name: Enter takes it, Escape or leaving does not. */
export const OneLine = ({ label, placeholder, value = "", onText, onEnd }: OneLineProps) => {
  const isSaving = useRef(false);
  const take = async (text: string): Promise<void> => {
    if (isSaving.current) return;
    isSaving.current = true;
    const isDone = text === "" || text === value || (await onText(text));
    isSaving.current = false;
    if (isDone) onEnd();
  };
  return (
    <input
      class="field"
      aria-label={label}
      placeholder={placeholder}
      maxLength={200}
      autocomplete="off"
      defaultValue={value}
      ref={focusOnce}
      onBlur={() => {
        if (!isSaving.current) onEnd();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (keyOf(event) === "Escape") onEnd();
        if (keyOf(event) === "Enter") void take(event.currentTarget.value.trim());
      }}
    />
  );
};

const focusOnce = (input: HTMLInputElement | null): void => {
  if (!input || input === document.activeElement) return;
  input.focus();
  input.select();
};
