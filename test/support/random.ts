/** How many random cases a property is held against: always the same ones, so that a failure comes again. */
export const cases = (numRuns: number) => ({ seed: 20_260_304, numRuns });

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
