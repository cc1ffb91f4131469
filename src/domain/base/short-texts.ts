/**
 * In characters. JavaScriptCore keeps each different name, and each text that is no longer than this, in one table for as
 * long as it is in memory. Everyone waits while that table grows or is cleared: 70 ms at a million of them, 600 at eight.
 * Unused ones are cleared when the memory is, which the engine may do late.
 */
export const SHORT_TEXT = 16;

/** In characters. A shorter text has too few texts to do harm. */
const LONG = 16 * 1024;
/** How many parts of a text are looked at, and how long each is, in characters. */
const PARTS = 8;
const PART = 512;

/**
 * Estimates how many different names and short texts there are in JSON: 0 if it is not long. Nobody can foresee which parts
 * are looked at. What is in two of them is taken to be everywhere, as names are.
 */
export const countShortTexts = (json: string): number => {
  if (json.length <= LONG) return 0;
  const once = new Set<string>();
  const often = new Set<string>();
  const between = json.length / PARTS;
  for (let part = 0; part < PARTS; part++) {
    const start = Math.floor(part * between + Math.random() * (between - PART));
    for (const text of textsIn(json.slice(start, start + PART)))
      (once.delete(text) || often.has(text) ? often : once).add(text);
  }
  return often.size + Math.round((once.size * json.length) / (PARTS * PART));
};

/** What is between two quotes: a part may begin within a text, so what is between two texts is among these. */
const textsIn = (part: string): ReadonlySet<string> =>
  new Set([...part.matchAll(BETWEEN_QUOTES)].map(([, text = ""]) => text));

const BETWEEN_QUOTES = new RegExp(`"(?=([^"\\\\]{1,${SHORT_TEXT}})")`, "g");

/** How many may have been parsed since the memory was last cleared: that takes 15 to 20 ms, with these in it. */
const MOST = 60_000;
let parsed = 0;

/** Call this before `count` different names and short texts are parsed, of which few were in memory before. */
export const makeRoom = (count: number): void => {
  if (parsed + count > MOST) {
    Bun.gc(true);
    parsed = 0;
  }
  parsed += count;
};
