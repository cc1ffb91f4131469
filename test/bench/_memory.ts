import { readFileSync } from "node:fs";

export type Memory = {
  /** Bytes that a process has in memory now, and had at its most. */
  readonly now: number;
  readonly most: number;
};

/** As Linux tells it. Throws elsewhere: what cannot be measured is not said to be good. */
export const memoryOf = (pid: number): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
  return { now: kib("VmRSS") * 1024, most: kib("VmHWM") * 1024 };
};

/** Ticks of the system's clock in a second, as Linux counts processor time on all common machines. */
const TICKS = 100;

/** ms of processor time that a process took so far, in all its threads. */
export const processorTimeOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name, in parentheses; the 14th and 15th are what is asked for.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
};
