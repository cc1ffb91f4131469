import { startSlices } from "../../domain/base/slices.ts";
import type { Measure } from "./measure.ts";

/** Bytes that are scanned at once, that a part has at least, and that a record may have. */
const SCANNED = 256 * 1024;
const PART = 64 * 1024;
/** A payload of 1 MiB has fewer, also with every letter beyond ASCII as an escape. */
const LONGEST_RECORD = 4 * 1024 * 1024;
/**
 * A task of 1 MiB with thousands of tabs has fewer. A record is parsed and compared at once: with 300,000 fields, it took
 * 130 ms to refuse it, and with 100,000 as long to compare it with another. 340,000 empty objects took 70 ms.
 */
const MOST_FIELDS = 25_000;
const MOST_VALUES = 250_000;

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN, CLOSE] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d];

/** A record that is too long to be parsed: how its text begins. */
export type TooLong = { readonly head: Uint8Array };

/** Bytes of a record that have room for its table and id, which usually come first. */
const HEAD = 4096;

/** What a long body is divided into. */
export type Parts = {
  readonly measure: Measure;
  /** How many values the list has. */
  readonly records: number;
  /** Each is the inside of a list, if the whole is JSON at all, or stands for a record that is too long to be parsed. */
  readonly parts: readonly (TooLong | Uint8Array)[];
  /** `broken`: it begins as a list, and is no JSON. `other`: it is no list. */
  readonly kind: "broken" | "list" | "other";
};

/**
 * Measures a long JSON list without parsing it, and divides it between its values, in slices. Stops as soon as it
 * exceeds one of the limits in `most`.
 */
export const findParts = async (bytes: Uint8Array, most: Measure): Promise<Parts> => {
  const slices = startSlices();
  const scan: Scan = { ...BEGINNING, at: hasMark(bytes) ? 3 : 0, parts: [] };
  while (scan.at < bytes.length && scan.place !== "other" && scan.place !== "broken") {
    scanSome(scan, bytes);
    if (scan.depth > most.depth || scan.values > most.values) break;
    if (slices.over()) await slices.rest();
  }
  const { depth, values, place, records, parts } = scan;
  const kind = place === "after" ? "list" : place === "inside" ? "broken" : place;
  return { measure: { depth, values }, records, parts, kind: kind === "before" ? "other" : kind };
};

/** How far the scan has come. `start` is where the present part begins, `record` where the present record does. */
type Scan = {
  at: number;
  /** Before, inside or after the list. */
  place: "after" | "before" | "broken" | "inside" | "other";
  isInText: boolean;
  level: number;
  depth: number;
  values: number;
  start: number;
  records: number;
  record: number;
  valuesBefore: number;
  /** The fields of all objects in the present record. */
  fields: number;
  /** Whether the present record has nothing but spaces so far. */
  isBlank: boolean;
  readonly parts: (TooLong | Uint8Array)[];
};

const BEGINNING: Omit<Scan, "at" | "parts"> = {
  place: "before",
  isInText: false,
  level: 0,
  depth: 0,
  values: 1,
  start: 0,
  records: 0,
  record: 0,
  valuesBefore: 0,
  fields: 0,
  isBlank: true,
};

/** Goes on for some bytes. A function of its own, without `await`, because that runs four times as fast. */
const scanSome = (scan: Scan, bytes: Uint8Array): void => {
  const until = Math.min(scan.at + SCANNED, bytes.length);
  let { at, isInText, level, depth, values, fields, isBlank } = scan;
  for (; at < until; at++) {
    const byte = bytes[at] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInText = false;
      continue;
    }
    if (isSpace(byte)) continue;
    if (level === 0) {
      scan.place = scan.place === "after" ? "broken" : byte === OPEN ? "inside" : "other";
      if (scan.place !== "inside") return;
      scan.start = scan.record = at + 1;
      scan.valuesBefore = values;
      level = depth = 1;
      values++;
    } else if (byte === COMMA) {
      values++;
      if (level > 1) continue;
      // Before a comma there must be something.
      if (isBlank) return void (scan.place = "broken");
      endRecord(scan, bytes, { at, values, fields });
      fields = 0;
      isBlank = true;
    } else if (byte === COLON) {
      fields++;
      isBlank = false;
    } else if (byte === OPEN || byte === 0x7b) {
      depth = Math.max(depth, ++level);
      values++;
      isBlank = false;
    } else if (byte === CLOSE || byte === 0x7d) {
      if (--level > 0) continue;
      if (byte !== CLOSE || (isBlank && scan.records > 0)) return void (scan.place = "broken");
      endRecord(scan, bytes, { at, values, fields, isLast: true });
      scan.place = "after";
    } else {
      isInText = byte === QUOTE;
      isBlank = false;
    }
  }
  Object.assign(scan, { at, isInText, level, depth, values, fields, isBlank });
};

type End = Pick<Scan, "at" | "fields" | "values"> & { readonly isLast?: boolean };

/** A record ends at the comma or bracket at `at`. A part ends with it if it is long enough. */
const endRecord = (scan: Scan, bytes: Uint8Array, end: End): void => {
  const { at, values, fields, isLast = false } = end;
  const isTooLong =
    at - scan.record > LONGEST_RECORD ||
    values - scan.valuesBefore > MOST_VALUES ||
    fields > MOST_FIELDS;
  const until = isTooLong ? scan.record - 1 : at;
  if (isTooLong || isLast || at - scan.start >= PART) {
    if (until >= scan.start) scan.parts.push(bytes.subarray(scan.start, until));
    if (isTooLong) scan.parts.push({ head: bytes.subarray(scan.record, scan.record + HEAD) });
    scan.start = at + 1;
  }
  scan.records += 1;
  scan.record = at + 1;
  scan.valuesBefore = values;
};

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether the text begins with a byte order mark. */
const hasMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
