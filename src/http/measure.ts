/** How deep a JSON text nests, and how many items its outermost array has: counted, not parsed. */
export type Measure = { readonly depth: number; readonly items: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Measures JSON in UTF-8 in one pass, without building anything. Stops once `most` is passed, so the
 * numbers are then only known to be larger. A text that is not JSON gives numbers that mean nothing.
 */
export const measureJson = (bytes: Uint8Array, most: Measure): Measure => {
  let level = 0;
  let depth = 0;
  let commas = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length && depth <= most.depth && commas < most.items; at++) {
    const byte = bytes[at] ?? 0;
    if (quoted) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (opens(byte)) depth = Math.max(depth, ++level);
    else if (closes(byte)) level--;
    else if (byte === COMMA && level === 1) commas++;
  }
  return { depth, items: commas + 1 };
};

/** `[` and `{`. */
const opens = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
/** `]` and `}`. */
const closes = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
