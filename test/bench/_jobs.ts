import { type Batch, idOf, newTaskBody } from "./_data.ts";
import type { Against, Bench, Job, Side } from "./_measure.ts";
import type { Goal } from "./_report.ts";
import type { Owner, Seed } from "./_seed.ts";
import type { Call, Outcome } from "./load.ts";

type Server = "docket" | "floor" | "stack";

/**
 * The servers' addresses. Docket and the floor run on copies of the same data; the stack reads the
 * floor's.
 */
export type Pair = Readonly<Record<Server, string>> & {
  readonly pids: Readonly<Record<Server, number>>;
  readonly seed: Seed;
};

const API = "/api/public/v1";

/** Clients that call at once, for reads and for writes; one device pushes alone. */
const READERS = 32;
const WRITERS = 64;

/** Pushes per slice of a round, and records per push. */
const PUSHES = 3;
const RECORDS = 500;

const least = (value: number): Goal => ({ at: "least", value });

const perSecond = ({ replies, ms }: Outcome): number => (replies / ms) * 1_000;
const recordsPerSecond = (outcome: Outcome): number => perSecond(outcome) * RECORDS;

export const ownerOf = ({ owners }: Seed, name: string): Owner => {
  const owner = owners[name];
  if (!owner) throw new Error(`The bench seeded no ${name}.`);
  return owner;
};

/** How near reads must come to the same stack. The bare floor has no goal: the stack alone does not reach it either. */
const AS_STACK = least(0.95);

/** A job of reads: the same calls to every server. */
const reads = (
  bench: Bench,
  pair: Pair,
  name: string,
  what: string,
  calls: readonly Call[],
): Job => {
  const side = (of: Server): Side => ({
    name: of,
    pid: pair.pids[of],
    order: () => ({ url: pair[of], connections: READERS, calls, ms: bench.ms }),
  });
  const against: readonly Against[] = [
    { side: side("floor"), what, goal: null },
    { side: side("stack"), what: `${what}, against the same stack`, goal: AS_STACK },
  ];
  return { name, unit: "requests/s", docket: side("docket"), against, rate: perSecond };
};

const list = (bench: Bench, pair: Pair): Job => {
  const token = ownerOf(pair.seed, "ann").session;
  const calls = [{ method: "GET", path: `${API}/tasks`, token }] as const;
  return reads(bench, pair, "list", "GET /tasks, 50 rows", calls);
};

const task = (bench: Bench, pair: Pair): Job => {
  const { session: token, tasks } = ownerOf(pair.seed, "ann");
  const calls = Array.from({ length: 1_000 }, (_, at): Call => {
    const id = idOf("ann", (at * 7_919) % tasks);
    return { method: "GET", path: `${API}/tasks/${id}`, token };
  });
  return reads(bench, pair, "task", "GET /tasks/{id}, 8 tabs, 2 notes", calls);
};

/** `since` is a `server_time` after which nothing was written. */
const unchanged = (bench: Bench, pair: Pair): Job => {
  const { session: token } = ownerOf(pair.seed, "ann");
  const since = new Date().toISOString();
  const calls = [{ method: "GET", path: `${API}/sync?since=${since}`, token }] as const;
  return reads(bench, pair, "unchanged", "GET /sync, nothing new", calls);
};

const me = ({ ms }: Bench, pair: Pair): Job => {
  const { keys } = ownerOf(pair.seed, "ann");
  const side = (name: string, of: Server, path: string): Side => {
    const calls = keys.map((token): Call => ({ method: "GET", path, token }));
    const order = () => ({ url: pair[of], connections: WRITERS, calls, ms });
    return { name, pid: pair.pids[of], order };
  };
  const recording = side("floor, each row committed", "floor", "/recorded/me");
  const plain = side("floor, nothing recorded", "floor", `${API}/me`);
  const stack = side("stack, nothing recorded", "stack", `${API}/me`);
  const against: readonly Against[] = [
    { side: recording, what: "GET /me by key, against each row committed", goal: least(3) },
    { side: plain, what: "GET /me by key, against none recorded", goal: null },
    {
      side: stack,
      what: "GET /me by key, against the same stack, none recorded",
      goal: least(0.6),
    },
  ];
  const docket = side("docket", "docket", `${API}/me`);
  return { name: "me", unit: "requests/s", docket, against, rate: perSecond };
};

/** The content of push number `push` of a round. `shift` moves it to records of its own. */
type Pushed = (
  round: number,
  push: number,
  shift: number,
) => Pick<Batch, "from" | "prefix" | "version">;

const pushes = (pair: Pair, name: string, what: string, goal: Goal, pushed: Pushed): Job => {
  const { session: token, tasks, size } = ownerOf(pair.seed, "dora");
  const side = (called: string, of: "docket" | "floor", path: string, shift: number): Side => ({
    name: called,
    pid: pair.pids[of],
    order: (round) => {
      const calls = Array.from({ length: PUSHES }, (_, push): Call => {
        const body = { ...pushed(round, push, shift), count: RECORDS, tasks, size };
        return { method: "POST", path, token, body };
      });
      return { url: pair[of], connections: 1, calls, ms: null };
    },
  });
  const bare = side("floor, records only", "floor", "/records-only/sync", 1);
  const against: readonly Against[] = [
    { side: side("floor", "floor", `${API}/sync`, 0), what, goal },
    { side: bare, what: `${what}, against the rows of record alone`, goal: least(0.6) },
  ];
  const docket = side("docket", "docket", `${API}/sync`, 0);
  return { name, unit: "records/s", docket, against, rate: recordsPerSecond };
};

const pushNew = (_bench: Bench, pair: Pair): Job =>
  pushes(pair, "push-new", "POST /sync, 500 new", least(0.85), (round, push, shift) => ({
    prefix: `new${shift}`,
    from: (round * PUSHES + push) * RECORDS,
    version: 0,
  }));

const pushReplacing = (_bench: Bench, pair: Pair): Job =>
  pushes(
    pair,
    "push-replacing",
    "POST /sync, replacing 500",
    least(0.75),
    (round, push, shift) => ({
      prefix: "dora",
      from: (shift * PUSHES + push) * RECORDS,
      version: round + 1,
    }),
  );

const create = ({ ms }: Bench, pair: Pair): Job => {
  const { session: token } = ownerOf(pair.seed, "ann");
  const calls = Array.from({ length: 256 }, (_, at): Call => {
    return { method: "POST", path: `${API}/tasks`, token, body: newTaskBody(at) };
  });
  const side = (of: "docket" | "floor"): Side => ({
    name: of,
    pid: pair.pids[of],
    status: 201,
    order: () => ({ url: pair[of], connections: WRITERS, calls, ms }),
  });
  const what = "POST /tasks, 64 clients at once";
  const against = [{ side: side("floor"), what, goal: least(15) }];
  return { name: "create", unit: "requests/s", docket: side("docket"), against, rate: perSecond };
};

export const FIND_TASKS = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "find_tasks", arguments: { limit: 50 } },
});

/** Compared with Docket's own list, with the same keys. */
const mcp = ({ ms }: Bench, pair: Pair): Job => {
  const { keys } = ownerOf(pair.seed, "ann");
  const tool = keys.map((token): Call => {
    return { method: "POST", path: "/mcp", token, body: FIND_TASKS };
  });
  const rest = keys.map((token): Call => ({ method: "GET", path: `${API}/tasks`, token }));
  const side = (name: string, calls: readonly Call[]): Side => ({
    name,
    pid: pair.pids.docket,
    order: () => ({ url: pair.docket, connections: READERS, calls, ms }),
  });
  const what = "/mcp find_tasks of 50, against GET /tasks by key";
  const against = [{ side: side("GET /tasks", rest), what, goal: least(0.5) }];
  const docket = side("docket", tool);
  return { name: "mcp", unit: "requests/s", docket, against, rate: perSecond };
};

export const JOBS: Readonly<Record<string, (bench: Bench, pair: Pair) => Job>> = {
  list,
  task,
  me,
  unchanged,
  "push-new": pushNew,
  "push-replacing": pushReplacing,
  create,
  mcp,
};
