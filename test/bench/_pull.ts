import { alternate, type Bench, type Side } from "./_measure.ts";
import { ownerOf, type Pair } from "./_jobs.ts";
import { memoryOf } from "./_memory.ts";
import type { Line } from "./_report.ts";
import { startDocket } from "./_servers.ts";
import { median, ratio } from "./_stats.ts";
import type { Call, Order, Outcome } from "./load.ts";

const MIB = 1024 * 1024;

/** A pull of everything that carol has: 50,000 records. */
export const measurePull = async (bench: Bench, pair: Pair): Promise<readonly Line[]> => [
  await speed(bench, pair),
  await block(bench, pair),
];

const order = (pair: Pair, url: string): Order => {
  const token = ownerOf(pair.seed, "carol").session;
  return {
    url,
    connections: 1,
    calls: [{ method: "GET", path: "/api/public/v1/sync", token }],
    ms: null,
  };
};

const speed = async (bench: Bench, pair: Pair): Promise<Line> => {
  const side = (of: "docket" | "floor"): Side => ({
    name: of,
    pid: pair.pids[of],
    order: () => order(pair, pair[of]),
  });
  const outcomes = await alternate(bench, "pull", [side("docket"), side("floor")]);
  const [ours, theirs] = [speeds(outcomes.get("docket")), speeds(outcomes.get("floor"))];
  const busy = median((outcomes.get("floor") ?? []).map((outcome) => outcome.busy));
  return {
    job: "pull",
    what: "GET /sync from nothing, 50,000 records",
    unit: "MB/s",
    docket: median(ours),
    floor: median(theirs),
    ...ratio(ours, theirs),
    goal: { at: "least", value: 0.8 },
    more: { floor_generator_busy: busy, bytes: outcomes.get("docket")?.[0]?.bytes ?? 0 },
  };
};

const speeds = (outcomes: readonly Outcome[] = []): readonly number[] =>
  outcomes.map(({ bytes, ms }) => bytes / ms / 1_000);

/**
 * How long the event loop was blocked, seen from outside: the longest wait in one pull of a second
 * connection that requests `/healthz` again a millisecond after each reply. It includes the reply
 * itself and the time the generator needs to read a piece of the pull, some tenths of a ms each;
 * the floor's own wait is shown beside it. The median of the rounds counts, because anything else
 * that runs on the machine only adds to a wait.
 */
const block = async (bench: Bench, pair: Pair): Promise<Line> => {
  const probe = "/healthz";
  const side = (of: "docket" | "floor"): Side => ({
    name: of,
    pid: pair.pids[of],
    order: () => ({ ...order(pair, pair[of]), probe }),
  });
  const outcomes = await alternate(bench, "event loop", [side("docket"), side("floor")]);
  const waits = (name: string) => (outcomes.get(name) ?? []).map(({ longestWait }) => longestWait);
  const ours = waits("docket");
  return {
    job: "pull",
    what: "the event loop's longest block in a pull",
    unit: "ms",
    docket: median(ours),
    floor: median(waits("floor")),
    value: median(ours),
    low: Math.min(...ours),
    high: Math.max(...ours),
    goal: { at: "most", value: 10 },
    more: {},
  };
};

/**
 * The peak memory that a server needs in addition while it answers a pull, after it has answered a
 * few small calls.
 */
export const measurePullMemory = async (
  bench: Bench,
  directory: string,
  pair: Pair,
): Promise<readonly Line[]> => {
  const grown: number[] = [];
  const rounds = Math.min(bench.rounds, 3);
  for (let round = 0; round < rounds; round += 1) {
    bench.progress.step(`memory of a pull: round ${round + 1} of ${rounds}`, round / rounds);
    grown.push(await growth(bench, directory, pair));
  }
  const value = median(grown);
  const [low, high] = [Math.min(...grown), Math.max(...grown)];
  const goal = { at: "most", value: 64 } as const;
  const line = { job: "pull", what: "memory that a pull takes besides", unit: "MiB", floor: null };
  return [{ ...line, docket: value, value, low, high, goal, more: {} }];
};

/** Small replies before the pull. */
const LISTS = 50;

/** In MiB, of a server of its own. */
const growth = async (
  { generator, programs }: Bench,
  directory: string,
  pair: Pair,
): Promise<number> => {
  const server = await startDocket(programs, directory);
  const pull = order(pair, server.url);
  const [call] = pull.calls;
  const list = { ...call, path: "/api/public/v1/tasks" } as Call;
  await generator.run({ ...pull, calls: Array.from({ length: LISTS }, () => list) });
  const before = memoryOf(server.pid).now;
  await generator.run(pull);
  const { most } = memoryOf(server.pid);
  await server.stop();
  return (most - before) / MIB;
};
