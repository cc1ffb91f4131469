import { type Batch, idOf, newTaskBody } from "./data.ts";
import { ownerOf, type Seed } from "./seed.ts";
import type { Call, Order } from "./load.ts";

/** A server, and whose data it has. */
export type Target = { readonly url: string; readonly pid: number; readonly seed: Seed };

/** Something that clients ask of a server again and again. */
export type Job = {
  readonly what: string;
  /** The calls of a round, for `ms`. Round 0 warms the server up. */
  readonly order: (target: Target, round: number, ms: number) => Order;
  /** The status of each reply; 200 if it is not named. */
  readonly status?: number;
};

const API = "/api/public/v1";

/** Clients that call at once, for reads and for writes; one device pushes alone. */
const READERS = 32;
const WRITERS = 64;

/** Pushes in a slice of a round, and records in a push. */
const PUSHES = 3;
const RECORDS = 500;

/** Ann's sessions and keys call; the calls are spread over the keys, each of which has a limit of its own. */
type Caller = "key" | "session";

const tokensOf = ({ seed }: Target, caller: Caller): readonly string[] => {
  const { session, keys } = ownerOf(seed, "ann");
  return caller === "key" ? keys : [session];
};

const reads = (
  what: string,
  caller: Caller,
  calls: (token: string, target: Target) => readonly Call[],
): Job => ({
  what: `${what}, by ${caller}`,
  order: (target, _round, ms) => ({
    url: target.url,
    connections: READERS,
    calls: tokensOf(target, caller).flatMap((token) => calls(token, target)),
    ms,
  }),
});

const get =
  (path: string) =>
  (token: string): readonly Call[] => [{ method: "GET", path: API + path, token }];

const list = (caller: Caller): Job => reads("GET /tasks, 50 rows", caller, get("/tasks"));

const task = reads("GET /tasks/{id}, 8 tabs, 2 notes", "session", (token, { seed }) => {
  const { tasks } = ownerOf(seed, "ann");
  return Array.from({ length: 1_000 }, (_, at) => ({
    method: "GET",
    path: `${API}/tasks/${idOf("ann", (at * 7_919) % tasks)}`,
    token,
  }));
});

/** `since` is a `server_time` after which nothing was written. */
const unchanged = reads("GET /sync, nothing new", "session", (token) =>
  get(`/sync?since=${new Date().toISOString()}`)(token),
);

const create = (caller: Caller): Job => ({
  what: `POST /tasks, 64 clients at once, by ${caller}`,
  status: 201,
  order: (target, _round, ms) => {
    const tokens = tokensOf(target, caller);
    const calls = Array.from({ length: 256 }, (_, at): Call => {
      const token = tokens[at % tokens.length] ?? "";
      return { method: "POST", path: `${API}/tasks`, token, body: newTaskBody(at) };
    });
    return { url: target.url, connections: WRITERS, calls, ms };
  },
});

/** The content of push number `push` of a round. */
type Pushed = (round: number, push: number) => Pick<Batch, "from" | "prefix" | "version">;

const pushes = (what: string, pushed: Pushed): Job => ({
  what,
  order: ({ url, seed }, round) => {
    const { session: token, tasks, size } = ownerOf(seed, "dora");
    const calls = Array.from({ length: PUSHES }, (_, push): Call => {
      const body = { ...pushed(round, push), count: RECORDS, tasks, size };
      return { method: "POST", path: `${API}/sync`, token, body };
    });
    return { url, connections: 1, calls, ms: null };
  },
});

/** A pull of everything that carol has. */
export const pullOrder = ({ url, seed }: Target): Order => {
  const token = ownerOf(seed, "carol").session;
  return { url, connections: 1, calls: [{ method: "GET", path: `${API}/sync`, token }], ms: null };
};

const FIND_TASKS = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "find_tasks", arguments: { limit: 50 } },
});

export const JOBS: Readonly<Record<string, Job>> = {
  list: list("session"),
  "list-key": list("key"),
  task,
  me: reads("GET /me", "key", get("/me")),
  unchanged,
  "push-new": pushes("POST /sync, 500 new", (round, push) => ({
    prefix: "new",
    from: (round * PUSHES + push) * RECORDS,
    version: 0,
  })),
  "push-replacing": pushes("POST /sync, replacing 500", (round, push) => ({
    prefix: "dora",
    from: push * RECORDS,
    version: round + 1,
  })),
  pull: { what: "GET /sync from nothing, 50,000 records", order: pullOrder },
  create: create("session"),
  "create-key": create("key"),
  mcp: reads("/mcp find_tasks of 50", "key", (token) => [
    { method: "POST", path: "/mcp", token, body: FIND_TASKS },
  ]),
};
