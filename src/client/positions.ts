import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";

/** Returns a position between two others, for `position`; null is the start or the end of the list. */
export const between = (before: string | null, after: string | null): string =>
  generateKeyBetween(before, after);

/** Returns several, in their order. */
export const severalBetween = (
  before: string | null,
  after: string | null,
  count: number,
): readonly string[] => generateNKeysBetween(before, after, count);
