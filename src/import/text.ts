import { onOneLine, shortenedTo } from "../domain/base/text.ts";

/** A text cut to `most` characters, of which the last is an ellipsis. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : shortenedTo(text, most - 1);

/** A text on one line, cut to `most` characters: a title or a name. Empty for what is no text. */
export const oneLine = (text: unknown, most: number): string =>
  typeof text === "string" ? cut(onOneLine(text), most) : "";

/** A note's text: line ends as LF, without NUL and what is blank at its ends. Empty for what is no text. */
export const noteText = (text: unknown): string =>
  typeof text === "string" ? withPlainEnds(text).replaceAll("\0", "").trim() : "";

/** Line ends CRLF, CR and LF CR become LF. */
export const withPlainEnds = (text: string): string => text.replaceAll(/\r\n|\n\r|\r/g, "\n");

/** A text as it is; empty for what is none. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
