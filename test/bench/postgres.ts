import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { run as runProgram, type Running, serve } from "../support/program.ts";
import type { Bench } from "./compared.ts";
import { JOBS, type Target } from "./jobs.ts";
import { type Row, shown } from "./report.ts";
import { copyOf, type Seed } from "./seed.ts";
import { startDocket, UNLIMITED } from "./servers.ts";
import { median } from "./stats.ts";
import type { Outcome } from "./load.ts";

// The same jobs on the embedded database and on PostgreSQL: beside one server, two or three, of which one works, and with
// the database as far away as another machine.

/** In us, each way: 0.5 ms for a question and its answer. */
const AWAY = 250;

export const ON_POSTGRES: Row = [
  "job",
  "embedded: a second",
  "PostgreSQL",
  "two servers",
  "three",
  "0.5 ms away",
  "embedded: p50, p99 ms",
  "PostgreSQL",
  "two servers",
  "three",
  "0.5 ms away",
];

const MEASURED = [
  "task",
  "list",
  "unchanged",
  "create",
  "create-key",
  "push-new",
  "push-replacing",
];

type Side = { readonly target: Target; readonly outcomes: Outcome[] };

/** Returns lines of `ON_POSTGRES`: the median of the rounds of each. */
export const measurePostgres = async (
  { generator, progress, rounds, ms }: Bench,
  program: readonly string[],
  folder: string,
  desk: Seed,
): Promise<readonly Row[]> => {
  const postgres = await startPostgres(["shared_buffers=512MB", "max_connections=200"]);
  const lines: Bun.Subprocess[] = [];
  const servers: { readonly stop: () => Promise<unknown> }[] = [];
  const targetOf = (server: Running): Target => {
    servers.push(server);
    return { url: server.url, pid: server.pid, seed: desk };
  };
  const onPostgres = async (name: string, delay: number, standbys: number): Promise<Target> => {
    progress.step(`moving the data to ${name}`, 0);
    const database = await postgres.database(name);
    const data = copyOf(folder, desk, name).directory;
    const moved = await runProgram(program, ["move", "--data", data, "--to", database]);
    if (moved.code !== 0) throw new Error(moved.err);
    await postgres.ask(database, "vacuum analyze");
    const url = new URL(database);
    if (delay > 0) {
      const line = Bun.spawn(
        [process.execPath, join(import.meta.dir, "distance.ts"), url.port, `${delay}`],
        { stdout: "pipe" },
      );
      lines.push(line);
      const { value = new Uint8Array() } = await line.stdout.getReader().read();
      url.port = new TextDecoder().decode(value).trim();
    }
    const words = (at: number) => ["--data", join(folder, "run", `${name} ${at}`), "--log", "off"];
    const env = { DOCKET_DATABASE: url.href };
    const target = targetOf(await serve(program, [...words(0), ...UNLIMITED], { env }));
    for (let at = 1; at <= standbys; at += 1)
      lines.push(
        Bun.spawn([...program, "serve", "--port", "0", ...words(at)], {
          env: { ...process.env, ...env },
          stdin: "ignore",
          stdout: "ignore",
          stderr: "ignore",
        }),
      );
    return target;
  };
  try {
    const embedded = await startDocket(program, copyOf(folder, desk, "embedded").directory);
    const sides: readonly Side[] = [
      { target: targetOf(embedded), outcomes: [] },
      { target: await onPostgres("near", 0, 0), outcomes: [] },
      { target: await onPostgres("two", 0, 1), outcomes: [] },
      { target: await onPostgres("three", 0, 2), outcomes: [] },
      { target: await onPostgres("away", AWAY, 0), outcomes: [] },
    ];
    const rows: Row[] = [];
    for (const name of MEASURED) {
      const job = JOBS[name];
      if (!job) throw new Error(`There is no job ${name}.`);
      for (const side of sides) side.outcomes.length = 0;
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1)
        for (const { target, outcomes } of round % 2 === 0 ? sides : sides.toReversed()) {
          progress.step(`${name}: round ${round} of ${rounds}`, round / rounds);
          const outcome = await generator.run(job.order(target, round, ms), job.status);
          if (round > 0) outcomes.push(outcome);
        }
      const of = (what: (outcome: Outcome) => number): readonly string[] =>
        sides.map(({ outcomes }) => shown(median(outcomes.map(what))));
      const [p50, p99] = [of((one) => one.p50), of((one) => one.p99)];
      rows.push([
        job.what,
        ...of(({ replies, ms: took }) => (replies / took) * 1_000),
        ...p50.map((value, at) => `${value}, ${p99[at]}`),
      ]);
    }
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const line of lines) line.kill();
    await postgres.end();
  }
};
