/** Pseudo-random whole numbers below `below`, the same ones for the same seed (mulberry32). */
export const dice = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** Always the same, unless you ask for others: `SEED=7 HISTORIES=100 bun test test/sync`. */
export const seed = setting("SEED", 20_260_304);

/** How many random cases to try: `count` times the value of `HISTORIES`. */
export const times = (count: number): number => Math.ceil(count * setting("HISTORIES", 1));

/** The same for a property: its seed and its number of cases. */
export const cases = (count: number) => ({ seed, numRuns: times(count) });

/**
 * Whether to try this cell of a table whose cells cost seconds: one of `every`, in turn, so that each row and each column
 * is tried. `HISTORIES=3` tries all of those of which one in three is tried otherwise.
 */
export const isTried = (every: number, row: number, column: number): boolean =>
  (row + column + seed) % Math.max(1, Math.round(every / times(1))) === 0;
