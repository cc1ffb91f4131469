import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";
import { namesWithOneHash } from "../support/http/collide.ts";

// JavaScriptCore finds names by a hash without a secret: 24,000 names made to share it would keep the server busy for
// seconds, again and again.

const server = await sharedServer();
const { call } = server;
const ann = await newcomer(server);

const SAYS =
  "The body has too many texts that share a hash, which would slow the server down. Send other texts.";

const namesTo = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
/** As another client may write it: every character as an escape. */
const escaped = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

test("The texts do share a hash", () => {
  const hashes = namesWithOneHash(100).map((name) =>
    Bun.hash.rapidhash(Buffer.from(name, "latin1")),
  );
  expect(new Set(hashes).size).toBe(1);
});

const many = namesWithOneHash(5_000);
const FLOODS: readonly (readonly [string, string, unknown])[] = [
  ["names", "/tasks", { title: "t", ...namesTo(many) }],
  ["names, escaped", "/tasks", escaped({ title: "t", ...namesTo(many) })],
  ["texts in a list", "/tasks", { title: "t", tags: many }],
  ["names in a record", "/sync", [change("sync_tasks", "t", namesTo(many))]],
  ["names in a short record", "/sync", [change("sync_tasks", "t", namesTo(many.slice(0, 800)))]],
  [
    "names spread over many records",
    "/sync",
    Array.from({ length: 500 }, (_, at) =>
      change("sync_tasks", `t${at}`, namesTo(many.slice(at * 10, at * 10 + 10))),
    ),
  ],
  [
    "names in a message",
    "!/mcp",
    { jsonrpc: "2.0", id: 1, method: "x", params: namesTo(many.slice(0, 4_000)) },
  ],
];

test.each(FLOODS)("A body whose %s share a hash is refused at %s", async (_what, path, body) => {
  const key = await ann.key();
  const token = path === "/sync" ? ann.session : key;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  expectRefusal(await call("POST", path, { token, body: text }), 400, SAYS);
});

test("As many others are fine, and so is one text many times", async () => {
  const body = [
    change("sync_tasks", "many", namesTo(many.map((_, at) => `${crypto.randomUUID()} ${at}`))),
    change("sync_tasks", "one", { pages: many.map(() => ({ title: many[0], id: "é" })) }),
    change("sync_tasks", "words", { tags: many.map((_, at) => `word${at}`) }),
  ];
  const { status, json } = await call("POST", "/sync", { token: ann.session, body });
  expect([status, json.applied, json.invalid]).toEqual([200, 3, []]);
});

const tags = (count: number, name: (at: number) => string): object => ({
  tags: Array.from({ length: count }, (_, at) => name(at)),
});
const named = (count: number, name: (at: number) => string): object =>
  namesTo(Array.from({ length: count }, (_, at) => name(at)));
const short = (at: number): string => at.toString(36).padStart(16, "q");
const long = (at: number): string => at.toString(36).padStart(17, "q");
const inRecords = (payload: (at: number) => object): object => {
  const name = crypto.randomUUID();
  return Array.from({ length: 10 }, (_, at) => change("sync_tasks", `${name} ${at}`, payload(at)));
};
const OTHERS = 10_000;

test.each([
  [
    "different texts of 17 characters",
    inRecords((part) => tags(OTHERS, (at) => long(part * OTHERS + at))),
  ],
  ["different short texts", inRecords((part) => tags(OTHERS, (at) => short(part * OTHERS + at)))],
  ["different long names", inRecords((part) => named(OTHERS, (at) => long(part * OTHERS + at)))],
])("A body of 100,000 %s is taken", async (_what, body) => {
  const { status, json } = await call("POST", "/sync", {
    token: ann.session,
    body: JSON.stringify(body),
  });
  expect([status, json.applied, json.invalid]).toEqual([200, 10, []]);
});
