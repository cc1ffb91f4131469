import { type Bench, compare, COMPARED, type Sides } from "./compared.ts";
import { measureFiles } from "./files.ts";
import { type Grown, GROWN, indexed, measureGrowth } from "./growth.ts";
import { JOBS } from "./jobs.ts";
import { startGenerator } from "./generator.ts";
import { machine } from "./machine.ts";
import { measurePostgres, ON_POSTGRES } from "./postgres.ts";
import type { Progress } from "./progress.ts";
import { table } from "./report.ts";
import { measureRest, RESTED } from "./rest.ts";
import { copyOf, dropCopies, ownerOf, type Plan, type Seed, seed } from "./seed.ts";
import { startDocket } from "./servers.ts";

/** Ann's tasks are read and filed, carol's are pulled, dora's device pushes. A key has at most 100,000 calls an hour. */
export const DESK: Plan = {
  ann: { tasks: 10_000, size: "large", keys: 24 },
  carol: { tasks: 50_000, size: "large" },
  dora: { tasks: 20_000, size: "large" },
};

export type Options = {
  readonly now: readonly string[];
  readonly before: readonly string[];
  /** What to measure, by name; null for all. */
  readonly only: readonly string[] | null;
  readonly rounds: number;
  readonly ms: number;
  readonly progress: Progress;
  /** Where the data are: the seeds, which are kept, and the copies that the servers work on. */
  readonly folder: string;
  readonly desk?: Plan;
};

type Run = Bench & Options;

/** What is measured only if it is named, since a machine may lack what it needs. */
const NAMED = ["postgres"];

/** What is not a job that clients repeat. */
const OTHERS: Readonly<Record<string, (run: Run, desk: Seed) => Promise<string>>> = {
  rest: async (run, desk) => {
    const [now, before] = [copyOf(run.folder, desk, "now"), copyOf(run.folder, desk, "before")];
    const rows = await measureRest(
      run,
      { program: run.now, seed: now },
      { program: run.before, seed: before },
    );
    return table(RESTED, rows);
  },
  postgres: async (run, desk) =>
    table(ON_POSTGRES, await measurePostgres(run, run.now, run.folder, desk)),
  files: async (run, desk) =>
    (await measureFiles(run.now, copyOf(run.folder, desk, "files"))).join("\n"),
  growth: async (run) => {
    const [few, many] = [await grown(run, "few", 10_000), await grown(run, "many", 1_000_000)];
    const rows = await measureGrowth(run, few.grown, many.grown);
    await Promise.all([few.stop(), many.stop()]);
    return table(GROWN, rows);
  },
};

/** Makes the data, runs what is wanted, and returns tables of it. Throws for an unknown name. */
export const runBench = async (options: Options): Promise<string> => {
  const { only, folder, progress } = options;
  const names = [...Object.keys(JOBS), ...Object.keys(OTHERS)];
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no job ${unknown}, but ${names.join(", ")}.`);
  const isWanted = (name: string): boolean => only?.includes(name) ?? !NAMED.includes(name);
  const run: Run = { ...options, generator: startGenerator() };
  const on = machine(new Date());
  const parts = [`${on.cpu}, ${on.cores} cores, ${on.system}, Bun ${on.bun}`];
  try {
    const desk = await seed(options.before, folder, "desk", options.desk ?? DESK, progress);
    const jobs = Object.keys(JOBS).filter(isWanted);
    if (jobs.length > 0) parts.push(await compareAll(run, desk, jobs));
    for (const [name, measure] of Object.entries(OTHERS))
      if (isWanted(name)) parts.push(await measure(run, desk));
  } finally {
    run.generator.stop();
    dropCopies(folder);
  }
  return `${parts.join("\n\n")}\n`;
};

const compareAll = async (run: Run, desk: Seed, jobs: readonly string[]): Promise<string> => {
  const start = async (program: readonly string[], name: string) => {
    const copy = copyOf(run.folder, desk, name);
    return { ...(await startDocket(program, copy.directory)), seed: copy };
  };
  const now = await start(run.now, "now");
  const before = await start(run.before, "before");
  const again = await start(run.before, "again");
  const sides: Sides = { now, before, again };
  const rows = [];
  try {
    for (const name of jobs) rows.push(await compare(run, name, sides));
  } finally {
    await Promise.all([now, before, again].map((server) => server.stop()));
  }
  return table(COMPARED, rows);
};

/** A server with an account of `tasks` tasks. */
const grown = async ({ now, folder, progress }: Run, name: string, tasks: number) => {
  const data = await seed(now, folder, name, { eve: { tasks, size: "small" } }, progress);
  const server = await startDocket(now, copyOf(folder, data, name).directory);
  const found: Grown = { url: server.url, name: "eve", owner: ownerOf(data, "eve") };
  await indexed(found);
  return { grown: found, stop: () => server.stop() };
};
