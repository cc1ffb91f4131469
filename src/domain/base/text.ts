/** Text as it may stand in a column: a lone surrogate or NUL, which SQLite cannot hold, is U+FFFD. */
export const columnText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0")
    ? text
    : text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Characters of a field that a list row shows, so that no list grows without bound. */
const SHOWN = 1_000;

/** A field as list rows show it. The payload keeps it whole. */
export const rowText = (text: string): string => columnText(text.slice(0, SHOWN));

/** No control characters and no line separators: it can be printed on one line. */
export const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/** Bytes of `text` in UTF-8. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/**
 * An id as the extension may choose it: 1 to 255 well-formed characters, none of them a control
 * character, and neither `.` nor `..`, which a path segment could not carry.
 */
export const isRecordId = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length >= 1 &&
  value.length <= 255 &&
  value !== "." &&
  value !== ".." &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value);
