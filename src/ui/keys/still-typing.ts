/** In ms. For so long after a text field closed, letters are no commands: someone may not have seen it close. */
const QUIET = 1_000;

/** In ms. Between two keys of someone who types. */
const STROKE = 300;

/** The field into which something was typed last. One in which nobody typed may close without a pause. */
let field: EventTarget | null = null;

// Times of events, in ms. A field that is taken away while it has the focus reports nothing in some browsers, but a
// key in it came first.
let leftAt = Number.NEGATIVE_INFINITY;
let keyAt = Number.NEGATIVE_INFINITY;
/** Between the last key and the one before it. */
let pause = Number.POSITIVE_INFINITY;
let isMove = false;

export const noteKey = ({ key, target, timeStamp }: KeyboardEvent): void => {
  pause = timeStamp - keyAt;
  keyAt = timeStamp;
  isMove = MOVES.has(key);
  if (target === field) noteLeft(timeStamp);
};

/** Keys with which people go from a field to what is below it, on purpose. */
const MOVES: ReadonlySet<string> = new Set(["ArrowDown", "Tab"]);

const noteLeft = (at: number): void => {
  leftAt = isMove ? Number.NEGATIVE_INFINITY : at;
};

export const watchFields = (): void => {
  document.addEventListener("input", ({ target }) => {
    if (isTyping(target) && !(target instanceof HTMLSelectElement)) field = target;
  });
  document.addEventListener("focusout", ({ target, timeStamp }) => {
    if (target === field) noteLeft(timeStamp);
  });
};

/**
 * Returns whether a shortcut of one key may be text instead, meant for a field that has just closed. `n` opens a field
 * and harms nothing: it waits only until the hands do.
 */
export const isStillTyping = (shortcut: string, { timeStamp }: KeyboardEvent): boolean =>
  (shortcut.length === 1 || shortcut === "Delete") &&
  timeStamp - leftAt < QUIET &&
  (shortcut !== "n" || pause < STROKE);

/** In fields, letters are letters. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(textarea|select)$/i.test(target.tagName) ||
    (target instanceof HTMLInputElement && target.type !== "checkbox"));
