import { readDocket } from "../../src/import/docket.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  addNote,
  addTabs,
  createTask,
  moveTabs,
  remove,
  removeTabs,
  setNote,
  setTab,
  setTask,
} from "../../src/client/edits.ts";
import type { Client } from "../../src/client/client.ts";
import { startServer, testClock, type TestServer } from "../support/server.ts";
import { type Line, newAddress, newLine, openWindow } from "../support/client/person.ts";

let server: TestServer;
let people = 0;

beforeAll(async () => {
  server = await startServer({
    clock: testClock(Date.now()),
    limits: { perMinute: 100_000, perHour: 100_000 },
  });
});
afterAll(() => server.stop());

const newPerson = async () => {
  const person = await server.person(`ann${(people += 1)}@example.org`);
  const line = newLine(() => server.url, person.session);
  const key = await person.key();
  const agent = (method: string, path: string, body: unknown) => {
    server.clock.advance(1_000);
    return server.call(method, path, { token: key, body });
  };
  const now = () => server.clock.wall();
  const stored = async (id: string) => {
    const { json } = await server.call("GET", "/sync", { token: person.session });
    return json.changes.sync_tasks.find((row: { id: string }) => row.id === id);
  };
  return { person, line, agent, now, stored, address: newAddress() };
};

const open = (line: Line, address: string): Promise<Client> =>
  openWindow(line, address, { now: () => server.clock.wall() });

const titles = (client: Client): readonly string[] =>
  [...client.state().tasks.values()].map(({ title }) => title).toSorted();

test("what was edited offline arrives at the server, and is there after a reload", async () => {
  const { line, address, stored } = await newPerson();
  line.fate = "request lost";
  const client = await open(line, address);
  await client.edit("Task created", [
    createTask({ id: "one", title: "One", tabs: [{ url: "https://one.example/" }] }),
  ]);
  await client.edit("Task changed", [setTask("one", { due: "2026-12-01" })]);
  await client.sync();
  expect(client.state().sync.kind).toBe("offline");
  expect(client.state().waiting).toBe(1);
  client.close();

  line.fate = "answered";
  const again = await open(line, address);
  expect(again.state().tasks.get("one")).toMatchObject({ title: "One", waits: true });
  await again.sync();
  expect(again.state().sync).toEqual({ kind: "idle" });
  expect(again.state().waiting).toBe(0);
  expect(again.state().tasks.get("one")).toMatchObject({ due: "2026-12-01", waits: false });
  expect(await stored("one")).toMatchObject({
    payload: { title: "One", status: "todo", pages: [{ url: "https://one.example/" }] },
  });
});

test("an agent's tab and a person's edit of the same task both stay", async () => {
  const { line, address, agent } = await newPerson();
  const client = await open(line, address);
  await client.edit("Task created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  await agent("POST", "/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  server.clock.advance(1_000);
  await client.edit("Note added", [addNote("one", { text: "mine" })]);
  await client.sync();
  const task = client.state().tasks.get("one");
  expect(task?.tabs).toMatchObject([
    { url: "https://agent.example/", madeBy: { author: "agent" } },
  ]);
  expect(task?.notes).toMatchObject([{ text: "mine" }]);
});

test("an agent's tab that the person has seen can be removed", async () => {
  const { line, address, agent, stored } = await newPerson();
  const client = await open(line, address);
  await client.edit("Task created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  await agent("POST", "/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  await client.sync();
  server.clock.advance(1_000);
  const tab = client.state().tasks.get("one")?.tabs[0]?.id ?? "";
  await client.edit("Tab removed", [removeTabs("one", [tab])]);
  await client.sync();
  expect((await stored("one")).payload.pages).toEqual([]);
});

test("a push whose reply is lost is pushed again, and nothing is doubled", async () => {
  const { line, address, stored, agent } = await newPerson();
  const client = await open(line, address);
  await client.sync();
  await client.edit("Task created", [createTask({ id: "one", title: "One" })]);
  line.fate = "reply lost";
  await client.sync();
  expect(client.state()).toMatchObject({ waiting: 1, sync: { kind: "offline" } });
  await agent("POST", "/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  server.clock.advance(1_000);
  await client.edit("Tabs added", [addTabs("one", [{ url: "https://mine.example/" }])]);
  line.fate = "answered";
  await client.sync();
  expect(client.state().waiting).toBe(0);
  const urls = (await stored("one")).payload.pages.map(({ url }: { url: string }) => url);
  expect(urls.toSorted()).toEqual(["https://agent.example/", "https://mine.example/"]);
  expect(client.state().tasks.get("one")?.tabs).toHaveLength(2);
});

test("an edit made while a pull is answered drops the reply, and loses nothing of an agent's", async () => {
  const { line, address, agent, stored } = await newPerson();
  const client = await open(line, address);
  await client.edit("Task created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  await agent("POST", "/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  line.meanwhile = async (_path, { method }) => {
    if (method !== "GET") return;
    line.meanwhile = () => Promise.resolve();
    server.clock.advance(1_000);
    await client.edit("Renamed", [setTask("one", { title: "Two" })]);
  };
  await client.sync();
  expect(client.state().waiting).toBe(0);
  expect((await stored("one")).payload).toMatchObject({
    title: "Two",
    pages: [{ url: "https://agent.example/" }],
  });
  expect(client.state().tasks.get("one")?.tabs).toHaveLength(1);
});

test("an edit made while a push is answered waits for the next push", async () => {
  const { line, address, stored } = await newPerson();
  const client = await open(line, address);
  await client.sync();
  await client.edit("Task created", [createTask({ id: "one", title: "One" })]);
  line.meanwhile = async (_path, { method }) => {
    if (method !== "POST") return;
    line.meanwhile = () => Promise.resolve();
    await client.edit("Renamed", [setTask("one", { title: "Two" })]);
  };
  await client.sync();
  expect(client.state().tasks.get("one")).toMatchObject({ title: "Two", waits: false });
  expect((await stored("one")).payload.title).toBe("Two");
});

test("two edits within one millisecond, and one by a slow clock, still come later", async () => {
  const { line, address, now } = await newPerson();
  let late = 0;
  const client = await openWindow(line, address, { now: () => now() - late });
  await client.edit("Task created", [createTask({ id: "one", title: "1" })]);
  const first = client.state().tasks.get("one")?.updatedAt ?? "";
  await client.edit("Renamed", [setTask("one", { title: "2" })]);
  const second = client.state().tasks.get("one")?.updatedAt ?? "";
  late = 3_600_000;
  await client.edit("Renamed", [setTask("one", { title: "3" })]);
  const third = client.state().tasks.get("one")?.updatedAt ?? "";
  expect([Date.parse(second) - Date.parse(first), Date.parse(third) - Date.parse(second)]).toEqual([
    1, 1,
  ]);
});

test("an edit by a clock that is far ahead stays, also right after the server moved it back", async () => {
  const { line, address, now, stored } = await newPerson();
  const client = await openWindow(line, address, { now: () => now() + 3_600_000 });
  await client.edit("Task created", [createTask({ id: "one", title: "1" })]);
  await client.edit("Renamed", [setTask("one", { title: "2" })]);
  await client.sync();
  await client.edit("Renamed", [setTask("one", { title: "3" })]);
  await client.sync();
  expect((await stored("one")).payload.title).toBe("3");
  expect(client.state().tasks.get("one")?.title).toBe("3");
});

test("a change that the server cannot take is set aside with its reason, and can be mended", async () => {
  const { line, address, stored } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [
    createTask({ id: "one", title: "One" }),
    createTask({ id: "two", title: "Two" }),
  ]);
  await client.edit("Note added", [addNote("one", { text: "x".repeat(2_000_000) })]);
  await client.sync();
  expect(client.state()).toMatchObject({
    waiting: 0,
    sync: { kind: "idle" },
    refused: [{ table: "sync_tasks", id: "one", reason: "payload must be at most 1 MiB of JSON." }],
  });
  expect(titles(client)).toEqual(["One", "Two"]);
  const pushes = line.calls.filter((call) => call.startsWith("POST")).length;
  await client.sync();
  expect(line.calls.filter((call) => call.startsWith("POST"))).toHaveLength(pushes);
  const note = client.state().tasks.get("one")?.notes[0]?.id ?? "";
  await client.edit("Note shortened", [
    async (desk) =>
      desk.write("sync_tasks", "one", { title: "One", notes: [{ id: note, text: "short" }] }),
  ]);
  expect(client.state()).toMatchObject({ waiting: 1, refused: [] });
  await client.sync();
  expect((await stored("one")).payload.notes).toMatchObject([{ text: "short" }]);
});

test("a mended change does not undo what an agent did after it was refused", async () => {
  const { line, address, agent, stored } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  await client.edit("Renamed", [setTask("one", { title: "x".repeat(2_000_000) })]);
  await client.sync();
  await agent("POST", "/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  await client.sync();
  server.clock.advance(1_000);
  await client.edit("Renamed", [setTask("one", { title: "Short" })]);
  await client.sync();
  expect((await stored("one")).payload).toMatchObject({
    title: "Short",
    pages: [{ url: "https://agent.example/" }],
  });
});

test("a refused change that is thrown away leaves what the server has", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  await client.edit("Renamed", [setTask("one", { title: "x".repeat(2_000_000) })]);
  await client.edit("Created", [createTask({ id: "two", title: "x".repeat(2_000_000) })]);
  await client.sync();
  expect(client.state().refused).toHaveLength(2);
  await client.discardRefused("sync_tasks", "one");
  await client.discardRefused("sync_tasks", "two");
  expect(client.state().refused).toEqual([]);
  expect(titles(client)).toEqual(["One"]);
});

test("1,200 edits are pushed in batches of at most 500", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  const ids = Array.from({ length: 1_200 }, (_, at) => `task-${at}`);
  await client.edit(
    "Imported",
    ids.map((id) => createTask({ id, title: id })),
  );
  await client.sync();
  expect(client.state().waiting).toBe(0);
  expect(line.calls.filter((call) => call.startsWith("POST"))).toHaveLength(3);
  const other = await openWindow(line, newAddress());
  await other.sync();
  expect(other.state().sync).toEqual({ kind: "idle" });
  expect(other.state().tasks.size).toBe(1_200);
});

test("an ended session keeps what waits", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  const { token } = line;
  line.token = "docket_sess_wrong";
  await client.edit("Task created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  expect(client.state()).toMatchObject({ sync: { kind: "signed-out" }, waiting: 1 });
  line.token = token;
  await client.sync();
  expect(client.state()).toMatchObject({ sync: { kind: "idle" }, waiting: 0 });
});

const GARBAGE: readonly (readonly [name: string, reply: () => Response])[] = [
  ["a page", () => new Response("<html>Sign in to this Wi-Fi</html>")],
  ["an empty reply", () => new Response("")],
  ["JSON of another kind", () => Response.json({ ok: true })],
  [
    "a list without ids",
    () =>
      Response.json({
        server_time: "2026-01-01T00:00:00.000Z",
        epoch: "x",
        has_more: false,
        applied: 1,
        rejected: [],
        merged: [],
        invalid: [],
        changes: { sync_tasks: [{}], sync_projects: [], sync_buckets: [] },
      }),
  ],
  ["half a reply", () => new Response('{"server_time":"2026-')],
  [
    "a time that does not exist",
    () => Response.json({ server_time: "yesterday", epoch: "x", changes: {} }),
  ],
  ["an error of a proxy", () => new Response("Bad gateway", { status: 502 })],
];

test("what the app exports can be imported: all as the person sees it, also what the server lacks", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  await client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  const read = readDocket(Buffer.from(await client.export()));
  if (!read || "error" in read) throw new Error("The export cannot be read.");
  expect(read.leftOut).toEqual([]);
  expect(read.records.map(({ change }) => change.payload["title"])).toEqual(["One", "Two"]);
});

for (const [name, reply] of GARBAGE)
  test(`a server that answers with ${name} changes nothing`, async () => {
    const { line, address } = await newPerson();
    const client = await open(line, address);
    await client.edit("Created", [createTask({ id: "one", title: "One" })]);
    await client.sync();
    const before = await client.export();
    line.instead = () => reply();
    await client.sync();
    expect(client.state().sync.kind).toBe("problem");
    expect(JSON.parse(await client.export()).records).toEqual(JSON.parse(before).records);
    line.instead = null;
    await client.sync();
    expect(client.state().sync).toEqual({ kind: "idle" });
  });

test("a tab moved between tasks is in one of them, also when it is undone", async () => {
  const { line, address, stored } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [
    createTask({
      id: "one",
      title: "One",
      tabs: [
        { id: "t", url: "https://t.example/" },
        { id: "u", url: "https://u.example/" },
      ],
    }),
    createTask({ id: "two", title: "Two" }),
  ]);
  await client.sync();
  const step = await client.edit("Tab moved", [moveTabs("one", ["t"], "two")]);
  await client.sync();
  const ids = async (task: string) =>
    (await stored(task)).payload.pages.map(({ id }: { id: string }) => id);
  expect([await ids("one"), await ids("two")]).toEqual([["u"], ["t"]]);
  server.clock.advance(1_000);
  await step.undo();
  await client.sync();
  expect([await ids("one"), await ids("two")]).toEqual([["t", "u"], []]);
});

test("a deleted task can be revived by undo, with what it held", async () => {
  const { line, address, stored } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [createTask({ id: "one", title: "One", notes: [{ text: "n" }] })]);
  await client.sync();
  await client.edit("Task deleted", [remove("sync_tasks", "one")]);
  expect(client.state().deletedTasks.get("one")?.title).toBe("One");
  await client.sync();
  expect((await stored("one")).deleted_at).not.toBeNull();
  server.clock.advance(1_000);
  expect(await client.undo()).toBe("Task deleted");
  await client.sync();
  expect(await stored("one")).toMatchObject({
    deleted_at: null,
    payload: { notes: [{ text: "n" }] },
  });
});

test("a server that is busy is left alone for as long as it asks", async () => {
  const { line, address, now } = await newPerson();
  const client = await open(line, address);
  line.instead = () =>
    Response.json({ error: "Busy." }, { status: 503, headers: { "retry-after": "600" } });
  await client.sync();
  expect(client.state().sync).toEqual({
    kind: "problem",
    sentence: "Busy.",
    retryAt: now() + 600_000,
    isAsked: true,
  });
});

test("an edit that is refused for the version it was made on is not sent again at once", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  let pushes = 0;
  line.instead = (_path, { method, body }) => {
    if (method !== "POST") return null;
    pushes += 1;
    const [row] = JSON.parse(body as string) as readonly Pushed[];
    const stored = { title: "One", status: "todo", pages: [], notes: [] };
    const server_row = { ...row, updated_at: row?.base_updated_at, payload: stored };
    const rejected = [{ ...row, reason: "stale", server_row }];
    return Response.json({ applied: 0, epoch: null, rejected, merged: [], invalid: [] });
  };
  await client.edit("Renamed", [setTask("one", { title: "Two" })]);
  await client.sync();
  expect(client.state()).toMatchObject({ waiting: 1, sync: { kind: "problem" } });
  expect(pushes).toBeLessThanOrEqual(3);
  line.instead = null;
  await client.sync();
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
});

type Pushed = { readonly base_updated_at?: string };

test("what is too large for one push is sent in smaller ones, and what never fits is set aside", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  await client.sync();
  line.instead = (_path, { method, body }) => {
    const rows = method === "POST" ? (JSON.parse(body as string) as { id: string }[]) : [];
    const isTooLarge = rows.length > 3 || rows.some(({ id }) => id === "task-5");
    return isTooLarge ? Response.json({ error: "The body is too large." }, { status: 413 }) : null;
  };
  const ids = Array.from({ length: 10 }, (_, at) => `task-${at}`);
  await client.edit(
    "Imported",
    ids.map((id) => createTask({ id, title: id })),
  );
  await client.sync();
  expect(client.state()).toMatchObject({
    waiting: 0,
    refused: [{ id: "task-5", reason: "The body is too large." }],
  });
  line.instead = null;
  const other = await openWindow(line, newAddress());
  await other.sync();
  expect(other.state().tasks.size).toBe(9);
});

test("what a slow line cannot carry in one push is sent in smaller ones, and in larger ones again once it can", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  await client.sync();
  const sizes: number[] = [];
  let most = 50_000;
  line.instead = (_path, { method, body }) => {
    if (method !== "POST") return null;
    const { length } = body as string;
    sizes.push(length);
    if (length > most) throw new TypeError("Failed to fetch");
    return null;
  };
  const add = (name: string) =>
    client.edit(
      "Imported",
      Array.from({ length: 20 }, (_, at) =>
        createTask({ id: `${name}-${at}`, title: "A", notes: [{ text: "n".repeat(10_000) }] }),
      ),
    );
  await add("first");
  for (let tries = 0; tries < 20 && client.state().waiting > 0; tries += 1) await client.sync();
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
  most = 1_000_000;
  for (const name of ["second", "third", "fourth"]) {
    await add(name);
    await client.sync();
  }
  expect(sizes.at(-1)).toBeGreaterThan(200_000);
});

test("fields that nobody here knows survive every edit", async () => {
  const { line, address, person, stored, now } = await newPerson();
  const payload = {
    title: "One",
    window: { pinned: true },
    pages: [{ id: "t", url: "https://t.example/", scroll: 7 }, "https://text.example/"],
    notes: [{ id: "n", text: "x", colour: "red" }],
  };
  const updated_at = new Date(now() - 1_000).toISOString();
  const row = { table: "sync_tasks", id: "one", updated_at, payload };
  await server.call("POST", "/sync", { token: person.session, body: [row] });
  const client = await open(line, address);
  await client.sync();
  await client.edit("All", [
    setTask("one", { title: "Two", due: null }),
    setTab("one", "t", { title: "T" }),
    setTab("one", 1, { pinned: true }),
    setNote("one", "n", "y"),
    moveTabs("one", ["t"], "one"),
  ]);
  await client.sync();
  expect((await stored("one")).payload).toEqual({
    title: "Two",
    window: { pinned: true },
    pages: [
      { url: "https://text.example/", pinned: true },
      { id: "t", url: "https://t.example/", scroll: 7, title: "T" },
    ],
    notes: [{ id: "n", text: "y", colour: "red", edited_at: expect.any(String) as string }],
  });
});

test("a step is made whole or not at all", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  const failed = client.edit("Two things", [
    createTask({ id: "one", title: "One" }),
    setTask("missing", { title: "Nobody" }),
  ]);
  expect(String(await failed.catch((error: unknown) => error))).toBe(
    "NotPossible: This task is no longer there. It may have been deleted.",
  );
  expect(client.state()).toMatchObject({ waiting: 0, steps: [] });
});

test("a sync that is asked for while another one fails gets a turn of its own", async () => {
  const { line, address } = await newPerson();
  const client = await open(line, address);
  await client.sync();
  line.fate = "reply lost";
  let second: Promise<void> | null = null;
  line.meanwhile = () => {
    line.meanwhile = () => Promise.resolve();
    second = client.sync();
    return Promise.resolve();
  };
  const first = client.sync().then(() => {
    line.fate = "answered";
  });
  await first;
  await second;
  expect(client.state().sync).toEqual({ kind: "idle" });
});
