import type { Generator } from "./_load.ts";
import { processorTimeOf } from "./_memory.ts";
import type { Progress } from "./_progress.ts";
import { median, ratio } from "./_stats.ts";
import type { Goal, Line } from "./_report.ts";
import type { Programs } from "./_servers.ts";
import type { Order, Outcome } from "./load.ts";

/** One side of a job: a server and the calls of each round (round 0 warms it up). */
export type Side = {
  readonly name: string;
  /** The server's process. */
  readonly pid: number;
  readonly order: (round: number) => Order;
  readonly status?: number;
};

/** What Docket is compared with, and how near it must come. */
export type Against = { readonly side: Side; readonly what: string; readonly goal: Goal | null };

export type Job = {
  readonly name: string;
  readonly unit: string;
  readonly docket: Side;
  readonly against: readonly Against[];
  /** Returns the number of an outcome that is compared. */
  readonly rate: (outcome: Outcome) => number;
};

export type Bench = {
  readonly programs: Programs;
  readonly generator: Generator;
  readonly progress: Progress;
  readonly rounds: number;
  /** The length of one slice of a round in ms, unless a number of requests ends it. */
  readonly ms: number;
};

/**
 * A round is cut into this many slices, and both sides run each one, so that they find the machine
 * in the same state.
 */
const SLICES = 4;

/** An outcome, and the processor time in ms that the server took for it. */
export type Measured = Outcome & { readonly processor: number };

/**
 * Returns each side's outcomes per round, without the first `warming` rounds. Every side takes part
 * in every round, and they take turns at going first.
 */
export const alternate = async (
  { generator, progress, rounds }: Bench,
  name: string,
  sides: readonly Side[],
  warming = 1,
): Promise<ReadonlyMap<string, readonly Measured[]>> => {
  const outcomes = new Map<string, Measured[]>(sides.map((side) => [side.name, []]));
  const all = rounds + warming;
  for (let round = 0; round < all; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      progress.step(`${name}: round ${round + 1} of ${all}, ${side.name}`, round / all);
      const before = processorTimeOf(side.pid);
      const outcome = await generator.run(side.order(round), side.status);
      const processor = processorTimeOf(side.pid) - before;
      if (round >= warming) outcomes.get(side.name)?.push({ ...outcome, processor });
    }
  }
  return outcomes;
};

/** Measures a job. Returns one line for each comparison. */
export const measure = async (bench: Bench, job: Job): Promise<readonly Line[]> => {
  const sides = [job.docket, ...job.against.map(({ side }) => side)];
  const sliced = { ...bench, rounds: bench.rounds * SLICES };
  const outcomes = await alternate(sliced, job.name, sides, SLICES);
  const of = (side: Side): readonly Measured[] => outcomes.get(side.name) ?? [];
  const ours = of(job.docket).map(job.rate);
  return job.against.map(({ side, what, goal }) => {
    const theirs = of(side).map(job.rate);
    return {
      job: job.name,
      what,
      unit: job.unit,
      docket: median(ours),
      floor: median(theirs),
      ...ratio(ours, theirs),
      goal,
      more: { ...explained("docket", of(job.docket)), ...explained("floor", of(side)) },
    };
  });
};

const explained = (name: string, outcomes: readonly Measured[]) => ({
  [`${name}_p50_ms`]: median(outcomes.map(({ p50 }) => p50)),
  [`${name}_p99_ms`]: median(outcomes.map(({ p99 }) => p99)),
  [`${name}_processor_us`]: median(
    outcomes.map(({ processor, replies }) => (processor / replies) * 1_000),
  ),
  [`${name}_generator_busy`]: median(outcomes.map(({ busy }) => busy)),
});
