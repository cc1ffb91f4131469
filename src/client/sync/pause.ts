const FIRST = 1_000;
const LONGEST = 5 * 60_000;

/**
 * Returns how many milliseconds to wait after that many failures in a row: twice as long each time, and between half
 * of that and all of it, so that many devices do not come back at the same moment. Never less than `atLeast`.
 */
export const pauseAfter = (failures: number, atLeast: number, random: () => number): number => {
  const full = Math.min(LONGEST, FIRST * 2 ** Math.min(failures - 1, 20));
  return Math.max(atLeast, Math.round(full * (0.5 + random() / 2)));
};
