/** Replaces lone surrogates and NUL, which SQLite cannot store in a column, with U+FFFD. */
export const columnText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0")
    ? text
    : text.toWellFormed().replaceAll("\0", "\uFFFD");

/** How many characters of a field a list row shows, so that lists stay bounded. */
const SHOWN = 1_000;

/** A field cut to the length that list rows show. The payload keeps all of it. */
export const rowText = (text: string): string => columnText(cutText(text, SHOWN));

/**
 * Returns the beginning of a text: at most `most` UTF-16 units, which is what all limits count, and only whole
 * characters as people see them. No emoji, flag or accented letter is cut in half.
 */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, characterStart(text, most));

/** The same, with an ellipsis if something was cut. */
export const shortenedTo = (text: string, most: number): string =>
  text.length <= most ? text : `${cutText(text, most)}…`;

/** Returns where the character begins that is at a place of a text: that place, or one before it. */
export const characterStart = (text: string, at: number): number => {
  const from = startBefore(text, Math.max(0, at - NEAR));
  const near = CHARACTERS.segment(text.slice(from, at + NEAR));
  const start = from + (near.containing(at - from)?.index ?? 0);
  // So many marks on one letter are no language's. Only the halves of a surrogate pair stay together then.
  if (start >= at - NEAR) return start;
  return isPairAt(text, at - 1) ? at - 1 : at;
};

const CHARACTERS = new Intl.Segmenter("und", { granularity: "grapheme" });

/** How many units around a cut are looked at. The longest emoji has 35. */
const NEAR = 64;

/** Returns the last place up to `at` at which surely one character ends and another begins. */
const startBefore = (text: string, at: number): number => {
  let start = at;
  while (start > 0 && !(isPlainAt(text, start - 1) && isPlainAt(text, start))) start -= 1;
  return start;
};

/** Whether there is a letter or sign of Latin-1 or the like, which no mark and no part of an emoji is. */
const isPlainAt = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0x20 && unit < 0x300;
};

const isPairAt = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;

/** Returns a text on one line: white space and control characters become one space each, and none at its ends. */
export const onOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

/** Whether the text has no control characters or line separators, and so fits on one line. */
export const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/**
 * Whether the text shows nothing on a screen: it is empty, or all white space, control characters,
 * invisible format characters (zero-width, bidi controls, byte order mark), fillers or blank symbols.
 */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]*$/u.test(text);

/** Whether a value is a text that shows something. Titles, names and tags must. */
export const isSeen = (value: unknown): value is string =>
  typeof value === "string" && !isBlank(value);

/** A title or name as it is shown. Blanks alone would leave nothing to read or press. */
export const shownName = (name: string, unnamed = "Untitled"): string =>
  isBlank(name) ? unnamed : name;

/** The order of texts by their UTF-16 units: below 0, 0 or above 0. */
export const compareTexts = (a: string, b: string): number => (a === b ? 0 : a > b ? 1 : -1);

/** The length of `text` in UTF-8 bytes. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/** The same in browsers too, which have no `Buffer`. */
export const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Whether a value is an id that the extension may choose: 1 to 255 well-formed characters without
 * control characters, and neither `.` nor `..`, which cannot be a path segment.
 */
export const isRecordId = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length >= 1 &&
  value.length <= 255 &&
  value !== "." &&
  value !== ".." &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value);

/** Characters that could control a terminal or begin a line: control and format characters, and line separators. */
export const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Returns JSON text in which every such character is an escape, so that it may be printed. Of equal content. */
export const printableJson = (value: unknown): string =>
  (JSON.stringify(value) ?? "null").replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16).padStart(4, "0");
      return `\\u${unit}`;
    }).join(""),
  );

/** A text as a shell takes it for one word. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
