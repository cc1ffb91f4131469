import { expect, test } from "bun:test";
import { change, newcomer, sharedServer, titlesOf } from "../support/replies.ts";
import { meeting } from "../support/http/meeting.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call } = server;

const SET = { due: "2026-03-04", tags: ["work", "home"], position: "a0" };
const UNSET = { due: null, tags: [], position: null };

/** Ann, with hands for her device and her key. */
const someone = async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const rest = async (method: string, path: string, body?: unknown) => {
    server.clock.advance(1_000);
    return (await call(method, path, { token, body })).json;
  };
  const stored = async (id: string) => {
    const { json } = await call("GET", "/sync", { token: ann.session });
    const rows = json.changes.sync_tasks as { id: string; payload: Record<string, unknown> }[];
    return rows.find((row) => row.id === id)?.payload;
  };
  const push = (id: string, payload: object) =>
    call("POST", "/sync", { token: ann.session, body: [change("sync_tasks", id, payload)] });
  return { ann, token, rest, stored, push };
};

test("a task is made with a date, tags and a position, and every reply shows them", async () => {
  const { rest, stored } = await someone();
  const made = await rest("POST", "/tasks", { title: "t", ...SET });
  expect(made).toMatchObject(SET);
  expect(await rest("GET", `/tasks/${made.id}`)).toMatchObject(SET);
  expect((await rest("GET", "/tasks")).tasks).toMatchObject([SET]);
  expect(await rest("PATCH", `/tasks/${made.id}`, { title: "u" })).toMatchObject(SET);
  expect(await stored(made.id)).toMatchObject({ title: "u", ...SET });
});

test("a task without them shows null and an empty list, and its payload does not have them", async () => {
  const { rest, stored } = await someone();
  const made = await rest("POST", "/tasks", { title: "t" });
  expect(made).toMatchObject(UNSET);
  const payload = await stored(made.id);
  expect(Object.keys(payload ?? {})).not.toContainAnyValues(["due", "tags", "position"]);
});

test("what is sent is changed, and null or an empty list removes", async () => {
  const { rest, stored } = await someone();
  const { id } = await rest("POST", "/tasks", { title: "t", ...SET });
  const change1 = { due: "2026-04-01", tags: ["new"], position: "a1" };
  expect(await rest("PATCH", `/tasks/${id}`, change1)).toMatchObject(change1);
  expect(
    await rest("PATCH", `/tasks/${id}`, { due: null, tags: [], position: null }),
  ).toMatchObject(UNSET);
  expect(await stored(id)).toMatchObject({ due: null, tags: null, position: null });
  await rest("PATCH", `/tasks/${id}`, SET);
  expect(await rest("PATCH", `/tasks/${id}`, { tags: null })).toMatchObject({ ...SET, tags: [] });
});

test("a tag that is sent twice is kept once", async () => {
  const { rest, stored } = await someone();
  const made = await rest("POST", "/tasks", { title: "t", tags: ["b", "a", "b"] });
  expect(made.tags).toEqual(["b", "a"]);
  expect((await stored(made.id))?.["tags"]).toEqual(["b", "a"]);
});

test("A tag that is sent twice in other cases or letters is kept once, in its first spelling", async () => {
  const { rest, stored } = await someone();
  const tags = ["Work", "Caf\u00E9", "WORK", "cafe\u0301"];
  const made = await rest("POST", "/tasks", { title: "t", tags });
  expect(made.tags).toEqual(["Work", "Caf\u00E9"]);
  expect((await stored(made.id))?.["tags"]).toEqual(["Work", "Caf\u00E9"]);
});

test("A tag that the task has in another case or letters is not added again, and keeps its spelling", async () => {
  const { rest, stored } = await someone();
  const { id } = await rest("POST", "/tasks", { title: "t", tags: ["Work", "Caf\u00E9"] });
  const changed = await rest("PATCH", `/tasks/${id}`, { tags: ["work", "CAFE\u0301", "new"] });
  expect(changed.tags).toEqual(["Work", "Caf\u00E9", "new"]);
  expect((await stored(id))?.["tags"]).toEqual(["Work", "Caf\u00E9", "new"]);
});

test("A device may keep a tag in two cases: rows show it once, and the payload stays as it is", async () => {
  const { ann, rest, stored, push } = await someone();
  const own = { title: "t", tags: ["Work", "work", "Cafe\u0301", "caf\u00E9"] };
  await push("t", own);
  expect((await rest("GET", "/tasks/t")).tags).toEqual(["Work", "Cafe\u0301"]);
  for (const tag of ["WORK", "CAF\u00C9"]) {
    const found = await call("GET", `/tasks?${new URLSearchParams({ tag })}`, {
      token: ann.session,
    });
    expect(titlesOf(found)).toEqual(["t"]);
  }
  expect(await stored("t")).toEqual(own);
});

test.each([
  ["the same values again", SET, SET],
  ["the same tags in another case", SET, { tags: ["WORK", "Home", "work"] }],
  ["the same tags, one of them twice", SET, { tags: ["work", "home", "work"] }],
  ["null where there is nothing", {}, { due: null, tags: null, position: null }],
  ["an empty list where there is none", {}, { tags: [] }],
  ["an empty list where there is one", { tags: [] }, { tags: [] }],
])("%s change nothing", async (_name, has, sent) => {
  const { rest, push } = await someone();
  await push("t", { title: "t", ...has });
  const before = await rest("GET", "/tasks/t");
  const { tabs: _tabs, notes: _notes, ...row } = before;
  expect(await rest("PATCH", "/tasks/t", sent)).toEqual(row);
});

test("what a device keeps there in a form of its own stays as it is until it is changed", async () => {
  const { rest, stored, push } = await someone();
  const own = { title: "t", due: "soon", tags: ["a", 5, "a"], position: 3 };
  await push("t", own);
  expect(await rest("PATCH", "/tasks/t", { title: "u" })).toMatchObject({ ...UNSET, tags: ["a"] });
  expect(await stored("t")).toEqual({ ...own, title: "u" });
  expect(await rest("PATCH", "/tasks/t", { tags: ["b"] })).toMatchObject({ tags: ["b"] });
  expect(await stored("t")).toEqual({ ...own, title: "u", tags: ["b"] });
});

test("pages of a filtered list go on with the same filters, and with no others", async () => {
  const { token, rest } = await someone();
  for (const title of ["a", "b", "c"])
    await rest("POST", "/tasks", { title, tags: ["home"], due: "2026-03-04" });
  await rest("POST", "/tasks", { title: "d", tags: ["work"] });
  const query = { tag: "home", due_before: "2026-03-05", limit: "2" };
  const list = (more: object) =>
    call("GET", `/tasks?${new URLSearchParams({ ...query, ...more })}`, { token });
  const first = await list({});
  expect(titlesOf(first)).toEqual(["c", "b"]);
  const cursor = first.json.next_cursor as string;
  expect(titlesOf(await list({ cursor }))).toEqual(["a"]);
  expect((await list({ cursor, tag: "work" })).status).toBe(422);
  expect((await list({ cursor, due_before: "2026-03-06" })).status).toBe(422);
});

test.each<[string, unknown, unknown]>([
  ["due", "2026-03-04", "2026-04-01"],
  ["tags", ["home"], ["home", "work"]],
  ["position", "a0", "a1"],
])(
  "what the bot set as %s is kept against a phone that has not seen it, and is the phone's own to change",
  async (field, before, after) => {
    const { phone, sets, row } = await meeting(server);
    await phone.push({ title: "milk", [field]: before });
    const { server_time: since } = await phone.pull();
    await sets({ [field]: after });
    const answer = await phone.push({ title: "bread", [field]: before }, { since });
    expect(answer.json.merged).toMatchObject([{ id: "t" }]);
    expect((await row()).payload).toEqual({ title: "bread", [field]: after });
    const { server_time } = await phone.pull();
    await phone.push({ title: "bread", [field]: before }, { since: server_time });
    expect((await row()).payload).toEqual({ title: "bread", [field]: before });
  },
);

test("a phone that sends an empty list where there was none has changed no tags", async () => {
  const { phone, sets, row } = await meeting(server);
  const { server_time: since } = await phone.pull();
  await sets({ tags: ["home"] });
  const answer = await phone.push({ title: "bread", tags: [] }, { since });
  expect(answer.json.merged).toMatchObject([{ id: "t" }]);
  expect((await row()).payload).toEqual({ title: "bread", tags: ["home"] });
});
