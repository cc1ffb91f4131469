import { noteKey } from "./still-typing.ts";

// What a key means is decided here, for the app and the extension. Nothing else of theirs reads `event.key`, which a
// test holds.

/**
 * Watches every key before a field or a shortcut gets it. A key that belongs to an input method, such as the Enter that
 * confirms a Japanese word, reaches neither, and neither sends a form nor closes a dialog. A held Enter counts once.
 */
export const watchMeaning = (): void =>
  document.addEventListener(
    "keydown",
    (event) => {
      noteLayout(event);
      noteKey(event);
      if (!isOfInputMethod(event) && !isHeldEnter(event)) return;
      event.stopImmediatePropagation();
      if (ACTS.has(event.key)) event.preventDefault();
    },
    { capture: true },
  );

/** Safari ends the composition before it reports the key that confirmed it: the number is all that tells it apart. */
const isOfInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;

/** In a text of several lines, Enter is a new line. */
const isHeldEnter = ({ key, repeat, target }: KeyboardEvent): boolean =>
  key === "Enter" && repeat && !(target instanceof HTMLTextAreaElement);

/** What the browser itself does something with. Letters are left alone: phones report them as an input method's. */
const ACTS: ReadonlySet<string> = new Set(["Enter", "Escape", "Tab"]);

/**
 * Lets letters go to a field, whatever else has the focus. A space presses what has it. Returns what ends this.
 */
export const typeIntoField = (selector: string): (() => void) => {
  const listen = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
    const isText = target instanceof HTMLInputElement && !/^(checkbox|radio)$/.test(target.type);
    if (isText || key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return;
    document.querySelector<HTMLElement>(selector)?.focus();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
};

/** Returns what a key is called or types: what fields and menus ask. */
export const keyOf = ({ key }: KeyboardEvent): string => key;

/**
 * Returns the shortcut that a key stands for. A letter is in lower case, also while Caps Lock is on. Where the keyboard
 * has no Latin letters, it is what the key has on a keyboard of the United States: `л` is `k`.
 */
export const shortcutOf = (event: KeyboardEvent): string => {
  const { key, code } = event;
  const isKnown = !OTHER_SCRIPT.test(key);
  const place = isKnown && (hasLatin || code.startsWith("Key")) ? null : atPlace(event);
  // Letters of full width are Latin too.
  const shortcut = place ?? (isKnown ? key.normalize("NFKC") : key);
  return shortcut.length === 1 ? shortcut.toLowerCase() : shortcut;
};

/** Whether the letter that was typed last was Latin. Signs such as `.` do not say which keyboard they are of. */
let hasLatin = true;

const noteLayout = ({ key }: KeyboardEvent): void => {
  if (OTHER_SCRIPT.test(key)) hasLatin = false;
  else if (/^\p{Script=Latin}$/u.test(key)) hasLatin = true;
};

/** Letters and signs that no Latin keyboard has: not `é`, `£`, `€` or a dash, but `л`, `№` and `؟`. */
const OTHER_SCRIPT = /[^\p{ASCII}\p{Script=Latin}\u0080-\u036f\u2000-\u20cf]/u;

/** What the shortcuts in use are printed on, by the place of the key. */
const atPlace = ({ code, shiftKey }: KeyboardEvent): string | null => {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  if (code === "Slash") return shiftKey ? "?" : "/";
  return code === "Digit3" && shiftKey ? "#" : null;
};
