import type { Generator } from "./_load.ts";
import { processorTimeOf } from "./_memory.ts";
import type { Progress } from "./_progress.ts";
import { median, ratio } from "./_stats.ts";
import type { Goal, Line } from "./_report.ts";
import type { Programs } from "./_servers.ts";
import type { Order, Outcome } from "./load.ts";

/** One side of a job: a server, and what it is asked in each round (round 0 warms it up). */
export type Side = {
  readonly name: string;
  /** The server's process. */
  readonly pid: number;
  readonly order: (round: number) => Order;
  readonly status?: number;
};

/** What Docket is held against, and how near it must come. */
export type Against = { readonly side: Side; readonly what: string; readonly goal: Goal | null };

export type Job = {
  readonly name: string;
  readonly unit: string;
  readonly docket: Side;
  readonly against: readonly Against[];
  /** What of an outcome is compared. */
  readonly rate: (outcome: Outcome) => number;
};

export type Bench = {
  readonly programs: Programs;
  readonly generator: Generator;
  readonly progress: Progress;
  readonly rounds: number;
  /** ms of one slice of a round, where it is not a number of requests that makes one. */
  readonly ms: number;
};

/** A round of a race is cut into so many slices, each of which both sides run: they then meet the same machine. */
const SLICES = 4;

/** An outcome, and the ms of processor time that the server took for it. */
export type Measured = Outcome & { readonly processor: number };

/** Each side's outcomes, round by round but for the first ones (`warming`): all sides in every round, in turns first and last. */
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

/** Measures a job, one line for each thing that it is held against. */
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
