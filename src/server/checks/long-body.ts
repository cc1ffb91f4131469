import { startSlices } from "../../domain/base/slices.ts";
import { type Measure, measureJson } from "./measure.ts";

/** Bytes that are measured at once, and that a part has at least. */
const MEASURED = 1024 * 1024;
const PART = 64 * 1024;

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d];

/**
 * Measures a long JSON list without parsing it, and divides it between its values, in slices. Each part is the inside of
 * a list, if the whole is JSON at all. Returns null for the parts if the text is not a list.
 */
export const findParts = async (
  bytes: Uint8Array,
  most: Measure,
): Promise<{ readonly measure: Measure; readonly parts: readonly Uint8Array[] | null }> => {
  const slices = startSlices();
  const begin = startOf(bytes);
  if (bytes[begin] !== OPEN) return { measure: measureJson(bytes, most), parts: null };
  const parts: Uint8Array[] = [];
  let [level, depth, values, start] = [0, 0, 1, begin + 1];
  let [inText, end] = [false, -1];
  for (let at = begin; at < bytes.length && end === -1; at++) {
    if (at % MEASURED === 0 && slices.over()) await slices.rest();
    const byte = bytes[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA) {
      values++;
      if (level !== 1 || at - start < PART) continue;
      parts.push(bytes.subarray(start, at));
      start = at + 1;
    } else if (byte === OPEN || byte === 0x7b) {
      depth = Math.max(depth, ++level);
      values++;
    } else if (byte === CLOSE || byte === 0x7d) {
      level--;
      if (level === 0) end = byte === CLOSE ? at : bytes.length;
    }
    if (depth > most.depth || values > most.values) return { measure: { depth, values }, parts };
  }
  const measure = { depth, values };
  // Anything but spaces after the list, or a list that does not end, is left to the parser to refuse.
  if (end === -1 || end === bytes.length || !isBlank(bytes.subarray(end + 1)))
    return { measure, parts: null };
  const last = bytes.subarray(start, end);
  const all = [...parts, last];
  // Before and after a comma there must be something.
  return { measure, parts: all.length > 1 && all.some(isBlank) ? null : all };
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const isBlank = (bytes: Uint8Array): boolean => bytes.every(isSpace);

/** The place of the first byte after a byte order mark and spaces. */
const startOf = (bytes: Uint8Array): number => {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (isSpace(bytes[at])) at++;
  return at;
};
