import { keyOf } from "../keys/meaning.ts";

type OneLineProps = {
  readonly label: string;
  readonly placeholder: string;
  /** What is there to be changed. */
  readonly value?: string;
  readonly onText: (text: string) => void;
  readonly onEnd: () => void;
};

/** A field for a name: Enter takes it, Escape or leaving does not. */
export const OneLine = ({ label, placeholder, value = "", onText, onEnd }: OneLineProps) => (
  <input
    class="field"
    aria-label={label}
    placeholder={placeholder}
    maxLength={200}
    autocomplete="off"
    defaultValue={value}
    ref={focusOnce}
    onBlur={onEnd}
    onKeyDown={(event) => {
      event.stopPropagation();
      if (keyOf(event) === "Escape") onEnd();
      if (keyOf(event) !== "Enter") return;
      const text = event.currentTarget.value.trim();
      if (text !== "" && text !== value) onText(text);
      onEnd();
    }}
  />
);

const focusOnce = (input: HTMLInputElement | null): void => {
  if (!input || input === document.activeElement) return;
  input.focus();
  input.select();
};
