/** Replaces lone surrogates and NUL, which SQLite cannot store in a column, with U+FFFD. */
export const columnText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0")
    ? text
    : text.toWellFormed().replaceAll("\0", "\uFFFD");

/** How many characters of a field a list row shows, so that lists stay bounded. */
const SHOWN = 1_000;

/** A field cut to the length that list rows show. The payload keeps all of it. */
export const rowText = (text: string): string => columnText(text.slice(0, SHOWN));

/** Whether the text has no control characters or line separators, and so fits on one line. */
export const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/**
 * Whether the text shows nothing on a screen: it is empty, or all white space, control characters,
 * invisible format characters (zero-width, bidi controls, byte order mark), fillers or blank symbols.
 */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]*$/u.test(text);

/** The order of texts by their UTF-16 units: below 0, 0 or above 0. */
export const compareTexts = (a: string, b: string): number => (a === b ? 0 : a > b ? 1 : -1);

/** The length of `text` in UTF-8 bytes. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

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
