import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { keyOf } from "../keys/meaning.ts";

type EditableProps = {
  readonly value: string;
  readonly label: string;
  readonly class?: string;
  readonly placeholder?: string;
  readonly max: number;
  /** Whether Enter makes a new line. Without it, Enter saves. */
  readonly lines?: boolean;
  readonly save: (text: string) => void;
};

const PAUSE = 800;

/**
 * Text that is edited where it is read. What is being typed is never replaced by what arrives meanwhile; it is saved
 * after a pause, and when the field is left. Escape puts back what was there.
 */
export const Editable = (props: EditableProps) => {
  const { value, label, class: name = "", placeholder, max, lines = false, save } = props;
  /** What is being typed; null while nobody types. */
  const draft = useSignal<string | null>(null);
  const saved = useRef(value);
  const before = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  const shown = draft.value ?? value;
  const store = (): void => {
    clearTimeout(timer.current);
    const text = draft.peek();
    if (text === null || text === saved.current) return;
    saved.current = text;
    save(text);
  };
  // The newest `store`, for when the field goes away while someone types.
  const latest = useRef(store);
  latest.current = store;
  useEffect(() => () => latest.current(), []);
  useEffect(() => grow(area.current), [shown]);
  return (
    <textarea
      ref={area}
      class={`editable ${name}`}
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      maxLength={max}
      value={shown}
      dir="auto"
      spellcheck={draft.value !== null}
      onFocus={() => {
        saved.current = value;
        before.current = value;
        draft.value = value;
      }}
      onInput={(event) => {
        const text = event.currentTarget.value;
        draft.value = lines ? text : text.replaceAll(/\s*\n\s*/g, " ");
        clearTimeout(timer.current);
        timer.current = setTimeout(store, PAUSE);
      }}
      onBlur={() => {
        store();
        draft.value = null;
      }}
      onKeyDown={(event) => {
        if (keyOf(event) === "Enter" && (!lines || event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          event.currentTarget.blur();
        } else if (keyOf(event) === "Escape") {
          event.stopPropagation();
          draft.value = before.current;
          event.currentTarget.blur();
        }
      }}
    />
  );
};

/** As high as its text, so that nothing scrolls inside. */
const grow = (area: HTMLTextAreaElement | null): void => {
  if (!area) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
};
