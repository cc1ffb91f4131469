import { expect, test } from "bun:test";
import type { Person } from "../support/server.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

const push = (person: Person, body: unknown) =>
  call("POST", "/sync", { token: person.session, body });
const pull = async (person: Person) =>
  (await call("GET", "/sync", { token: person.session })).json.changes;

const task = (id: string, title: string, fields: Record<string, unknown> = {}) =>
  change("sync_tasks", id, { title }, fields);

const row = (id: string, payload: unknown, fields: Record<string, unknown> = {}) => ({
  id,
  updated_at: "2026-03-04T12:00:00.000Z",
  deleted_at: null,
  payload,
  created_by: "person",
  created_by_key: null,
  ...fields,
});

const ALL = (applied: number) => ({ applied, rejected: [], merged: [], invalid: [] });
const at = (seconds: number) => ({ updated_at: `2026-03-04T12:00:0${seconds}.000Z` });

test("Records of all three tables are accepted and come back", async () => {
  const ann = await newcomer(server);
  const body = [
    task("t", "Plan"),
    change("sync_projects", "p", { name: "Travel", order: [1, { deep: null }] }),
    change("sync_buckets", "b", { name: "Today", kind: "list" }),
  ];
  const answer = await push(ann, body);
  expect([answer.status, answer.json]).toEqual([200, ALL(3)]);
  expect(await pull(ann)).toEqual({
    sync_tasks: [row("t", { title: "Plan" })],
    sync_projects: [row("p", { name: "Travel", order: [1, { deep: null }] })],
    sync_buckets: [row("b", { name: "Today", kind: "list" })],
  });
});

test("An empty push is a push too", async () => {
  expect((await push(await newcomer(server), [])).json).toEqual(ALL(0));
});

test("Of 501 records none is applied; of 500 all are", async () => {
  const ann = await newcomer(server);
  const records = Array.from({ length: 501 }, (_, n) => task(`t${n}`, String(n)));
  expectRefusal(await push(ann, records), 422, "The body must have 0 to 500 items, but has 501.");
  expect((await pull(ann)).sync_tasks).toEqual([]);
  expect((await push(ann, records.slice(1))).json).toEqual(ALL(500));
  expect((await pull(ann)).sync_tasks).toHaveLength(500);
});

test("One bad record among 500 is listed, and the others are applied", async () => {
  const ann = await newcomer(server);
  const records = Array.from({ length: 500 }, (_, n) => task(`t${n}`, String(n)));
  const body = records.with(250, task("t250", "250", { updated_at: "2026-02-30T12:00:00Z" }));
  const error = "updated_at must be a valid RFC 3339 time, such as 2026-01-31T09:30:00.000Z.";
  const invalid = [{ index: 250, table: "sync_tasks", id: "t250", error }];
  expect((await push(ann, body)).json).toEqual({ ...ALL(499), invalid });
  expect((await pull(ann)).sync_tasks).toHaveLength(499);
});

test("A record older than the server's is rejected with the row that GET /sync returns", async () => {
  const ann = await newcomer(server);
  await push(ann, [change("sync_tasks", "t", { title: "newer", pages: [], "x-own": 1 }, at(2))]);
  const answer = await push(ann, [task("t", "older", at(1))]);
  const [server_row] = (await pull(ann)).sync_tasks as unknown[];
  const rejected = [{ table: "sync_tasks", id: "t", ...at(1), reason: "stale", server_row }];
  expect([answer.status, answer.json]).toEqual([200, { ...ALL(0), rejected }]);
});

test("Pushing the same record again is no change for any device", async () => {
  const ann = await newcomer(server);
  await push(ann, [task("t", "Plan")]);
  const { json } = await call("GET", "/sync", { token: ann.session });
  const answer = await push(ann, [
    task("t", "Plan"),
    { ...task("t", "Plan"), extra: "passed over" },
  ]);
  expect(answer.json).toEqual(ALL(2));
  const news = await call("GET", `/sync?since=${json.server_time}`, { token: ann.session });
  expect(news.json.changes.sync_tasks).toEqual([]);
});

test.each<[string, unknown[], unknown]>([
  [
    "One id twice in a push is applied in order",
    [task("t", "a", at(1)), task("t", "b", at(2))],
    row("t", { title: "b" }, at(2)),
  ],
  [
    "One id twice, the older record last",
    [task("t", "b", at(2)), task("t", "a", at(1))],
    row("t", { title: "b" }, at(2)),
  ],
  ["A tie is decided by the content", [task("t", "a"), task("t", "b")], row("t", { title: "b" })],
  ["A tie, the other way round", [task("t", "b"), task("t", "a")], row("t", { title: "b" })],
  [
    "Equal instants in different text are a tie",
    [
      task("t", "b", { updated_at: "2026-03-04T12:00:00Z" }),
      task("t", "a", { updated_at: "2026-03-04T13:00:00.0+01:00" }),
    ],
    row("t", { title: "b" }, { updated_at: "2026-03-04T12:00:00Z" }),
  ],
  [
    "A tombstone wins a tie in either order",
    [task("t", "z", { deleted_at: "2026-03-04T12:00:00Z" }), task("t", "zz")],
    row("t", { title: "z" }, { deleted_at: "2026-03-04T12:00:00.000Z" }),
  ],
  [
    "A later live version brings a deleted record back",
    [task("t", "gone", { deleted_at: "2026-03-04T12:00:00Z" }), task("t", "back", at(1))],
    row("t", { title: "back" }, at(1)),
  ],
  [
    "The client's own text of updated_at comes back",
    [task("t", "a", { updated_at: "2026-03-04t13:00:00.123456789+01:00" })],
    row("t", { title: "a" }, { updated_at: "2026-03-04t13:00:00.123456789+01:00" }),
  ],
  [
    "A very old stamp is accepted",
    [task("t", "a", { updated_at: "0001-01-01T00:00:00Z" })],
    row("t", { title: "a" }, { updated_at: "0001-01-01T00:00:00Z" }),
  ],
  [
    "Fields may change their types",
    [
      change("sync_tasks", "t", { title: "a", pages: [] }),
      change("sync_tasks", "t", { title: 5, pages: {} }, at(1)),
    ],
    row("t", { title: 5, pages: {} }, at(1)),
  ],
])("%s", async (_name, body, expected) => {
  const ann = await newcomer(server);
  await push(ann, body);
  expect((await pull(ann)).sync_tasks).toEqual([expected]);
});

const NOON = "2026-03-04T12:00:00.000Z";

test.each<[string, unknown, string | null]>([
  ["beside the payload", task("t", "a", { deleted_at: "2026-03-04T13:00:00+01:00" }), NOON],
  ["without a payload", { table: "sync_tasks", id: "t", updated_at: NOON, deleted_at: NOON }, NOON],
  ["inside the payload", change("sync_tasks", "t", { deleted_at: NOON }), NOON],
  [
    "inside the payload, but null beside it",
    change("sync_tasks", "t", { deleted_at: NOON }, { deleted_at: null }),
    null,
  ],
  [
    "inside the payload, but not a time",
    change("sync_tasks", "t", { deleted_at: "yesterday" }),
    null,
  ],
  ["inside the payload, but not text", change("sync_tasks", "t", { deleted_at: true }), null],
  ["inside the payload, but null", change("sync_tasks", "t", { deleted_at: null }), null],
])("A tombstone is recognised: deleted_at %s", async (_name, record, deletedAt) => {
  const ann = await newcomer(server);
  expect((await push(ann, [record])).json).toEqual(ALL(1));
  const [stored] = (await pull(ann)).sync_tasks as { deleted_at: unknown }[];
  expect(stored?.deleted_at).toBe(deletedAt);
  const read = await call("GET", "/tasks/t", { token: ann.session });
  expect(read.status).toBe(deletedAt === null ? 200 : 404);
});

test("A record that is absent from a push is not deleted", async () => {
  const ann = await newcomer(server);
  await push(ann, [task("a", "a"), task("b", "b")]);
  await push(ann, [task("a", "c", at(1))]);
  expect((await pull(ann)).sync_tasks).toHaveLength(2);
});
