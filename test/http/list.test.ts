import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const URL = "https://a.example/?q=1&r=%20#part";

/** Ann's tasks, each made a second after the previous one, some by her key. */
const ann = await newcomer(server);
const key = await ann.key();
const folder = (await call("POST", "/projects", { token: key, body: { name: "Travel" } })).json;
const TASKS: readonly (readonly [string, Record<string, unknown>])[] = [
  [ann.session, { title: "walk", due: "2026-03-04", tags: ["home", "a,b"] }],
  [
    ann.session,
    {
      title: "trains",
      folder: "Travel",
      due: "2026-03-05",
      tags: ["work", "Caf\u00E9"],
      tabs: [{ url: URL }],
    },
  ],
  [
    key,
    {
      title: "rooms",
      folder: "Travel",
      due: "2026-03-05",
      tags: ["home"],
      tabs: [{ url: `${URL}x` }],
    },
  ],
  [key, { title: "waiting", status: "Waiting for bob" }],
  [
    key,
    { title: "blocked", status: "blocked", tabs: [{ url: "https://b.example/" }, { url: URL }] },
  ],
  [
    ann.session,
    {
      title: "finished",
      status: "done",
      folder: "Travel",
      due: "2026-03-01",
      tags: ["home"],
      tabs: [{ url: URL }],
    },
  ],
  [key, { title: "dropped", status: "cancelled" }],
];
// A key may use a status that a task has already. This one is in another folder, and closed to every list below.
await call("POST", "/sync", {
  token: ann.session,
  body: [change("sync_tasks", "first", { title: "first", status: "Waiting for bob" })],
});
const times: string[] = [];
for (const [token, body] of TASKS) {
  server.clock.advance(1_000);
  times.push(new Date(server.clock.wall()).toISOString());
  await call("POST", "/tasks", { token, body });
}
await call("POST", "/sync", {
  token: ann.session,
  body: [
    change("sync_tasks", "first", {}, { deleted_at: "2026-03-04T12:00:00Z" }),
    change("sync_tasks", "deleted", { title: "deleted" }, { deleted_at: "2026-03-04T12:00:00Z" }),
    change("sync_tasks", "trashed", {
      title: "trashed",
      bucket_id: "trash",
      project_id: folder.id,
    }),
  ],
});
// Bob has a task too, which ann must never see.
const bob = await newcomer(server, "bob");
await call("POST", "/tasks", {
  token: bob.session,
  body: { title: "bob's", tabs: [{ url: URL }] },
});

const OPEN = ["blocked", "waiting", "rooms", "trains", "walk"];
const ALL_STATUSES = "done,todo,blocked,cancelled";

test.each<[string, Record<string, string>, string[]]>([
  ["Without a filter, open tasks are listed, newest change first", {}, OPEN],
  ["A status", { status: "todo" }, ["rooms", "trains", "walk"]],
  ["A closed status", { status: "done" }, ["finished"]],
  ["Several statuses", { status: "done, blocked,cancelled" }, ["dropped", "finished", "blocked"]],
  ["A status that no task has", { status: "in_review" }, []],
  ["A folder shows its open tasks", { project_id: folder.id }, ["rooms", "trains"]],
  ["A folder and a status", { project_id: folder.id, status: "done" }, ["finished"]],
  [
    "A folder and several statuses",
    { project_id: folder.id, status: "done,todo" },
    ["finished", "rooms", "trains"],
  ],
  ["A folder's name instead of its id", { project_id: "Travel" }, ["rooms", "trains"]],
  ["No folder", { project_id: "none" }, ["blocked", "waiting", "walk"]],
  ["Tasks made by agents", { created_by: "agent" }, ["blocked", "waiting", "rooms"]],
  ["Tasks made by people", { created_by: "person" }, ["trains", "walk"]],
  ["Exactly this tab", { url: URL }, ["blocked", "trains"]],
  [
    "This tab, including closed tasks",
    { url: URL, status: ALL_STATUSES },
    ["finished", "blocked", "trains"],
  ],
  ["A tab that no task holds", { url: "https://a.example/" }, []],
  ["Since is strictly later", { since: times[2] ?? "" }, ["blocked", "waiting"]],
  [
    "A since between two changes",
    { since: (times[2] ?? "").replace(".000Z", "-00:00") },
    ["blocked", "waiting"],
  ],
  ["A date as since is its start in UTC", { since: "2026-03-04" }, OPEN],
  ["The day after the last change", { since: "2026-03-05" }, []],
  ["A since after the last change", { since: times[6] ?? "" }, []],
  [
    "All filters at once",
    {
      created_by: "agent",
      project_id: "none",
      url: URL,
      since: times[0] ?? "",
      status: "blocked,done",
    },
    ["blocked"],
  ],
  ["a tag", { tag: "home" }, ["rooms", "walk"]],
  ["a tag, also of closed ones", { tag: "home", closed: "true" }, ["finished", "rooms", "walk"]],
  ["a tag that holds a comma", { tag: "a,b" }, ["walk"]],
  ["a tag in another case", { tag: "HoME" }, ["rooms", "walk"]],
  ["a tag in decomposed letters and another case", { tag: "CAFE\u0301" }, ["trains"]],
  ["a tag without its accent", { tag: "cafe" }, []],
  ["the beginning of a tag", { tag: "hom" }, []],
  ["a tag that is a piece of JSON", { tag: '","' }, []],
  ["due strictly before", { due_before: "2026-03-05" }, ["walk"]],
  ["due before its own start", { due_before: "2026-03-04T00:00:00Z" }, []],
  ["due before a moment after its start", { due_before: "2026-03-04T00:00:01Z" }, ["walk"]],
  ["due after a moment before its start", { due_after: "2026-03-03T23:59:59Z" }, OPEN.slice(2)],
  ["due after its own start", { due_after: "2026-03-04T01:00:00+01:00" }, ["rooms", "trains"]],
  ["due before the day after", { due_before: "2026-03-06" }, ["rooms", "trains", "walk"]],
  ["due strictly after", { due_after: "2026-03-04" }, ["rooms", "trains"]],
  ["due on one day", { due_after: "2026-03-03", due_before: "2026-03-05" }, ["walk"]],
  ["due never", { due_after: "2026-03-05", due_before: "2026-03-04" }, []],
  ["a tag and a date", { tag: "home", due_after: "2026-03-04" }, ["rooms"]],
  [
    "a tag, a date, words, an author and a folder",
    {
      tag: "home",
      due_before: "2026-03-06",
      q: "room",
      created_by: "agent",
      project_id: folder.id,
    },
    ["rooms"],
  ],
  ["dates and a status", { due_before: "2026-03-06", status: "done" }, ["finished"]],
  ["dates, of tasks in no folder", { due_before: "2026-03-06", project_id: "none" }, ["walk"]],
])("%s", async (_name, query, titles) => {
  for (const token of [ann.session, key]) {
    const answer = await call("GET", `/tasks?${new URLSearchParams(query)}`, { token });
    expect(answer.status).toBe(200);
    expect(titlesOf(answer)).toEqual(titles);
  }
});

const LIMIT = "Query parameter limit must be a whole number from 1 to 200.";
const BEFORE = "Query parameter due_before must be a date that exists, such as 2026-01-31.";
const SINCE = "Query parameter since must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.";
const STATUS =
  "Query parameter status must be one or more statuses separated by commas, such as todo,done.";
const CURSOR =
  "Query parameter cursor is not valid. Send the next_cursor of the previous page, or leave cursor out to start again.";

test.each([
  ["limit=0", LIMIT],
  ["limit=201", LIMIT],
  ["limit=-1", LIMIT],
  ["limit=1e9", LIMIT],
  ["limit=1.5", LIMIT],
  ["limit=NaN", LIMIT],
  ["limit=", LIMIT],
  ["limit=%2010", LIMIT],
  ["limit=0x10", LIMIT],
  ["since=", SINCE],
  ["since=yesterday", SINCE],
  ["since=2026-02-30T00:00:00Z", SINCE],
  ["since=2026-02-30", SINCE],
  ["since=1772625600000", SINCE],
  ["since=2026-03-04T12:00:00", SINCE],
  ["since=%27%20OR%201=1--", SINCE],
  ["status=", STATUS],
  ["status=todo,,done", STATUS],
  ["status=to%0Ado", STATUS],
  [`status=${"x".repeat(65)}`, STATUS],
  ["due_before=", BEFORE],
  ["due_before=2026-02-29", BEFORE],
  ["due_before=2026-03-04T25:00:00Z", BEFORE],
  ["due_before=tomorrow", BEFORE],
  ["due_after=2026-3-4", BEFORE.replace("due_before", "due_after")],
  ["tag=", "Query parameter tag must have 1 to 50 characters, but has 0."],
  [`tag=${"x".repeat(51)}`, "Query parameter tag must have 1 to 50 characters, but has 51."],
  ["created_by=bot", "Query parameter created_by must be agent or person."],
  ["project_id=", "Query parameter project_id must have 1 to 1000 characters, but has 0."],
  ["url=", "Query parameter url must have 1 to 8192 characters, but has 0."],
  ["cursor=", CURSOR],
  ["cursor=garbage", CURSOR],
  ["cursor=%00", CURSOR],
  [`cursor=${btoa("[]")}`, CURSOR],
  [`cursor=${btoa('[1,2,3,"h"]')}`, CURSOR],
  [`cursor=${btoa("null")}`, CURSOR],
])("GET /tasks?%s is refused", async (query, error) => {
  expectRefusal(await call("GET", `/tasks?${query}`, { token: ann.session }), 422, error);
});

test("An unescaped plus is read as a plus", async () => {
  const plus = (times[2] ?? "").replace("Z", "+00:00");
  const answer = await call("GET", `/tasks?since=${plus}`, { token: ann.session });
  expect(titlesOf(answer)).toEqual(["blocked", "waiting"]);
});

test.each([["' OR 1=1 --"], ['"; DROP TABLE record; --'], ["%"], ["_"], ["\\"], ["$1"], [":a"]])(
  "SQL in a filter (%s) is ordinary text",
  async (text) => {
    const value = encodeURIComponent(text);
    for (const filter of ["status", "url"]) {
      const answer = await call("GET", `/tasks?${filter}=${value}`, { token: ann.session });
      expect([answer.status, titlesOf(answer)]).toEqual([200, []]);
    }
    expectRefusal(
      await call("GET", `/tasks?project_id=${value}`, { token: ann.session }),
      422,
      'Query parameter project_id does not match any folder in this account. Send an id or exact name from GET /projects. The nearest: "Travel".',
    );
    expect(titlesOf(await call("GET", "/tasks", { token: ann.session }))).toEqual(OPEN);
  },
);

const IN_USE =
  "Query parameter status must be one that this account uses: todo, in_progress, blocked, in_review, done, cancelled, proposed or Waiting for bob.";

test.each([
  ["DONE", ["finished"]],
  [" Completed , blocked", ["finished", "blocked"]],
  ["To Do", ["rooms", "trains", "walk"]],
  ["Waiting for bob", ["waiting"]],
])("A key's status=%s means the statuses that there are", async (status, titles) => {
  const answer = await call("GET", `/tasks?${new URLSearchParams({ status })}`, { token: key });
  expect(titlesOf(answer)).toEqual(titles);
});

test("A key's filter by a status that no task has is refused, and a session's list is empty", async () => {
  for (const status of ["open", "todo,waiting for bob", "deleted"])
    expectRefusal(
      await call("GET", `/tasks?${new URLSearchParams({ status })}`, { token: key }),
      422,
      IN_USE,
    );
  const own = await call("GET", "/tasks?status=DONE", { token: ann.session });
  expect([own.status, titlesOf(own)]).toEqual([200, []]);
});
