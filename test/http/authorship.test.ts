import { expect, test } from "bun:test";
import {
  BY_BOT,
  change,
  folder,
  newcomer,
  note,
  sharedServer,
  tab,
  wholeTask,
} from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call, clock } = server;

/** Fields that replies have, which a caller might try to set for itself. */
const FORGED = {
  id: "forged",
  created_by: "person",
  created_by_key: "forged",
  created_at: "2000-01-01T00:00:00.000Z",
};

/** Other fields that a caller might try. Nobody knows them, so they are refused. */
const INVENTED = {
  uid: "forged",
  user_id: 1,
  account_id: 1,
  accountId: 1,
  email: "evil@example.org",
  plan: "pro",
  pro: true,
  scopes: ["read", "write"],
  createdBy: "person",
  changed_at: 1,
};

test("A body cannot say who made a task, or when", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const url = "https://a.example/";
  const tabs = [{ url, title: "A", ...FORGED, created_at: "2000-01-01T00:00:00Z" }];
  const body = { ...FORGED, title: "t", tabs, notes: [{ text: "n", ...FORGED }] };
  const made = await call("POST", "/tasks", { token, body });
  const filed = tab({ url, title: "A", ...BY_BOT });
  const noted = note({ text: "n", ...BY_BOT });
  const lists = { tabs: [filed], notes: [noted], tab_count: 1, note_count: 1 };
  expect(made.json).toEqual(wholeTask({ title: "t", ...BY_BOT, ...lists }));
  const path = `/tasks/${made.json.id}`;
  expect((await call("POST", `${path}/tabs`, { token, body: tabs })).json).toEqual({
    tabs: [filed],
  });
  const posted = await call("POST", `${path}/notes`, { token, body: { text: "n", ...FORGED } });
  expect(posted.json).toEqual(noted);
  const made2 = await call("POST", "/projects", { token, body: { name: "Travel", ...FORGED } });
  expect(made2.json).toEqual(folder(BY_BOT));
  const inbox = await call("POST", "/inbox/tabs", { token, body: tabs });
  expect(inbox.json.tabs).toEqual([filed]);
  const before = await call("GET", path, { token });
  for (const [name, value] of Object.entries({ ...FORGED, ...INVENTED })) {
    const refused = await call("PATCH", path, { token, body: { [name]: value } });
    expect([name, refused.status]).toEqual([name, 422]);
  }
  for (const [name, value] of Object.entries(INVENTED))
    for (const [to, sent] of [
      ["/tasks", { title: "t" }],
      [`${path}/notes`, { text: "n" }],
      ["/projects", { name: "n" }],
    ] as const) {
      const refused = await call("POST", to, { token, body: { ...sent, [name]: value } });
      expect([to, name, refused.status]).toEqual([to, name, 422]);
    }
  expect((await call("GET", path, { token })).json).toEqual(before.json);
  const pulled = await call("GET", "/sync", { token: ann.session });
  expect(pulled.text).not.toContain("forged");
  expect((await call("GET", "/me", { token })).json.email).toBe(ann.account.email);
});

/** A task by a key called bot, with a tab and a note by the same key, as a device pulled it. */
const withAgentTask = async () => {
  const person = await newcomer(server);
  const token = await person.key();
  const tabs = [{ url: "https://a.example/", title: "A" }];
  const made = await call("POST", "/tasks", { token, body: { title: "t", tabs, notes: ["n"] } });
  const pulled = await call("GET", "/sync", { token: person.session });
  const [row] = pulled.json.changes.sync_tasks as { id: string; payload: Payload }[];
  const push = (payload: unknown, fields: Record<string, unknown> = {}) => {
    clock.advance(1_000);
    const updated_at = new Date(clock.wall()).toISOString();
    const body = [change("sync_tasks", made.json.id as string, payload, { updated_at, ...fields })];
    const path = `/sync?since=${pulled.json.server_time}`;
    return call("POST", path, { token: person.session, body });
  };
  const read = async () =>
    (await call("GET", `/tasks/${made.json.id}`, { token: person.session })).json;
  return { person, payload: (row as { payload: Payload }).payload, made: made.json, push, read };
};

type Item = Record<string, unknown>;
type Payload = { title: string; pages: Item[]; notes: Item[] };

const only = (item: Item, ...fields: readonly string[]): Item =>
  Object.fromEntries(fields.map((field) => [field, item[field]]));

test.each<[string, (payload: Payload) => unknown]>([
  ["pushes it back unchanged", (payload) => payload],
  [
    "keeps only the fields it knows",
    ({ title, pages, notes }) => ({
      title,
      pages: pages.map((page) => only(page, "id", "url", "title")),
      notes: notes.map((item) => only(item, "id", "text")),
    }),
  ],
  [
    "drops even the ids",
    ({ title, pages, notes }) => ({
      title,
      pages: pages.map((page) => only(page, "url", "title")),
      notes: notes.map((item) => only(item, "text")),
    }),
  ],
  [
    "replaces the ids with its own",
    ({ title, pages, notes }) => ({
      title,
      pages: pages.map((page) => ({ ...only(page, "url", "title"), id: "own-1" })),
      notes: notes.map((item) => ({ ...only(item, "text"), id: "own-2" })),
    }),
  ],
  [
    "claims it for a person",
    ({ title, pages, notes }) => ({
      title,
      created_by: "person",
      pages: pages.map((page) => ({ ...page, created_by: "person", created_by_key: null })),
      notes: notes.map((item) => ({ ...item, created_by: "person" })),
    }),
  ],
])("An agent's task stays an agent's when a device %s", async (_name, alter) => {
  const { person, payload, push, read } = await withAgentTask();
  const answer = await push(alter({ ...payload, title: "renamed by ann" }), {
    created_by: "person",
  });
  expect(answer.json).toMatchObject({ applied: 1, rejected: [], invalid: [] });
  const whole = await read();
  expect(whole).toMatchObject({ title: "renamed by ann", ...BY_BOT });
  expect(whole.tabs).toMatchObject([{ url: "https://a.example/", ...BY_BOT }]);
  expect(whole.notes).toMatchObject([{ text: "n", ...BY_BOT }]);
  const pulled = await call("GET", "/sync", { token: person.session });
  expect(pulled.json.changes.sync_tasks).toMatchObject([BY_BOT]);
  const agents = await call("GET", "/tasks?created_by=agent", { token: person.session });
  expect(agents.json.tasks).toHaveLength(1);
});

test("An agent's task stays an agent's after it is deleted and restored", async () => {
  const { payload, push, read } = await withAgentTask();
  await push({}, { deleted_at: "2026-03-04T12:00:00Z" });
  await push({ title: payload.title, pages: [], notes: [] });
  expect(await read()).toMatchObject({ ...BY_BOT, tab_count: 0 });
});

test("A person's work stays a person's, whatever a payload says about agents", async () => {
  const ann = await newcomer(server);
  const author = { created_by: "agent", created_by_key: "bot" };
  const pages = [{ id: "p", url: "https://a.example/", ...author }];
  const payload = { title: "t", pages, notes: [{ id: "n", text: "n", ...author }], ...author };
  const body = [change("sync_tasks", "t", payload, author)];
  await call("POST", "/sync", { token: ann.session, body });
  const { json } = await call("GET", "/tasks/t", { token: ann.session });
  const person = { created_by: "person", created_by_key: null };
  expect(json).toMatchObject({ ...person, tabs: [person], notes: [person] });
  const pulled = await call("GET", "/sync", { token: ann.session });
  expect(pulled.json.changes.sync_tasks).toMatchObject([{ created_by: "person", payload }]);
});

test("An agent that changes a person's task does not become its author", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const made = await call("POST", "/tasks", { token: ann.session, body: { title: "t" } });
  const answer = await call("PATCH", `/tasks/${made.json.id}`, { token, body: { title: "u" } });
  expect(answer.json).toMatchObject({ title: "u", created_by: "person", created_by_key: null });
});

test("A person's tab beside an agent's equal one stays a person's", async () => {
  const { payload, push, read } = await withAgentTask();
  const own = { url: "https://a.example/", title: "my own" };
  await push({ ...payload, pages: [own, ...payload.pages] });
  const authors = async () =>
    ((await read()).tabs as Item[]).map((filed) => [filed["title"], filed["created_by"]]);
  expect(await authors()).toEqual([
    ["my own", "person"],
    ["A", "agent"],
  ]);
  // Both come back without ids, and then only the person's.
  await push({ ...payload, pages: [own, only(payload.pages[0] ?? {}, "url", "title")] });
  expect(await authors()).toEqual([
    ["my own", "person"],
    ["A", "agent"],
  ]);
  await push({ ...payload, pages: [own] });
  expect(await authors()).toEqual([["my own", "person"]]);
});
