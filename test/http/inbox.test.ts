import { expect, test } from "bun:test";
import type { Person } from "../support/server.ts";
import {
  BY_BOT,
  change,
  expectRefusal,
  newcomer,
  sharedServer,
  tab,
  taskRow,
} from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const TABS = [{ url: "https://a.example/", title: "A" }, { url: "https://b.example/" }];

const file = (token: string, body: unknown = TABS) => call("POST", "/inbox/tabs", { token, body });

/** A person whose inbox task holds two tabs from their key. */
const withInbox = async () => {
  const person = await newcomer(server);
  const token = await person.key();
  const filed = await file(token);
  server.clock.advance(1_000);
  return { person, token, id: filed.json.task.id as string };
};

const push = (person: Person, id: string, payload: unknown, fields = {}) => {
  const updated_at = new Date(server.clock.wall()).toISOString();
  const body = [change("sync_tasks", id, payload, { updated_at, ...fields })];
  return call("POST", "/sync", { token: person.session, body });
};

test("Tabs without a task go into a task called Agent unsorted", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const filed = await file(token);
  const at = new Date(server.clock.wall()).toISOString();
  const times = { created_at: at, updated_at: at };
  expect(filed.status).toBe(201);
  expect(filed.json).toEqual({
    tabs: [
      tab({ url: "https://a.example/", title: "A", created_at: at, ...BY_BOT }),
      tab({ url: "https://b.example/", title: "https://b.example/", created_at: at, ...BY_BOT }),
    ],
    task: taskRow({ title: "Agent unsorted", tab_count: 2, ...times, ...BY_BOT }),
  });
});

test("The next tabs go to the end of the same task, whoever files them", async () => {
  const { person, token, id } = await withInbox();
  const filed = await file(person.session, [{ url: "about:config" }]);
  expect(filed.json.task).toMatchObject({ id, tab_count: 3, created_by: "agent" });
  expect(filed.json.tabs).toMatchObject([{ url: "about:config", created_by: "person" }]);
  const whole = await call("GET", `/tasks/${id}`, { token });
  const urls = (whole.json.tabs as { url: string }[]).map(({ url }) => url);
  expect(urls).toEqual(["https://a.example/", "https://b.example/", "about:config"]);
});

test("The inbox is recognised by its id: ann's own task with that title stays hers", async () => {
  const ann = await newcomer(server);
  await push(ann, "mine", { title: "Agent unsorted", status: "todo" });
  const filed = await file(await ann.key());
  expect(filed.json.task.id).not.toBe("mine");
  const mine = await call("GET", "/tasks/mine", { token: ann.session });
  expect(mine.json.tab_count).toBe(0);
});

test("An inbox that is in progress, coloured or in a folder is still the inbox", async () => {
  const { token, id } = await withInbox();
  await call("POST", "/projects", { token, body: { name: "Inbox" } });
  const body = { status: "in_progress", colour: "red", folder: "Inbox" };
  await call("PATCH", `/tasks/${id}`, { token, body });
  expect((await file(token)).json.task.id).toBe(id);
});

type Inbox = Awaited<ReturnType<typeof withInbox>>;

test.each<[string, (inbox: Inbox) => Promise<unknown>]>([
  ["renamed", ({ token, id }) => call("PATCH", `/tasks/${id}`, { token, body: { title: "Kept" } })],
  ["closed", ({ token, id }) => call("PATCH", `/tasks/${id}`, { token, body: { status: "done" } })],
  [
    "moved to the trash",
    ({ person, id }) => push(person, id, { title: "Agent unsorted", bucket_id: "trash" }),
  ],
  ["deleted", ({ person, id }) => push(person, id, {}, { deleted_at: "2026-03-04T12:00:00Z" })],
  [
    "full",
    ({ person, id }) =>
      push(person, id, { title: "Agent unsorted", fill: "x".repeat(1024 * 1024 - 100) }),
  ],
  [
    "changed by the extension to a shape of its own",
    ({ person, id }) => push(person, id, { title: "Agent unsorted", pages: { a: 1 } }),
  ],
])("An inbox that was %s is left alone, and a new one is created", async (_name, alter) => {
  const inbox = await withInbox();
  await alter(inbox);
  const pull = async () => (await call("GET", "/sync", { token: inbox.person.session })).json;
  const rowOf = (reply: { changes: { sync_tasks: { id: string }[] } }) =>
    reply.changes.sync_tasks.find(({ id }) => id === inbox.id);
  const before = rowOf(await pull());
  const next = await file(inbox.token);
  expect(next.status).toBe(201);
  expect(next.json.task).toMatchObject({ title: "Agent unsorted", tab_count: 2 });
  expect(next.json.task.id).not.toBe(inbox.id);
  expect(rowOf(await pull())).toEqual(before as { id: string });
  expect((await file(inbox.token)).json.task.id).toBe(next.json.task.id);
});

test("An inbox that came back from the trash is the inbox again", async () => {
  const { person, token, id } = await withInbox();
  await push(person, id, { title: "Agent unsorted", bucket_id: "trash" });
  server.clock.advance(1_000);
  await push(person, id, { title: "Agent unsorted" });
  expect((await file(token)).json.task.id).toBe(id);
});

test("Each person has an inbox of their own", async () => {
  const { id } = await withInbox();
  const bob = await newcomer(server, "bob");
  expect((await file(bob.session)).json.task.id).not.toBe(id);
});

test.each([
  [[], "The body must have 1 to 100 items, but has 0."],
  [Array.from({ length: 101 }, () => TABS[0]), "The body must have 1 to 100 items, but has 101."],
  [{ tabs: TABS }, 'The body must be an array, such as [{"url": "https://…"}].'],
  [["https://a.example/"], '0 must be an object, such as {"url": "https://…"}.'],
  [[TABS[0], {}], "1.url is missing."],
  [[{ url: "" }], "0.url must have 1 to 8192 characters, but has 0."],
  [[{ url: 5 }], "0.url must be a URL."],
  [[{ url: " " }], "0.url must be a URL."],
  [
    [{ url: "https://a.example/", title: 5 }],
    "0.title must be a string of at most 500 characters, or null.",
  ],
  [
    [{ url: "https://a.example/", title: "x".repeat(512) }],
    "0.title must be a string of at most 500 characters, or null. It has 512.",
  ],
  [
    [TABS[0], { url: "ftp://a.example/" }],
    "The url of tab 1 must be a full http:// or https:// address.",
  ],
])("Tabs like %j are all refused", async (body, error) => {
  const { person, token, id } = await withInbox();
  expectRefusal(await call("POST", "/inbox/tabs", { token, body }), 422, error);
  expectRefusal(await call("POST", `/tasks/${id}/tabs`, { token, body }), 422, error);
  const inbox = await call("GET", `/tasks/${id}`, { token: person.session });
  expect(inbox.json.tab_count).toBe(2);
});
