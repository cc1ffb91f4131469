import { longPush } from "./data.ts";
import { pullOrder, type Target } from "./jobs.ts";
import type { Bench } from "./compared.ts";
import { memoryOf } from "./memory.ts";
import { type Row, shown } from "./report.ts";
import { ownerOf, type Seed } from "./seed.ts";
import { startDocket } from "./servers.ts";
import { median } from "./stats.ts";

// What a program takes before it is asked anything, and after it was asked for much.

/** A program with data of its own. */
export type Place = { readonly program: readonly string[]; readonly seed: Seed };

const MIB = 1024 * 1024;
/** ms until a server that has answered is at rest. */
const IDLE = 2_000;
const STARTS = 15;

export const RESTED: Row = ["program", "this build", "the other", "unit"];

/** Returns lines of `RESTED`. Each number is the median of turns that both programs take. */
export const measureRest = async (
  bench: Bench,
  now: Place,
  before: Place,
): Promise<readonly Row[]> => {
  const starts = { now: [] as number[], before: [] as number[] };
  const memories = { now: [] as Memories[], before: [] as Memories[] };
  const [many, few] = [Math.min(STARTS, bench.rounds * 3), Math.min(bench.rounds, 3)];
  for (let round = 0; round <= many; round += 1) {
    bench.progress.step(`start: round ${round} of ${many}`, round / many);
    for (const [name, place] of Object.entries({ now, before }) as [keyof typeof starts, Place][]) {
      const took = await startTime(place);
      // The first starts fill the system's caches.
      if (round > 0) starts[name].push(took);
    }
  }
  for (let round = 0; round < few; round += 1) {
    bench.progress.step(`memory: round ${round + 1} of ${few}`, round / few);
    memories.now.push(await memoriesOf(bench, now));
    memories.before.push(await memoriesOf(bench, before));
  }
  const of =
    (what: keyof Memories) =>
    (all: readonly Memories[]): string =>
      shown(median(all.map((one) => one[what])));
  const line = (what: string, name: keyof Memories): Row => [
    what,
    of(name)(memories.now),
    of(name)(memories.before),
    "MiB",
  ];
  return [
    ["start to first reply", shown(median(starts.now)), shown(median(starts.before)), "ms"],
    line("memory at rest", "rest"),
    line("at most in a pull of 50,000 records", "pull"),
    line("at most in a push of 15 MiB", "push"),
    line("half a minute later", "later"),
  ];
};

/** The time in ms from the start of the process to its first reply. */
const startTime = async ({ program, seed }: Place): Promise<number> => {
  const at = performance.now();
  const server = await startDocket(program, seed.directory);
  await (await fetch(`${server.url}/healthz`)).text();
  const took = performance.now() - at;
  await server.stop();
  return took;
};

/** In MiB. */
type Memories = Readonly<Record<"later" | "pull" | "push" | "rest", number>>;

const memoriesOf = async ({ generator }: Bench, { program, seed }: Place): Promise<Memories> => {
  const server = await startDocket(program, seed.directory);
  const target: Target = { url: server.url, pid: server.pid, seed };
  await (await fetch(`${server.url}/healthz`)).text();
  await Bun.sleep(IDLE);
  const rest = memoryOf(server.pid).now / MIB;
  await generator.run(pullOrder(target));
  const pull = memoryOf(server.pid).most / MIB;
  const { session: token } = ownerOf(seed, "dora");
  const call = { method: "POST", path: "/api/public/v1/sync", token, body: longPush() } as const;
  await generator.run({ url: server.url, connections: 1, calls: [call], ms: null });
  const push = memoryOf(server.pid).most / MIB;
  await Bun.sleep(30_000);
  const later = memoryOf(server.pid).now / MIB;
  await server.stop();
  return { rest, pull, push, later };
};
