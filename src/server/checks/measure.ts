/** The size of a JSON text, counted without parsing it. */
export type Measure = {
  /** How many levels deep it is nested. */
  readonly depth: number;
  /** About how many values it has: the opening brackets and commas, plus one. */
  readonly values: number;
};

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Measures JSON in UTF-8 in one pass, without building anything. Stops as soon as it exceeds one of the limits in
 * `most`; the other number is then too low. For text that is not JSON, the numbers mean nothing.
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

/** Returns the position of the closing quote of the string whose first character is at `start`. */
export const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

/** `[` and `{`. */
const opens = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
/** `]` and `}`. */
const closes = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
