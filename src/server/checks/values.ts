import { trashRefusal } from "../../domain/tasks/content.ts";
import { childrenOf } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { Refusal } from "../../domain/base/refusal.ts";

/** The size of a JSON text, counted without parsing it. */
export type Measure = {
  /** How many levels deep it is nested. */
  readonly depth: number;
  /** About how many values it has: the opening brackets and commas, plus one. */
  readonly values: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
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
const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

/** `[` and `{`. */
const opens = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
/** `]` and `}`. */
const closes = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

/** In bytes. Of longer texts, a body holds too few to do harm. */
const LONGEST = 256;
/** One text in so many is looked at. Nobody can foresee which. Must be a power of two. To look at all takes twice as long. */
const ONE_IN = 8;
/** The tables look at the last bits of a hash first. */
const BUCKETS = 1024;
/** Of those looked at, how many may share these bits: a few, and many times as many as share them by chance. */
const FEW = 16;
const SHARE = 128;

/**
 * Whether JSON has many texts that share a hash. JavaScriptCore keeps names and the keys of maps in tables by a hash
 * without a secret, so each such text takes longer than the one before: 10,000 such names take 0.3 s to parse, and
 * 440,000, as a push can have, more than ten minutes.
 */
export const hasCollisions = (bytes: Uint8Array): boolean => {
  const secret = crypto.getRandomValues(new Int32Array(3));
  const [start, factor] = [secret[0] ?? 0, (secret[1] ?? 0) | 1];
  // Numbers that nobody can foresee stand for the texts here, so that this table has no collisions.
  const seen = new Set<number>();
  const buckets = new Int32Array(BUCKETS);

  /** Says whether a text is one too many. The same text again does not count. */
  const isOneTooMany = (own: number, json: Uint8Array, isPlain: boolean): boolean => {
    if (seen.has(own)) return false;
    seen.add(own);
    const bucket = Number(engineHash(isPlain ? json : textOf(json)) & BigInt(BUCKETS - 1));
    const shared = (buckets[bucket] ?? 0) + 1;
    buckets[bucket] = shared;
    return shared > FEW + seen.size / SHARE;
  };

  let random = (secret[2] ?? 0) | 1;
  /** A step of xorshift32: the choice has to be quick, and its seed secret. */
  const isChosen = (): boolean => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random & (ONE_IN - 1)) === 0;
  };

  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== QUOTE) continue;
    const first = at + 1;
    if (!isChosen()) {
      at = endOfText(bytes, first);
      continue;
    }
    let [own, bits, isPlain] = [start, 0, true];
    for (at = first; at < bytes.length && bytes[at] !== QUOTE; at++) {
      const byte = bytes[at] ?? 0;
      own = Math.imul(own ^ byte, factor);
      bits |= byte;
      if (byte !== BACKSLASH) continue;
      // What follows is part of the text, also a quote.
      own = Math.imul(own ^ (bytes[++at] ?? 0), factor);
      isPlain = false;
    }
    const isShort = at - first <= LONGEST;
    if (isShort && isOneTooMany(own, bytes.subarray(first, at), isPlain && bits < 0x80))
      return true;
  }
  return false;
};

/** The hash of a text as JavaScriptCore computes it: rapidhash, of one byte for each character if that is enough. */
const engineHash = (text: Uint8Array | string): bigint => {
  if (typeof text !== "string") return Bun.hash.rapidhash(text);
  const isNarrow = !/[^\0-\xff]/.test(text);
  return Bun.hash.rapidhash(Buffer.from(text, isNarrow ? "latin1" : "utf16le"));
};

const textOf = (json: Uint8Array): string => {
  const written = new TextDecoder().decode(json);
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    // Not JSON: the parser refuses it.
    return written;
  }
};

/**
 * Checks a parsed REST body, at every depth. Refuses text with lone surrogates or NUL and numbers too large for a
 * double (400), and `deleted_at` with any value (403 for an API key, 422 for a session). Sync checks each record
 * instead.
 */
export const checkRestBody = (value: unknown, byKey: boolean): void => {
  if (typeof value === "string") return checkText(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new Refusal(
      "malformed",
      say`${{ phrase: "The body contains" }} a number that is too large.`,
    );
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "deleted_at")) throw trashRefusal("deleted_at", byKey);
  if (!Array.isArray(value)) Object.keys(value).forEach(checkText);
  for (const child of childrenOf(value)) checkRestBody(child, byKey);
};

const checkText = (text: string): void => {
  if (!text.isWellFormed())
    throw new Refusal(
      "malformed",
      say`${{ phrase: "The body contains" }} text that is cut off in the middle of a character (a lone surrogate).`,
    );
  if (text.includes("\0"))
    throw new Refusal("malformed", say`${{ phrase: "The body contains" }} a NUL character.`);
};
