import { BACKSLASH, endOfText, QUOTE } from "./measure.ts";

/**
 * Finds texts that are made to slow the server down. JavaScriptCore keeps names and the keys of maps in tables by a hash
 * without a secret: of texts that share it, each one more takes longer than the one before. 24,000 such names in one
 * body of 1 MiB take 2.5 seconds to parse, 24,000 others 30 ms.
 */
export type Collisions = {
  /** Looks through JSON, or a part of it. Returns whether too many of all texts so far share a hash. */
  readonly find: (bytes: Uint8Array) => boolean;
};

/** In bytes. Of longer texts, a body holds too few to do harm. */
const LONGEST = 256;
/** One text in so many is looked at. Nobody can foresee which. Must be a power of two. To look at all takes twice as long. */
const ONE_IN = 8;
/** The tables look at the last bits of a hash first. */
const BUCKETS = 1024;
/** Of those looked at, how many may share these bits: a few, and many times as many as share them by chance. */
const FEW = 16;
const SHARE = 128;

export const startCollisions = (): Collisions => {
  const secret = crypto.getRandomValues(new Int32Array(3));
  const [start, factor] = [secret[0] ?? 0, (secret[1] ?? 0) | 1];
  // Numbers that nobody can foresee stand for the texts here, so that this table has no collisions.
  const seen = new Set<number>();
  const buckets = new Int32Array(BUCKETS);

  /** Whether a text is one too many in its bucket. The same text again does not count. */
  const isOneTooMany = (own: number, text: Uint8Array, isPlain: boolean): boolean => {
    if (seen.has(own)) return false;
    seen.add(own);
    const bucket = Number(engineHash(text, isPlain) & BigInt(BUCKETS - 1));
    const count = (buckets[bucket] ?? 0) + 1;
    buckets[bucket] = count;
    return count > FEW + seen.size / SHARE;
  };

  let random = (secret[2] ?? 0) | 1;
  /** A step of xorshift32: the choice has to be quick, and its seed secret. */
  const isChosen = (): boolean => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random & (ONE_IN - 1)) === 0;
  };

  /** Looks at the text that begins at `first`. Returns whether it is one too many, and where it ends. */
  const look = (
    bytes: Uint8Array,
    first: number,
  ): { readonly found: boolean; readonly end: number } => {
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
    const isShort = at - first <= LONGEST;
    const text = bytes.subarray(first, at);
    return { found: isShort && isOneTooMany(own, text, isPlain && bits < 0x80), end: at };
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
        if (found) return true;
        at = end;
      }
      return false;
    },
  };
};

/**
 * The hash of a text in JSON as JavaScriptCore computes it: rapidhash, of one byte for each character if that is enough.
 * `isPlain`: the text is ASCII without escapes.
 */
const engineHash = (json: Uint8Array, isPlain: boolean): bigint => {
  if (isPlain) return Bun.hash.rapidhash(json);
  const text = textOf(json);
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
