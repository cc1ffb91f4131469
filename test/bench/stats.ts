/** The middle value, or the mean of the two in the middle; NaN for an empty list. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (
    ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  );
};

/**
 * The smallest value that `share` (0 to 1) of the sorted values do not exceed (nearest rank); NaN
 * for an empty list.
 */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;

export type Ratio = { readonly value: number; readonly low: number; readonly high: number };

/**
 * Compares two sides of alternating rounds. Returns the median of the rounds' ratios, because other
 * load on the machine comes and goes, and the middle half of them, which shows how reliable it is.
 */
export const ratio = (ours: readonly number[], theirs: readonly number[]): Ratio => {
  const each = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  const sorted = each.toSorted((a, b) => a - b);
  return { value: median(each), low: percentile(sorted, 0.25), high: percentile(sorted, 0.75) };
};
