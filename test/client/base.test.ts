import { afterAll, afterEach, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { addNote, createTask, removeTabs, setTask } from "../../src/client/edits.ts";
import { startInProcess } from "../model/witness/server.ts";
import { ask, type PullReply } from "../model/witness/wire.ts";
import { type Line, newAddress, newLine, openWindow } from "../support/client/person.ts";

// Each pushed record names the version that the person edited.

const server = await startInProcess(Date.parse("2026-03-04T12:00:00.000Z"));
afterAll(() => server.end());

const put = IDBObjectStore.prototype.put;
afterEach(() => {
  IDBObjectStore.prototype.put = put;
});

type Pushed = {
  readonly id: string;
  readonly updated_at: string;
  readonly base_updated_at?: string;
  readonly expected_updated_at?: string | null;
  readonly base_rev?: string;
  readonly expected_rev?: string;
};

const newPerson = async () => {
  const person = await server.person(["laptop"], ["bot"]);
  const token = person.sessions.get("laptop") ?? "";
  const line = newLine(server.url, token);
  const address = newAddress();
  const pushes: (readonly Pushed[])[] = [];
  line.onRequest = (_path, { method, body }) => {
    if (method === "POST") pushes.push(JSON.parse(body as string) as readonly Pushed[]);
  };
  const agent = (path: string, body: unknown) => {
    pass(1_000);
    return ask(server.url(), person.keys.get("bot")?.secret ?? "", "POST", path, body);
  };
  const stored = async (id: string) => {
    const reply = await ask<PullReply>(server.url(), token, "GET", "/sync");
    return reply?.changes.sync_tasks.find((row) => row.id === id);
  };
  return {
    line,
    agent,
    stored,
    pushes,
    open: () => openWindow(line, address, { now: server.now }),
    /** What the last push said of a task. */
    pushed: (id: string) => pushes.at(-1)?.find((record) => record.id === id),
  };
};

const pass = (ms: number): void => server.set(server.now() + ms);

const title = async (client: Client, to: string): Promise<string> => {
  pass(1_000);
  await client.edit("Renamed", [setTask("one", { title: to })]);
  return updatedAt(client);
};

const updatedAt = (client: Client): string => client.state().tasks.get("one")?.updatedAt ?? "";

const create = (client: Client): Promise<unknown> =>
  client.edit("Created", [createTask({ id: "one", title: "One" })]);

/** Something that happens once, after the server has answered and before the device hears of it. */
const before = (line: Line, method: string, job: () => Promise<unknown>): void => {
  line.meanwhile = async (_path, init) => {
    if (init.method !== method) return;
    line.meanwhile = () => Promise.resolve();
    await job();
  };
};

const breakLine = (): Promise<never> => Promise.reject(new TypeError("Failed to fetch"));

test("a new record names no version, however often it was edited before the push", async () => {
  const { open, pushed } = await newPerson();
  const client = await open();
  await create(client);
  await title(client, "Two");
  await client.sync();
  expect(pushed("one")).toMatchObject({ id: "one" });
  expect(pushed("one")).not.toHaveProperty("base_updated_at");
});

test("edits that wait together name the version before the first of them, also after a crash", async () => {
  const { open, pushed } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  const base = updatedAt(client);
  await title(client, "Two");
  client.close();
  const again = await open();
  await title(again, "Three");
  await again.sync();
  expect(pushed("one")).toMatchObject({ base_updated_at: base });
});

test("an edit names the version that a pull brought, or the reply to a push", async () => {
  const { open, pushed, pushes, agent, line, stored } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  await agent("/tasks/one/notes", { text: "Pulled" });
  await client.sync();
  const pulled = updatedAt(client);
  await title(client, "Two");
  await agent("/tasks/one/notes", { text: "Replied" });
  const replied = (await stored("one"))?.updated_at ?? "";
  before(line, "GET", breakLine);
  await client.sync();
  // The server has a later version: it takes nothing, and the edit is made again on that.
  const [refused, again] = pushes.slice(-2).map((push) => push[0]);
  expect(refused).toMatchObject({ base_updated_at: pulled, expected_updated_at: pulled });
  expect(again).toMatchObject({ base_updated_at: replied, expected_updated_at: replied });
  expect(client.state().tasks.get("one")?.notes).toHaveLength(2);
  expect(updatedAt(client)).toBe(again?.updated_at ?? "");
  await title(client, "Three");
  await client.sync();
  expect(pushed("one")).toMatchObject({ base_updated_at: again?.updated_at });
});

test("an edit names the revision that a pull, a rejected row or the reply to a push gave", async () => {
  const { open, pushed, pushes, agent, line, stored } = await newPerson();
  const client = await open();
  const revOf = async () => ((await stored("one")) as { readonly rev?: string } | undefined)?.rev;
  await create(client);
  await client.sync();
  expect(pushed("one")).not.toContainKey("expected_rev");
  const replied = await revOf();
  before(line, "GET", breakLine);
  await title(client, "Two");
  await client.sync();
  expect(pushed("one")).toMatchObject({ base_rev: replied, expected_rev: replied });
  await agent("/tasks/one/notes", { text: "Pulled" });
  await client.sync();
  const pulled = await revOf();
  await title(client, "Three");
  await agent("/tasks/one/notes", { text: "Rejected" });
  const rejected = await revOf();
  await client.sync();
  const names = pushes.slice(-2).map(([push]) => [push?.base_rev, push?.expected_rev]);
  expect(names).toEqual([
    [pulled, pulled],
    [rejected, rejected],
  ]);
  // After a restore, what was lost has no revision that the server could know.
  const backup = await server.command("backup");
  await title(client, "Four");
  await client.sync();
  await server.restore(backup);
  await title(client, "Five");
  await client.sync();
  expect((await stored("one"))?.payload).toMatchObject({ title: "Five" });
  const last = pushes.slice(-2).map(([push]) => push?.expected_rev);
  expect(last).not.toContain(rejected);
});

test("a tab that only the reply to a push brought can be removed at once", async () => {
  const { open, agent, line, stored } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  await agent("/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  await title(client, "Two");
  before(line, "POST", () => {
    before(line, "GET", breakLine);
    return Promise.resolve();
  });
  await client.sync();
  const [tab] = client.state().tasks.get("one")?.tabs ?? [];
  pass(1_000);
  await client.edit("Removed", [removeTabs("one", [tab?.id ?? ""])]);
  await client.sync();
  expect((await stored("one"))?.payload.pages).toEqual([]);
});

test("edits made during a push name the version that it sends", async () => {
  const { open, pushes, line } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  const base = updatedAt(client);
  const sent = await title(client, "Two");
  before(line, "POST", async () => {
    await title(client, "Three");
    await title(client, "Four");
  });
  await client.sync();
  expect(pushes.slice(-2)).toMatchObject([
    [{ updated_at: sent, base_updated_at: base }],
    [{ updated_at: updatedAt(client), base_updated_at: sent }],
  ]);
});

test("what was sent without a reply is sent again before a later edit, which names it, also after a crash", async () => {
  const { open, pushes, line } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  const base = updatedAt(client);
  const sent = await title(client, "Two");
  line.fate = "reply lost";
  await client.sync();
  client.close();
  const again = await open();
  line.fate = "request lost";
  await title(again, "Three");
  const last = await title(again, "Four");
  again.close();
  line.fate = "answered";
  pushes.length = 0;
  const third = await open();
  before(line, "POST", breakLine);
  await third.sync();
  await third.sync();
  expect(pushes).toMatchObject([
    [{ updated_at: sent, base_updated_at: base, payload: { title: "Two" } }],
    [{ updated_at: sent, base_updated_at: base, payload: { title: "Two" } }],
    [{ updated_at: last, base_updated_at: sent, payload: { title: "Four" } }],
  ]);
  expect(third.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
});

test("an edit after a push that never arrived keeps what an agent did before, also after a restore", async () => {
  const { open, agent, line, stored } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  await agent("/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  line.fate = "request lost";
  await title(client, "Two");
  await client.sync();
  expect(client.state().sync.kind).toBe("offline");
  await title(client, "Three");
  await server.restore(await server.command("backup"));
  line.fate = "answered";
  await client.sync();
  expect((await stored("one"))?.payload).toMatchObject({
    title: "Three",
    pages: [{ url: "https://agent.example/" }],
  });
});

test("an edit made while the server refuses the one before it names what that one did", async () => {
  const { open, pushes, line } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  const base = updatedAt(client);
  pass(1_000);
  await client.edit("Renamed", [setTask("one", { title: "x".repeat(2_000_000) })]);
  before(line, "POST", () => title(client, "Two"));
  await client.sync();
  expect(pushes.at(-1)).toMatchObject([{ base_updated_at: base, payload: { title: "Two" } }]);
  expect(client.state()).toMatchObject({ waiting: 0, refused: [], sync: { kind: "idle" } });
});

test("an edit that mends one that the server refused names the version before that", async () => {
  const { open, pushed } = await newPerson();
  const client = await open();
  await create(client);
  await client.sync();
  const base = updatedAt(client);
  pass(1_000);
  await client.edit("Note added", [addNote("one", { text: "x".repeat(2_000_000) })]);
  await client.sync();
  expect(client.state().refused).toHaveLength(1);
  await title(client, "Two");
  await client.sync();
  expect(pushed("one")).toMatchObject({ base_updated_at: base });
});

test("after a restore, what nobody edited names itself, and so does the first edit of it", async () => {
  const { open, pushes, pushed, line } = await newPerson();
  const client = await open();
  const backup = await server.command("backup");
  await create(client);
  await client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  await client.sync();
  const base = updatedAt(client);
  await server.restore(backup);
  before(line, "GET", () => title(client, "Edited"));
  pushes.length = 0;
  await client.sync();
  const edited = updatedAt(client);
  // The edit, which dropped the first reply; everything as it was; the edit on top of that.
  const edit = { id: "one", updated_at: edited, base_updated_at: base, expected_updated_at: base };
  const [resentOne, resentTwo] = ["one", "two"].map((id) => ({
    id,
    updated_at: base,
    base_updated_at: base,
    expected_updated_at: base,
  }));
  expect(pushes).toMatchObject([[edit], [resentOne, resentTwo], [edit]]);

  await server.restore(backup);
  before(line, "GET", () => {
    before(line, "POST", breakLine);
    return Promise.resolve();
  });
  await client.sync();
  await title(client, "Edited again");
  await client.sync();
  expect(pushed("one")).toMatchObject({ base_updated_at: edited });
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
});

test("when the browser has no room to note that edits are sent, they are sent all the same", async () => {
  const { open, stored } = await newPerson();
  const client = await open();
  await client.sync();
  await create(client);
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("There is no room.", "QuotaExceededError");
  };
  await client.sync();
  expect(client.state()).toMatchObject({ storage: "full", waiting: 1 });
  expect((await stored("one"))?.payload.title).toBe("One");
  IDBObjectStore.prototype.put = put;
  await client.sync();
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
});
