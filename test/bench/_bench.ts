import { join } from "node:path";
import { checkReplies } from "./_check.ts";
import { measureFiles } from "./_files.ts";
import { type Grown, measureGrowth } from "./_growth.ts";
import { indexed } from "./_indexed.ts";
import { JOBS, ownerOf } from "./_jobs.ts";
import { startGenerator } from "./_load.ts";
import { type Bench, measure } from "./_measure.ts";
import type { Progress } from "./_progress.ts";
import { measurePull, measurePullMemory } from "./_pull.ts";
import type { Line } from "./_report.ts";
import { measureRest } from "./_rest.ts";
import { checkRows } from "./_rows.ts";
import { type Plan, seed } from "./_seed.ts";
import {
  copyOf,
  dropCopies,
  type Programs,
  startDocket,
  startFloor,
  startStack,
} from "./_servers.ts";

export type Options = {
  /** The jobs to run, by name; null for all. */
  readonly only: readonly string[] | null;
  readonly rounds: number;
  readonly ms: number;
  readonly progress: Progress;
  readonly programs: Programs;
  /** Where the data are: the seeds, which are kept, and the copies that the servers work on. */
  readonly folder: string;
  readonly desk: Plan;
};

/** Ann's tasks are read and filed, carol's are pulled, dora's device pushes. */
export const DESK: Plan = {
  ann: { tasks: 10_000, size: "large" },
  carol: { tasks: 50_000, size: "large" },
  dora: { tasks: 20_000, size: "large" },
};

/** Jobs that do not race two servers over the same requests. */
const OTHERS = ["pull", "growth", "rest", "files"];

type Wanted = (name: string) => boolean;

/**
 * Creates the data, starts the servers, and runs the jobs one after the other. Throws for an
 * unknown job.
 */
export const runBench = async (options: Options): Promise<readonly Line[]> => {
  const { only, folder } = options;
  const names = [...Object.keys(JOBS), ...OTHERS];
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no job ${unknown}, but ${names.join(", ")}.`);
  const wanted: Wanted = (name) => only === null || only.includes(name);
  const generator = startGenerator();
  const run = { ...options, generator };
  try {
    return [
      ...(names.some((name) => name !== "growth" && wanted(name)) ? await desk(run, wanted) : []),
      ...(wanted("growth") ? await growth(run) : []),
    ];
  } finally {
    generator.stop();
    dropCopies(folder);
  }
};

type Run = Bench & Options;

const desk = async (run: Run, wanted: Wanted): Promise<readonly Line[]> => {
  const { programs, folder } = run;
  const data = await seed(join(folder, "seeds"), "desk", run.desk, run.progress);
  const [ours, theirs] = [copyOf(folder, data.directory, "a"), copyOf(folder, data.directory, "b")];
  const lines: Line[] = [];
  const [docket, floor] = [await startDocket(programs, ours), await startFloor(programs, theirs)];
  const stack = await startStack(programs, theirs);
  const pids = { docket: docket.pid, floor: floor.pid, stack: stack.pid };
  const urls = { docket: docket.url, floor: floor.url, stack: stack.url };
  const pair = { ...urls, pids, seed: data };
  try {
    await checkReplies(pair);
    checkRows(ours, theirs);
    for (const [name, job] of Object.entries(JOBS))
      if (wanted(name)) lines.push(...(await measure(run, job(run, pair))));
    if (wanted("pull")) lines.push(...(await measurePull(run, pair)));
  } finally {
    await Promise.all([docket.stop(), floor.stop(), stack.stop()]);
  }
  if (wanted("pull")) lines.push(...(await measurePullMemory(run, ours, pair)));
  if (wanted("rest")) lines.push(...(await rest(run, ours)));
  if (wanted("files")) {
    const fresh = copyOf(folder, data.directory, "files");
    lines.push(...(await measureFiles(run, fresh, data)));
  }
  return lines;
};

const rest = async (run: Run, full: string): Promise<readonly Line[]> => {
  const plan: Plan = { ann: { tasks: 100, size: "large" } };
  const { directory } = await seed(join(run.folder, "seeds"), "little", plan, run.progress);
  return measureRest(run, copyOf(run.folder, directory, "little"), full);
};

const growth = async (bench: Run): Promise<readonly Line[]> => {
  const [few, many] = [await grown(bench, "few", 10_000), await grown(bench, "many", 1_000_000)];
  const lines = await measureGrowth(bench, few.grown, many.grown);
  await Promise.all([few.stop(), many.stop()]);
  return lines;
};

/** A server with an account of `tasks` tasks. */
const grown = async ({ programs, folder, progress }: Run, name: string, tasks: number) => {
  const data = await seed(join(folder, "seeds"), name, { eve: { tasks, size: "small" } }, progress);
  const server = await startDocket(programs, copyOf(folder, data.directory, name));
  const found: Grown = { url: server.url, name: "eve", owner: ownerOf(data, "eve") };
  await indexed(found);
  return { grown: found, stop: () => server.stop() };
};
