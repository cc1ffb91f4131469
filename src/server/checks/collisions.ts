import { SHORT_TEXT } from "../../domain/base/short-texts.ts";
import { BACKSLASH, endOfText, QUOTE } from "./measure.ts";

/**
 * Finds texts that would slow the server down. JavaScriptCore keeps names, texts of up to 16 characters and the keys of
 * maps in tables by a hash without a secret. Of texts that share it, each one more takes longer than the one before: 24,000
 * such names in one body of 1 MiB take 2.5 seconds to parse, 24,000 others 30 ms. Names and short texts are all in one
 * table, which holds everyone up when it has to grow (base/short-texts.ts).
 */
export type Collisions = {
  /** Looks through JSON, or a part of it. Says what there is too much of in all texts so far; null if nothing. */
  readonly find: (bytes: Uint8Array) => Excess | null;
  /** About how many different names and short texts there are in all so far. */
  readonly different: () => number;
};

/** Texts that share a hash, or different names and short texts. */
type Excess = "different" | "shared";

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
 * How many different names and short texts there may be, if each is there once. Of those that are there often, more are
 * looked at: then 4,096 are enough. Times and UUIDs are longer, and a task of thousands of tabs has few different names.
 */
const MOST_DIFFERENT = 32_768;

export const startCollisions = (): Collisions => {
  const secret = crypto.getRandomValues(new Int32Array(3));
  const [start, factor] = [secret[0] ?? 0, (secret[1] ?? 0) | 1];
  // Numbers that nobody can foresee stand for the texts here, so that this table has no collisions.
  const seen = new Set<number>();
  const buckets = new Int32Array(BUCKETS);
  let different = 0;

  /** Says whether a text is one too many. The same text again does not count. */
  const count = (own: number, { json, isPlain, isName }: Text): Excess | null => {
    if (seen.has(own)) return null;
    seen.add(own);
    const text = isPlain ? null : textOf(json);
    if (isName || (text ?? json).length <= SHORT_TEXT) different++;
    if (different > MOST_DIFFERENT / ONE_IN) return "different";
    const bucket = Number(engineHash(text ?? json) & BigInt(BUCKETS - 1));
    const shared = (buckets[bucket] ?? 0) + 1;
    buckets[bucket] = shared;
    return shared > FEW + seen.size / SHARE ? "shared" : null;
  };

  let random = (secret[2] ?? 0) | 1;
  /** A step of xorshift32: the choice has to be quick, and its seed secret. */
  const isChosen = (): boolean => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random & (ONE_IN - 1)) === 0;
  };

  /** Looks at the text that begins at `first`. Says whether it is one too many, and where it ends. */
  const look = (
    bytes: Uint8Array,
    first: number,
  ): { readonly found: Excess | null; readonly end: number } => {
    let [at, own, bits, isPlain] = [first, start, 0, true];
    for (; at < bytes.length && bytes[at] !== QUOTE; at++) {
      const byte = bytes[at] ?? 0;
      own = Math.imul(own ^ byte, factor);
      bits |= byte;
      if (byte !== BACKSLASH) continue;
      // What follows is part of the text, also a quote.
      own = Math.imul(own ^ (bytes[++at] ?? 0), factor);
      isPlain = false;
    }
    if (at - first > LONGEST) return { found: null, end: at };
    const text = {
      json: bytes.subarray(first, at),
      isPlain: isPlain && bits < 0x80,
      isName: hasColon(bytes, at + 1),
    };
    return { found: count(own, text), end: at };
  };

  return {
    find: (bytes) => {
      for (let at = 0; at < bytes.length; at++) {
        if (bytes[at] !== QUOTE) continue;
        if (!isChosen()) {
          at = endOfText(bytes, at + 1);
          continue;
        }
        const { found, end } = look(bytes, at + 1);
        if (found) return found;
        at = end;
      }
      return null;
    },
    different: () => different * ONE_IN,
  };
};

/** A text as it is in JSON. `isPlain`: it is ASCII without escapes. */
type Text = { readonly json: Uint8Array; readonly isPlain: boolean; readonly isName: boolean };

/** Whether a colon is next, as after a name. */
const hasColon = (bytes: Uint8Array, start: number): boolean => {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return bytes[at] === 0x3a;
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

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
