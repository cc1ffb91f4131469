import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import type { Typed } from "../../client/typed.ts";
import { isBlank } from "../../domain/base/text.ts";
import { keyOf } from "../keys/meaning.ts";
import { LostText, TooLong } from "./field-note.tsx";

type EditableProps = {
  readonly value: string;
  readonly label: string;
  readonly class?: string;
  readonly placeholder?: string;
  /** From this length on, the field says that the text is too long. It is saved all the same. */
  readonly max: number;
  /** Whether Enter makes a new line. Without it, Enter saves. */
  readonly lines?: boolean;
  /** Whether it is a name: saved without blanks around it, and only if there is more than blanks. */
  readonly isName?: boolean;
  /** Whether it can only be read. */
  readonly locked?: boolean;
  /** Saves what was typed. Returns false if that failed: the text then stays in the field. */
  readonly save: (typed: Typed) => Promise<boolean>;
};

/**
 * Text that is edited where it is read. While nobody types, it shows what others change, also with the focus in it. What
 * is typed is saved after a pause and when the field is left, over what others have written meanwhile (see `mergeText`).
 * Escape puts back what was there.
 */
export const Editable = (props: EditableProps) => {
  const { value, label, class: name = "", placeholder, max, lines = false, locked } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const typing = useTyping(props);
  const shown = typing.draft.value ?? value;
  useCaret(area, shown, typing.draft.value !== null);
  useEffect(() => grow(area.current), [shown]);
  return (
    <span class="field-place">
      <textarea
        ref={area}
        class={`editable ${name}`}
        rows={1}
        aria-label={label}
        placeholder={placeholder}
        readOnly={locked === true && typing.draft.value === null}
        value={shown}
        dir="auto"
        spellcheck={typing.draft.value !== null}
        onInput={(event) => {
          const text = event.currentTarget.value;
          typing.type(lines ? text : text.replaceAll(/\s*\n\s*/g, " "));
        }}
        onBlur={() => void typing.leave()}
        onKeyDown={(event) => {
          if (keyOf(event) === "Enter" && (!lines || event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            event.currentTarget.blur();
          } else if (keyOf(event) === "Escape") {
            event.stopPropagation();
            typing.takeBack();
            event.currentTarget.blur();
          }
        }}
      />
      <TooLong by={shown.length - max} />
      <LostText of={typing.lost} restore={typing.restore} />
    </span>
  );
};

const PAUSE = 800;

type Typing = {
  /** What is being typed; null while nobody types. */
  readonly draft: Signal<string | null>;
  /** What others wrote where the same words were typed here; null if nothing was lost. */
  readonly lost: Signal<string | null>;
  readonly type: (text: string) => void;
  /** Puts back what was there before. */
  readonly takeBack: () => void;
  /** Saves what was typed. From then on the field shows the saved text, unless that failed. */
  readonly leave: () => Promise<void>;
  readonly restore: (text: string) => void;
};

const useTyping = (props: EditableProps): Typing => {
  const draft = useSignal<string | null>(null);
  const lost = useSignal<string | null>(null);
  const before = useRef(props.value);
  /** What was there, or was saved last: what is typed now was typed over this. */
  const was = useRef(props.value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const turn = useRef(Promise.resolve(true));
  const latest = useRef(props);
  latest.current = props;
  const store = async (): Promise<boolean> => {
    const { isName = false, save } = latest.current;
    const text = draft.peek() ?? was.current;
    const now = isName ? text.trim() : text;
    if (now === was.current || (isName && isBlank(now))) return true;
    const typed = { was: was.current, now, onLost: (theirs: string) => (lost.value = theirs) };
    const isSaved = await save(typed);
    if (isSaved) was.current = now;
    return isSaved;
  };
  /** One after the other, since each is made on what the one before it said. */
  const storeInTurn = (): Promise<boolean> => {
    clearTimeout(timer.current);
    turn.current = turn.current.then(store);
    return turn.current;
  };
  // If the field goes away while someone types, for whatever reason.
  useEffect(() => () => void storeInTurn(), []);
  return {
    draft,
    lost,
    type: (text) => {
      if (draft.peek() === null) {
        before.current = was.current = latest.current.value;
        lost.value = null;
      }
      draft.value = text;
      clearTimeout(timer.current);
      // An empty field may be about to get another text. Saved empty, a note is removed.
      if (!isBlank(text)) timer.current = setTimeout(() => void storeInTurn(), PAUSE);
    },
    takeBack: () => {
      if (draft.peek() !== null) draft.value = before.current;
    },
    leave: async () => {
      const text = draft.peek();
      if ((await storeInTurn()) && draft.peek() === text) draft.value = null;
    },
    restore: (text) => {
      lost.value = null;
      void latest.current.save({ was: latest.current.value, now: text });
    },
  };
};

/** Keeps the caret where it was in the text when others change that. Browsers put it at the end. */
const useCaret = (
  area: { readonly current: HTMLTextAreaElement | null },
  shown: string,
  isTyping: boolean,
): void => {
  const { value: old = "", selectionStart: caret = 0 } = area.current ?? {};
  useLayoutEffect(() => {
    if (isTyping || !area.current || area.current !== document.activeElement) return;
    const isBefore = shown.startsWith(old.slice(0, caret));
    const at = isBefore ? caret : Math.max(0, shown.length - (old.length - caret));
    area.current.setSelectionRange(at, at);
  }, [shown]);
};

/** As high as its text, so that nothing scrolls inside. */
const grow = (area: HTMLTextAreaElement | null): void => {
  if (!area) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
};
