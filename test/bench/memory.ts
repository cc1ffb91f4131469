import { readFileSync } from "node:fs";

export type Memory = {
  /** The memory of a process in bytes, now and at its peak. */
  readonly now: number;
  readonly most: number;
};

/**
 * Reads it from Linux. Throws elsewhere: a number that cannot be measured must not pass as good.
 */
export const memoryOf = (pid: number): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
  return { now: kib("VmRSS") * 1024, most: kib("VmHWM") * 1024 };
};

/** Clock ticks per second in which Linux counts processor time on all common machines. */
const TICKS = 100;

/** The processor time in ms that a process has taken so far, in all its threads. */
export const processorTimeOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses; the 14th and 15th are user and system
  // time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
};
