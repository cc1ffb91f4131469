import { expect, test } from "bun:test";
import type { Answer } from "../support/server.ts";
import {
  change,
  expectRefusal,
  newcomer,
  sharedServer,
  taskRow,
  titlesOf,
} from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

/** Ann's tasks, each made a second after the previous one. */
const ann = await newcomer(server);
const key = await ann.key();
const folder = (await call("POST", "/projects", { token: key, body: { name: "Travel" } })).json;
const URL = "https://a.example/trains";
const TASKS: readonly (readonly [string, Record<string, unknown>])[] = [
  [ann.session, { title: "Plan trains", tabs: [{ url: URL, title: "Timetable" }] }],
  [key, { title: "Rooms", folder: "Travel", notes: ["near the trains"] }],
  [ann.session, { title: "Old trains", status: "done", tabs: [{ url: URL }] }],
  [key, { title: "Trains again", status: "blocked", folder: "Travel" }],
  [ann.session, { title: "Milk" }],
];
const times: string[] = [];
for (const [token, body] of TASKS) {
  server.clock.advance(1_000);
  times.push(new Date(server.clock.wall()).toISOString());
  await call("POST", "/tasks", { token, body });
}
await call("POST", "/sync", {
  token: ann.session,
  body: [
    change("sync_tasks", "gone", { title: "gone trains" }, { deleted_at: "2026-03-04T12:00:00Z" }),
    change("sync_tasks", "trashed", { title: "trashed trains", bucket_id: "trash" }),
  ],
});
const bob = await newcomer(server, "bob");
await call("POST", "/tasks", { token: bob.session, body: { title: "Trains of bob" } });

const search = (query: Record<string, string>, token = ann.session): Promise<Answer> =>
  call("GET", `/tasks?${new URLSearchParams(query)}`, { token });

const OPEN = ["Trains again", "Plan trains", "Rooms"];

test.each<[string, Record<string, string>, string[]]>([
  ["open tasks, matches in titles first, then the newest", {}, OPEN],
  ["closed ones too", { closed: "true" }, ["Trains again", "Old trains", "Plan trains", "Rooms"]],
  ["closed=false is the default", { closed: "false" }, OPEN],
  ["a status", { status: "done" }, ["Old trains"]],
  ["several", { status: "done,blocked" }, ["Trains again", "Old trains"]],
  ["a folder", { project_id: folder.id }, ["Trains again", "Rooms"]],
  ["no folder", { project_id: "none" }, ["Plan trains"]],
  ["tasks made by agents", { created_by: "agent" }, ["Trains again", "Rooms"]],
  ["tasks made by people", { created_by: "person", closed: "true" }, ["Old trains", "Plan trains"]],
  ["with this tab", { url: URL, closed: "true" }, ["Old trains", "Plan trains"]],
  ["a since", { since: times[0] ?? "" }, ["Trains again", "Rooms"]],
  [
    "all filters at once",
    { since: times[0] ?? "", created_by: "agent", project_id: folder.id, status: "blocked" },
    ["Trains again"],
  ],
  ["more words", { q: "trains timetable" }, ["Plan trains"]],
  ["the beginning of a word", { q: "TRAI" }, OPEN],
])("The words in q combine with the other filters: %s", async (_name, query, titles) => {
  for (const token of [ann.session, key]) {
    const answer = await search({ q: "trains", ...query }, token);
    expect([answer.status, titlesOf(answer)]).toEqual([200, titles]);
  }
});

test("The closed filter works without q too", async () => {
  expect(titlesOf(await search({ closed: "true" }))).toEqual([
    "Milk",
    "Trains again",
    "Old trains",
    "Rooms",
    "Plan trains",
  ]);
});

test("A search replies like a list: the row, the cursor, the time", async () => {
  const { json } = await search({ q: "rooms" });
  expect(json).toEqual({
    tasks: [
      taskRow({
        title: "Rooms",
        folder: folder.id,
        project_id: folder.id,
        folder_name: "Travel",
        created_by: "agent",
        created_by_key: "bot",
        created_at: times[1],
        updated_at: times[1],
        note_count: 1,
      }),
    ],
    next_cursor: null,
    server_time: expect.any(String) as string,
  });
});

const Q = "Query parameter q must have 1 to 200 characters, but has";
const WORD = "q must contain at least one word.";
const HAN = String.fromCharCode(...Array.from({ length: 200 }, (_, at) => 0x4e00 + at));
const many = (most: number, what: string, got: number): string =>
  `q must contain at most ${most} ${what}, but contains ${got}. Search for fewer words or a shorter part of the text. ` +
  "Each part of an address, each emoji, and each character of Chinese, Japanese or Thai counts as a word.";
const CLOSED = "Query parameter closed must be true or false.";
const TWICE = "Send either status or closed, not both.";

test.each([
  ["q=", `${Q} 0.`],
  [`q=${"a".repeat(201)}`, `${Q} 201.`],
  ["q=%20", WORD],
  ["q=%22*%22", WORD],
  ["q=%00", WORD],
  ["q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q", many(16, "different words", 17)],
  [`q=${encodeURIComponent(HAN)}`, many(16, "different words", 200)],
  [
    `q=${encodeURIComponent("東".repeat(200))}`,
    many(24, "words in all, repeated ones included", 200),
  ],
  ["closed=yes", CLOSED],
  ["closed=", CLOSED],
  ["closed=1&q=a", CLOSED],
  ["closed=true&status=done", TWICE],
  ["closed=false&status=done&q=a", TWICE],
])("GET /tasks?%s is refused", async (query, error) => {
  expectRefusal(await call("GET", `/tasks?${query}`, { token: ann.session }), 422, error);
});

test.each([
  '"',
  "AND",
  "trains AND",
  "NEAR(trains)",
  "title:milk",
  "{title}:milk",
  "tr*",
  "^trains",
  "-trains",
  "account:1",
  "' OR 1=1 --",
  "%",
  "*",
])("%s is read as ordinary words", async (q) => {
  const answer = await search({ q, closed: "true" });
  const found = answer.status === 200 ? titlesOf(answer) : [];
  expect([200, 422]).toContain(answer.status);
  expect(found.every((title) => /trains|rooms/i.test(title))).toBe(true);
});

test("A search does not find what a dry run would have made", async () => {
  const { session: token } = await newcomer(server);
  const dry = await call("POST", "/tasks?dry_run=true", { token, body: { title: "rust" } });
  expect(dry.status).toBe(200);
  expect(titlesOf(await search({ q: "rust" }, token))).toEqual([]);
  await call("POST", "/tasks", { token, body: { title: "rust" } });
  expect(titlesOf(await search({ q: "rust" }, token))).toEqual(["rust"]);
});
