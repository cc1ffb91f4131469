import { BACKSLASH, endOfText, QUOTE } from "./measure.ts";

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
