import { statSync } from "node:fs";
import { join } from "node:path";
import { type Running, serve } from "../support/program.ts";
import type { Bench } from "./_measure.ts";
import { memoryOf } from "./_memory.ts";
import type { Line } from "./_report.ts";
import { startDocket, startStack } from "./_servers.ts";
import { median, ratio } from "./_stats.ts";

/** Starts per program: many if each one is short. */
const STARTS = 15;
const FULL_STARTS = 3;
const IDLE = 2_000;
const MIB = 1024 * 1024;

type Program = { readonly start: () => Promise<Running>; readonly path: string };

/**
 * Measures starting and idling with little data, compared with a compiled server that does nothing and with the same
 * stack, and starting with much data, `full`, after a clean stop.
 */
export const measureRest = async (
  bench: Bench,
  small: string,
  full: string,
): Promise<readonly Line[]> => {
  const docket = { start: () => startDocket(bench.programs, small), path: "/healthz" };
  const large = { start: () => startDocket(bench.programs, full), path: "/healthz" };
  const bare = { start: () => serve(bench.programs.bare, []), path: "/" };
  // Docket and the floor run one after the other or together; the stack only reads.
  const stack = { start: () => startStack(bench.programs, small), path: "/healthz" };
  const bytes = statSync(join(full, "docket.db")).size;
  const grown = `start with ${Math.round(bytes / 1e6)} MB of data`;
  return [
    await starts(bench, docket, bare, STARTS),
    sameStack(await starts(bench, docket, stack, STARTS), 1.3),
    await memories(bench, docket, bare),
    sameStack(await memories(bench, docket, stack), 1.15),
    sameStack({ ...(await starts(bench, large, stack, FULL_STARTS)), what: grown }, 1.3),
  ];
};

const sameStack = (line: Line, most: number): Line => ({
  ...line,
  what: `${line.what}, against the same stack`,
  goal: { at: "most", value: most },
});

const starts = async (
  { progress, rounds }: Bench,
  docket: Program,
  other: Program,
  most: number,
): Promise<Line> => {
  const count = Math.min(most, rounds * 3);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round <= count; round += 1) {
    progress.step(`start: round ${round} of ${count}`, round / count);
    const [one, another] = [await startTime(docket), await startTime(other)];
    // The first starts fill the system's caches.
    if (round === 0) continue;
    ours.push(one);
    theirs.push(another);
  }
  return lineOf("start until the first answer", "ms", ours, theirs);
};

/** The time in ms from the start of the process to its first reply. */
const startTime = async ({ start, path }: Program): Promise<number> => {
  const at = performance.now();
  const server = await start();
  await (await fetch(server.url + path)).text();
  const took = performance.now() - at;
  await server.stop();
  return took;
};

const memories = async (
  { progress, rounds }: Bench,
  docket: Program,
  other: Program,
): Promise<Line> => {
  const count = Math.min(rounds, 3);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < count; round += 1) {
    progress.step(`memory at rest: round ${round + 1} of ${count}`, round / count);
    const [one, another] = await Promise.all([resting(docket), resting(other)]);
    ours.push(one);
    theirs.push(another);
  }
  return lineOf("memory at rest", "MiB", ours, theirs);
};

/** The memory in MiB of a server that has answered once and is idle. */
const resting = async ({ start, path }: Program): Promise<number> => {
  const server = await start();
  await (await fetch(server.url + path)).text();
  await Bun.sleep(IDLE);
  const { now } = memoryOf(server.pid);
  await server.stop();
  return now / MIB;
};

const lineOf = (
  what: string,
  unit: string,
  ours: readonly number[],
  theirs: readonly number[],
): Line => ({
  job: "rest",
  what,
  unit,
  docket: median(ours),
  floor: median(theirs),
  ...ratio(ours, theirs),
  goal: null,
  more: {},
});
