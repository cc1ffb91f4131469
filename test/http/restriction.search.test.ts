import { expect, test } from "bun:test";
import type { Restriction } from "../../src/domain/people/api-key.ts";
import { RESTRICTIONS, SHARED_URL } from "../support/restrictions.ts";
import { change, newcomer, sharedServer, titlesOf, V1 } from "../support/replies.ts";
import { ask, settle } from "../support/http/sides.ts";

// Two accounts that are the same inside a key's restriction. One of them has 300 tasks outside it. No search by the key
// may tell which.

const server = await sharedServer({ limits: { perMinute: 1e6, perHour: 1e6 } });
const { call } = server;

const HIDDEN_URL = "https://hidden.example/plan?a=1";

/** Words and addresses that occur inside too, and ones that occur only outside, in every place that a search reads. */
const outside = (at: number, more: object = {}) =>
  change("sync_tasks", `out${at}`, {
    title: `zebra inside page ${at}`,
    tags: ["stripes"],
    notes: [{ id: "n", text: "okapi inside" }],
    pages: [
      { id: "p", url: HIDDEN_URL, title: "quagga page" },
      { id: "q", url: SHARED_URL, title: "inside" },
    ],
    ...more,
  });

const WHERE: readonly object[] = [
  { project_id: "home" },
  {},
  { bucket_id: "trash", project_id: "work" },
];

const sides = async (restriction: Restriction, where = WHERE) => {
  const [plain, rich] = [await settle(server, restriction), await settle(server, restriction)];
  const home = change("sync_projects", "home", { name: "Home" });
  const tasks = Array.from({ length: 300 }, (_, at) => outside(at, where[at % where.length]));
  const body = [home, ...tasks];
  const pushed = await call("POST", "/sync", { token: rich.person.session, body });
  expect(pushed.json.applied).toBe(301);
  // The stamps of the push are above the clock; from now on it is above them in both accounts.
  server.clock.advance(1_000);
  return { plain, rich };
};

const WORDS = [
  "zebra",
  "zeb",
  "okapi",
  "quagga",
  "stripes",
  "hidden.example",
  "plan",
  "300",
  "inside",
  "page",
  "ins",
  "zebra inside",
  "inside zebra page",
  '"inside page"',
  "-zebra inside",
];

const QUERIES = WORDS.map((q) => `q=${encodeURIComponent(q)}`).flatMap((query) => [
  query,
  `${query}&limit=1`,
  `${query}&closed=true`,
]);

const ADDRESSES = [
  HIDDEN_URL,
  SHARED_URL,
  "https://hidden.example/",
  "https://none.example/",
].flatMap((url) => [
  `url=${encodeURIComponent(url)}`,
  `url=${encodeURIComponent(url)}&limit=1&status=todo,done`,
]);

/** The same question as a tool call. Stamps differ from millisecond to millisecond. */
const askTool = async (token: string, query: string): Promise<unknown> => {
  const { limit, closed, ...rest } = Object.fromEntries(new URLSearchParams(query));
  const args = {
    ...rest,
    ...(limit ? { limit: Number(limit) } : {}),
    ...(closed ? { closed: true } : {}),
  };
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "find_tasks", arguments: args },
  };
  const headers = { accept: "application/json, text/event-stream" };
  const { status, text } = await call("POST", "!/mcp", { token, body: message, headers });
  expect(text).toContain("tasks");
  return [status, text.replaceAll(/(next_cursor|server_time)(\\*":\\*")[^"\\]*/g, "$1$2-")];
};

test.each(Object.entries({ folders: RESTRICTIONS.folders, inbox: RESTRICTIONS.inbox }))(
  "A search by a key that is kept to its %s never tells what is outside",
  async (_name, restriction) => {
    const { plain, rich } = await sides(restriction);
    for (const query of [...QUERIES, ...ADDRESSES]) {
      const path = `/tasks?${query}`;
      expect([query, await ask(rich, { method: "GET", path })]).toEqual([
        query,
        await ask(plain, { method: "GET", path }),
      ]);
      expect([query, await askTool(rich.token, query)]).toEqual([
        query,
        await askTool(plain.token, query),
      ]);
    }
  },
);

test("A search in one account never tells what is in another", async () => {
  const { plain } = await sides(RESTRICTIONS.folders);
  const eve = await newcomer(server, "eve");
  for (const query of [...QUERIES, ...ADDRESSES]) {
    const { json } = await call("GET", `/tasks?${query}`, { token: eve.session });
    expect([query, json.tasks, json.next_cursor]).toEqual([query, [], null]);
  }
  const { token } = plain;
  expect(titlesOf(await call("GET", "/tasks?q=inside", { token }))).toEqual(["inside"]);
});

/** How long a search takes, in ms. */
const timed = async (token: string, word: string): Promise<number> => {
  const from = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  await (await fetch(`${server.url}${V1}/tasks?q=${word}`, { headers })).arrayBuffer();
  return performance.now() - from;
};

test("The time of a search does not tell whether a word occurs in another account", async () => {
  await sides(RESTRICTIONS.folders, WHERE.slice(0, 2));
  const eve = await newcomer(server, "eve");
  const token = await eve.key();
  for (let warm = 0; warm < 20; warm++) await timed(token, `warm${warm}`);
  let slower = 0;
  const pairs = 200;
  for (let at = 0; at < pairs; at++) {
    // Two words of one length, in turn first, so that nothing but the word differs.
    const words = at % 2 === 0 ? ["zebra", "zobra"] : ["zobra", "zebra"];
    const times = new Map<string, number>();
    for (const word of words) times.set(word, await timed(token, word));
    if ((times.get("zebra") ?? 0) > (times.get("zobra") ?? 0)) slower++;
  }
  // By chance alone it leaves these bounds once in millions of runs.
  expect(slower).toBeGreaterThan(pairs * 0.32);
  expect(slower).toBeLessThan(pairs * 0.68);
});
