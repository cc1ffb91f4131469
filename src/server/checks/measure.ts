/** How a JSON text is built: counted, not parsed. */
export type Measure = {
  /** Levels that it nests. */
  readonly depth: number;
  /** Values, roughly: brackets and commas, behind each of which one stands. */
  readonly values: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Measures JSON in UTF-8 in one pass, without building anything. Stops once one of `most` is passed;
 * the other is then only known up to there. A text that is not JSON gives numbers that mean nothing.
 */
export const measureJson = (bytes: Uint8Array, most: Measure): Measure => {
  let level = 0;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length && depth <= most.depth && values <= most.values; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (opens(byte)) {
      depth = Math.max(depth, ++level);
      values++;
    } else if (closes(byte)) level--;
  }
  return { depth, values };
};

/** Where the quote stands that ends the text whose first character is at `start`. */
const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

/** `[` and `{`. */
const opens = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
/** `]` and `}`. */
const closes = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
