import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import type { Typed } from "../../client/typed.ts";
import { isBlank } from "../../domain/base/text.ts";
import { sayLost } from "../acts/act.ts";
import { keyOf } from "../keys/meaning.ts";
import { typedIn } from "../state/typed.ts";
import { isWindowLeft } from "./one-line.tsx";
import { LostText, TooLong } from "./field-note.tsx";

type EditableProps = {
  /** Names the text, with the id of its record: what is typed is kept under this name until it is saved. */
  readonly place: string;
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
  /** For a field that is there only while someone edits. Called when it was left and has nothing to save. */
  readonly onEnd?: () => void;
};

/**
 * Text that is edited where it is read. While nobody types, it shows what others change, also with the focus in it. What
 * is typed is saved after a pause, when the field or the window is left and after a reload, over what others have written meanwhile
 * (see `mergeText`). Escape puts back what was there.
 */
export const Editable = (props: EditableProps) => {
  const { value, label, class: name = "", placeholder, max, lines = false, locked, onEnd } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const typing = useTyping(props);
  // Under invisible characters, nobody would see the placeholder.
  const shown = typing.draft.value ?? (isBlank(value) ? "" : value);
  useCaret(area, shown, typing.draft.value !== null);
  useEffect(() => grow(area.current), [shown]);
  useLayoutEffect(() => {
    if (!onEnd || typing.draft.value !== null) return;
    area.current?.focus();
    area.current?.select();
  }, []);
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
        onBlur={({ currentTarget }) => {
          if (typing.draft.value !== null || !isWindowLeft(currentTarget)) void typing.leave();
        }}
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

/** What was typed over what was there, as it is kept. */
type Unsaved = Pick<Typed, "now" | "was">;

const useTyping = (props: EditableProps): Typing => {
  const kept = typedIn(props.place);
  const restored = useRef(kept.peek() === "" ? null : (JSON.parse(kept.peek()) as Unsaved)).current;
  const draft = useSignal<string | null>(restored?.now ?? null);
  const lost = useSignal<string | null>(null);
  const before = useRef(restored?.was ?? props.value);
  /** What was there, or was saved last: what is typed now was typed over this. */
  const was = useRef(before.current);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const turn = useRef(Promise.resolve(true));
  const latest = useRef(props);
  latest.current = props;
  const keep = (): void => {
    const now = draft.peek();
    const isSaved = now === null || now === was.current;
    kept.value = isSaved ? "" : JSON.stringify({ was: was.current, now } satisfies Unsaved);
  };
  const restore = (text: string): void => {
    lost.value = null;
    void latest.current.save({ was: latest.current.value, now: text });
  };
  const onLost = (theirs: string): void => {
    if (props.onEnd) sayLost(theirs, () => restore(theirs));
    else lost.value = theirs;
  };
  const store = async (): Promise<boolean> => {
    const { isName = false, save } = latest.current;
    const text = draft.peek() ?? was.current;
    const now = isName ? text.trim() : text;
    if (now === was.current || (isName && isBlank(now))) return true;
    const isSaved = await save({ was: was.current, now, onLost });
    if (isSaved) was.current = now;
    keep();
    return isSaved;
  };
  /** One after the other, since each is made on what the one before it said. */
  const storeInTurn = (): Promise<boolean> => {
    clearTimeout(timer.current);
    turn.current = turn.current.then(store);
    return turn.current;
  };
  /** A phone that is locked may end the page without another word. */
  const storeIfHidden = (): void => {
    const isTyped = draft.peek() !== null && !isBlank(draft.peek() ?? "");
    if (document.visibilityState === "hidden" && isTyped) void storeInTurn();
  };
  const leave = async (): Promise<void> => {
    const text = draft.peek();
    if (!(await storeInTurn()) || draft.peek() !== text) return;
    draft.value = null;
    keep();
    latest.current.onEnd?.();
  };
  useEffect(() => {
    if (restored) void leave();
    document.addEventListener("visibilitychange", storeIfHidden);
    // If the field goes away while someone types, for whatever reason.
    return () => {
      document.removeEventListener("visibilitychange", storeIfHidden);
      void leave();
    };
  }, []);
  return {
    draft,
    lost,
    type: (text) => {
      if (draft.peek() === null) {
        before.current = was.current = latest.current.value;
        lost.value = null;
      }
      draft.value = text;
      keep();
      clearTimeout(timer.current);
      // An empty field may be about to get another text. Saved empty, a note is removed.
      if (!isBlank(text)) timer.current = setTimeout(() => void storeInTurn(), PAUSE);
    },
    takeBack: () => {
      if (draft.peek() !== null) draft.value = before.current;
    },
    leave,
    restore,
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
