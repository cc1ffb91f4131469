import { computed } from "./processor.ts";

/** 16 is linear, 256 quadratic. Between them lies room for a busy machine. */
export const LINEAR = 100;

/**
 * Returns how many times longer work on sixteen times as much takes. `prepare` gets the size and returns the work to time. Both
 * sizes are timed alternately, and the least time of each counts.
 */
export const growth = (size: number, prepare: (size: number) => () => unknown): number => {
  const [small, large] = [prepare(size), prepare(16 * size)];
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  for (let round = 0; round < 7; round += 1) {
    least[0] = Math.min(least[0], timeOf(small));
    least[1] = Math.min(least[1], timeOf(large));
  }
  return least[1] / least[0];
};

const timeOf = (work: () => unknown): number => {
  const before = computed();
  work();
  return computed() - before;
};
