import { JOBS, type Target } from "./jobs.ts";
import type { Generator } from "./generator.ts";
import { processorTimeOf } from "./memory.ts";
import type { Progress } from "./progress.ts";
import { type Row, shown } from "./report.ts";
import { median, ratio } from "./stats.ts";
import type { Outcome } from "./load.ts";

// Three servers side by side: this build, another one, and the other one once more. How far the other one differs from
// itself is what the machine adds.

export type Bench = {
  readonly generator: Generator;
  readonly progress: Progress;
  readonly rounds: number;
  /** The length of one slice of a round in ms, unless a number of calls ends it. */
  readonly ms: number;
};

export type Sides = Readonly<Record<"again" | "before" | "now", Target>>;

/** A round is cut into slices, and each server runs each one, so that they find the machine in the same state. */
const SLICES = 4;

export const COMPARED: Row = [
  "job",
  "CPU of this build (us)",
  "of the other",
  "ratio",
  "middle half",
  "the other against itself",
  "a second",
  "p50, p99 ms",
];

/** Runs a job on all three. Returns a line of `COMPARED`: the processor time that each takes for one reply. */
export const compare = async (bench: Bench, name: string, sides: Sides): Promise<Row> => {
  const outcomes = await alternate(bench, name, sides);
  const of = (side: keyof Sides): readonly number[] =>
    outcomes[side].map(({ processor, replies }) => (processor / replies) * 1_000);
  const [ours, noise] = [ratio(of("now"), of("before")), ratio(of("again"), of("before"))];
  const own = (what: (outcome: Measured) => number): string =>
    shown(median(outcomes.now.map(what)));
  return [
    JOBS[name]?.what ?? name,
    shown(median(of("now"))),
    shown(median(of("before"))),
    shown(ours.value),
    `${shown(ours.low)} to ${shown(ours.high)}`,
    `${shown(noise.low)} to ${shown(noise.high)}`,
    own(({ replies, ms }) => (replies / ms) * 1_000),
    `${own(({ p50 }) => p50)}, ${own(({ p99 }) => p99)}`,
  ];
};

/** An outcome, and the processor time in ms that the server took for it. */
type Measured = Outcome & { readonly processor: number };

/** Returns each server's outcomes, without those of the first round. They take turns at going first. */
const alternate = async (
  { generator, progress, rounds, ms }: Bench,
  name: string,
  sides: Sides,
): Promise<Readonly<Record<keyof Sides, readonly Measured[]>>> => {
  const job = JOBS[name];
  if (!job) throw new Error(`There is no job ${name}.`);
  const outcomes = { now: [], before: [], again: [] } as Record<keyof Sides, Measured[]>;
  const order = ["now", "before", "again"] as const;
  for (let slice = 0; slice < (rounds + 1) * SLICES; slice += 1)
    for (const side of slice % 2 === 0 ? order : order.toReversed()) {
      progress.step(`${name}: ${side}`, slice / ((rounds + 1) * SLICES));
      const target = sides[side];
      const before = processorTimeOf(target.pid);
      const outcome = await generator.run(job.order(target, slice, ms), job.status);
      const processor = processorTimeOf(target.pid) - before;
      if (slice >= SLICES) outcomes[side].push({ ...outcome, processor });
    }
  return outcomes;
};
