import { changesOf, idOf, RARE } from "./data.ts";
import type { Bench } from "./compared.ts";
import { type Row, shown } from "./report.ts";
import type { Owner } from "./seed.ts";
import { median, ratio } from "./stats.ts";
import type { Call } from "./load.ts";

const API = "/api/public/v1";

/** An account in a directory of its own, and its server's address. */
export type Grown = { readonly url: string; readonly name: string; readonly owner: Owner };

/** A request to both accounts. `round` is for pushes, which must be newer each time. */
type Question = {
  readonly what: string;
  readonly calls: (grown: Grown, round: number) => Promise<readonly Call[]> | readonly Call[];
};

const read =
  (path: (grown: Grown) => string) =>
  (grown: Grown): readonly Call[] => [
    { method: "GET", path: API + path(grown), token: grown.owner.session },
  ];

/** Pushes per round: enough for a median. */
const PUSHES = 200;
/** The same for pushes of 500 records. */
const LONG_PUSHES = 8;

const QUESTIONS: readonly Question[] = [
  { what: "GET /tasks", calls: read(() => "/tasks") },
  {
    what: "GET /tasks/{id}",
    calls: read(({ name, owner }) => `/tasks/${idOf(name, owner.tasks / 2)}`),
  },
  { what: "GET /me", calls: read(() => "/me") },
  {
    what: `GET /tasks?q=, found in 20 tasks`,
    calls: read(() => `/tasks?q=${RARE}`),
  },
  {
    what: "POST /sync of one record",
    calls: (grown, round) =>
      Array.from({ length: PUSHES }, (_, push): Call => {
        const { tasks, size, session: token } = grown.owner;
        const from = Math.floor((push * tasks) / PUSHES);
        const [change] = changesOf({
          prefix: grown.name,
          from,
          count: 1,
          tasks,
          size,
          version: round + 1,
        });
        return { method: "POST", path: `${API}/sync`, token, body: JSON.stringify([change]) };
      }),
  },
  {
    what: "POST /sync, replacing 500",
    calls: (grown, round) =>
      Array.from({ length: LONG_PUSHES }, (_, push): Call => {
        const { tasks, size, session: token } = grown.owner;
        const from = Math.floor((push * tasks) / LONG_PUSHES);
        const body = { prefix: grown.name, from, count: 500, tasks, size, version: round + 1 };
        return { method: "POST", path: `${API}/sync`, token, body };
      }),
  },
  {
    what: "GET /sync, nothing new",
    calls: async ({ url, owner: { session: token } }) => {
      const headers = { authorization: `Bearer ${token}` };
      const since = new Date().toISOString();
      const reply = await fetch(`${url}${API}/sync?since=${since}`, { headers });
      const { server_time } = (await reply.json()) as { readonly server_time: string };
      return [{ method: "GET", path: `${API}/sync?since=${server_time}`, token }];
    },
  },
];

export const GROWN: Row = ["job", "1,000,000 records (ms)", "10,000", "ratio", "middle half"];

/**
 * Measures how much longer the same call takes if the account has a hundred times as much. Returns lines of `GROWN`:
 * median latencies, one client.
 */
export const measureGrowth = async (
  bench: Bench,
  few: Grown,
  many: Grown,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const question of QUESTIONS) rows.push(await grow(bench, question, few, many));
  return rows;
};

const grow = async (
  bench: Bench,
  { what, calls }: Question,
  few: Grown,
  many: Grown,
): Promise<Row> => {
  const ours: number[] = [];
  const theirs: number[] = [];
  const latencies = async (grown: Grown, round: number, into: number[]): Promise<void> => {
    const asked = await calls(grown, round);
    const ms = asked.length === 1 ? bench.ms / 2 : null;
    const { p50 } = await bench.generator.run({ url: grown.url, connections: 1, calls: asked, ms });
    if (round > 0) into.push(p50);
  };
  for (let round = 0; round <= bench.rounds; round += 1) {
    bench.progress.step(`growth of ${what}: round ${round}`, round / (bench.rounds + 1));
    await latencies(many, round, ours);
    await latencies(few, round, theirs);
  }
  const { value, low, high } = ratio(ours, theirs);
  return [
    what,
    shown(median(ours)),
    shown(median(theirs)),
    shown(value),
    `${shown(low)} to ${shown(high)}`,
  ];
};

/** Waits until the index has everything of an account: until then, searches are refused. */
export const indexed = async ({ url, owner: { session } }: Pick<Grown, "owner" | "url">) => {
  const headers = { authorization: `Bearer ${session}` };
  while ((await fetch(`${url}${API}/tasks?q=zebra`, { headers })).status === 503)
    await Bun.sleep(500);
};
