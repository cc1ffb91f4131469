import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../support/program.ts";
import { changesOf } from "./_data.ts";
import { JOBS } from "./_jobs.ts";
import { alternate, type Bench, type Job, type Measured, type Side } from "./_measure.ts";
import { shown } from "./_report.ts";
import type { Owner, Plan, Seed } from "./_seed.ts";
import { copyOf, dropCopies, type Programs, startDocket } from "./_servers.ts";
import { median, type Ratio, ratio } from "./_stats.ts";

// Three servers side by side: this build, an older one, and the older one once more. The difference of the
// older one from itself is the machine's noise.

/**
 * Processor time per reply: this build compared with the older one, and the older one compared with itself.
 */
export type Beside = {
  readonly what: string;
  readonly ours: Ratio;
  readonly noise: Ratio;
  /** Processor time per reply in us, median. */
  readonly docket: number;
  readonly before: number;
};

/** Slices of a round. All three servers run each slice, one after the other. */
const SLICES = 4;

/**
 * The same data as the bench's desk, made by the older build: a newer build can read them, but not the
 * reverse.
 */
const PLAN: Plan = {
  ann: { tasks: 10_000, size: "large" },
  dora: { tasks: 20_000, size: "large" },
};

export const measureBeside = async (
  bench: Bench & { readonly folder: string; readonly only: readonly string[] | null },
  before: readonly string[],
): Promise<readonly Beside[]> => {
  const older: Programs = { ...bench.programs, docket: before };
  const seed = await seedBy(bench, older);
  const copy = (name: string): string => copyOf(bench.folder, seed.directory, name);
  const servers = {
    docket: await startDocket(bench.programs, copy("docket")),
    before: await startDocket(older, copy("before")),
    again: await startDocket(older, copy("again")),
  };
  const sideOf = (job: (typeof JOBS)[string], name: keyof typeof servers): [Job, Side] => {
    const { url, pid } = servers[name];
    const pids = { docket: pid, floor: pid, stack: pid };
    const made = job(bench, { docket: url, floor: url, stack: url, pids, seed });
    return [made, { ...made.docket, name }];
  };
  try {
    const lines: Beside[] = [];
    for (const [name, job] of Object.entries(JOBS)) {
      if (bench.only !== null && !bench.only.includes(name)) continue;
      const [made, docket] = sideOf(job, "docket");
      const sides = [docket, sideOf(job, "before")[1], sideOf(job, "again")[1]];
      const rounds = { ...bench, rounds: bench.rounds * SLICES };
      const outcomes = await alternate(rounds, name, sides, SLICES);
      lines.push({ what: made.against[0]?.what ?? name, ...compared(outcomes) });
    }
    return lines;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    dropCopies(bench.folder);
  }
};

const compared = (outcomes: ReadonlyMap<string, readonly Measured[]>) => {
  const of = (name: string): readonly number[] =>
    (outcomes.get(name) ?? []).map(({ processor, replies }) => (processor / replies) * 1_000);
  const [docket, before, again] = [of("docket"), of("before"), of("again")];
  return {
    ours: ratio(docket, before),
    noise: ratio(again, before),
    docket: median(docket),
    before: median(before),
  };
};

const seedBy = async (
  { folder, progress }: Bench & { readonly folder: string },
  programs: Programs,
): Promise<Seed> => {
  const directory = join(folder, "beside");
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const docket = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(programs.docket, [...words, "--data", directory]);
    if (code !== 0) throw new Error(`docket ${words.join(" ")} failed: ${err}`);
    return out.trim();
  };
  const owners: Record<string, Owner> = {};
  for (const [name, { tasks, size }] of Object.entries(PLAN)) {
    const email = `${name}@example.org`;
    await docket("account", "add", email);
    const session = await docket("session", "create", "--account", email, "--name", "laptop");
    const words = ["key", "create", "--account", email, "--scopes", "read,write", "--name"];
    const keys: string[] = [];
    for (let at = 0; at < KEYS; at += 1) keys.push(await docket(...words, `bot ${at}`));
    owners[name] = { tasks, size, session, keys };
  }
  const server = await startDocket(programs, directory);
  for (const [name, { tasks, size, session }] of Object.entries(owners))
    for (let from = 0; from < tasks; from += RECORDS) {
      progress.step(`seeding ${name}: ${from} of ${tasks} tasks`, from / tasks);
      const batch = { prefix: name, from, count: RECORDS, tasks, size, version: 0 };
      await push(server.url, session, changesOf(batch));
    }
  await server.stop();
  return { directory, owners };
};

const KEYS = 24;
const RECORDS = 500;

const push = async (url: string, session: string, changes: unknown): Promise<void> => {
  const response = await fetch(`${url}/api/public/v1/sync`, {
    method: "POST",
    headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
    body: JSON.stringify(changes),
  });
  if (!response.ok) throw new Error(`The older build answered a push with ${response.status}.`);
};

/** The lines as a plain-text table. */
export const besideTable = (lines: readonly Beside[]): string =>
  [
    "| job | CPU of this build (us) | of the other | ratio | middle half | the other against itself |",
    "| --- | ---: | ---: | ---: | --- | --- |",
    ...lines.map(
      ({ what, docket, before, ours, noise }) =>
        `| ${what} | ${shown(docket)} | ${shown(before)} | ${shown(ours.value)} | ${shown(ours.low)} to ${shown(ours.high)} | ${shown(noise.low)} to ${shown(noise.high)}, median ${shown(noise.value)} |`,
    ),
  ].join("\n");
