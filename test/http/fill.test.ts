import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer({ settings: { limits: { perMinute: 10_000, perHour: 10_000 } } });

const call: typeof server.call = (...words) => server.call(...words);
const tabs = (count: number, size: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://${from + at}.example/${"x".repeat(size)}`,
    title: "t",
  }));

const FULL =
  "The task would become larger than 960 KiB, to which a key may fill it. File this into another task.";
const MANY =
  "The task would have 2600 tabs and notes, and a key may fill it to 2500. File this into another task.";

/** A person's task that a key has filled until it was refused. Returns the refusal. */
const filled = async (size: number) => {
  const { session, key: newKey } = await newcomer(server);
  const key = await newKey();
  await call("POST", "/sync", {
    token: session,
    body: [change("sync_tasks", "t", { title: "t" })],
  });
  for (let from = 0; ; from += 100) {
    const body = tabs(100, size, from);
    const answer = await call("POST", "/tasks/t/tabs", { token: key, body });
    if (answer.status !== 201) return { session, key, answer };
  }
};

test.each([
  ["long addresses", 7_000, FULL],
  ["short addresses", 0, MANY],
])("A task that a key fills with %s leaves room for people", async (_name, size, error) => {
  const { session, key, answer } = await filled(size);
  expectRefusal(answer, 422, error);
  // The device adds fields of its own to each tab, and a note.
  const [row] = (await call("GET", "/sync", { token: session })).json.changes.sync_tasks;
  const pages = row.payload.pages.map((page: object) => ({ ...page, pinned: false, group: "g" }));
  const payload = { ...row.payload, pages, notes: [{ id: "n", text: "x".repeat(20_000) }] };
  const later = formatInstant(server.clock.wall() + 60_000);
  const pushed = await call("POST", "/sync", {
    token: session,
    body: [change("sync_tasks", "t", payload, { updated_at: later })],
  });
  expect(pushed.json).toMatchObject({ applied: 1, invalid: [] });
  // A key may still change what makes the task no larger.
  expect((await call("PATCH", "/tasks/t", { token: key, body: { title: "u" } })).status).toBe(200);
});

test("A key fills the inbox, and then starts a new one", async () => {
  const key = await (await newcomer(server)).key();
  const ids = new Set<string>();
  for (let from = 0; from < 300; from += 100) {
    const answer = await call("POST", "/inbox/tabs", { token: key, body: tabs(100, 7_000, from) });
    expect(answer.status).toBe(201);
    ids.add(answer.json.task.id);
  }
  expect(ids.size).toBe(3);
});

test("A full inbox of short tabs and a person's notes takes no more either", async () => {
  const { session, key: newKey } = await newcomer(server);
  const key = await newKey();
  const first = await call("POST", "/inbox/tabs", { token: key, body: tabs(1, 0) });
  const { id } = first.json.task;
  const [row] = (await call("GET", "/sync", { token: session })).json.changes.sync_tasks;
  const notes = Array.from({ length: 2_450 }, (_, at) => ({ id: `n${at}`, text: "n" }));
  const later = { updated_at: formatInstant(server.clock.wall() + 60_000) };
  const body = [change("sync_tasks", id, { ...row.payload, notes }, later)];
  expect((await call("POST", "/sync", { token: session, body })).json.applied).toBe(1);
  const next = await call("POST", "/inbox/tabs", { token: key, body: tabs(100, 0) });
  expect([next.status, next.json.task.id === id]).toEqual([201, false]);
});

const DEVICE =
  'A key cannot add a tag that begins with "device:" to a task that holds tabs of a person. Leave this tag out, or file the tabs into a task of your own.';

test("A key cannot send a person's tabs to a device, but its own", async () => {
  const { session, key: newKey } = await newcomer(server);
  const key = await newKey();
  const payload = { title: "t", tags: ["home"], pages: [{ id: "p", url: "https://a.example/" }] };
  await call("POST", "/sync", { token: session, body: [change("sync_tasks", "t", payload)] });
  for (const tag of [
    "device:laptop",
    "Device:laptop",
    "DEVICE:LAPTOP",
    "dev\u0131ce:laptop",
    "device:cafe\u0301",
    " device:laptop",
    "\uFF24evice:laptop",
  ]) {
    const body = { tags: ["home", tag] };
    expectRefusal(await call("PATCH", "/tasks/t", { token: key, body }), 422, DEVICE);
  }
  expect((await call("PATCH", "/tasks/t", { token: key, body: { tags: ["work"] } })).status).toBe(
    200,
  );
  // One that is there, as another client wrote it, is not added.
  const there = { title: "u", tags: ["Device:Caf\u00E9"], pages: [{ url: "https://a.example/" }] };
  await call("POST", "/sync", { token: session, body: [change("sync_tasks", "u", there)] });
  const again = { token: key, body: { tags: ["device:cafe\u0301", "home"] } };
  expect((await call("PATCH", "/tasks/u", again)).json.tags).toEqual(["Device:Caf\u00E9", "home"]);
  const own = { title: "For her laptop", tags: ["device:laptop"], tabs: tabs(1, 0) };
  expect((await call("POST", "/tasks", { token: key, body: own })).status).toBe(201);
  const made = await call("POST", "/tasks", {
    token: key,
    body: { title: "mine", tabs: tabs(1, 0) },
  });
  const tagged = { token: key, body: { tags: ["device:laptop"] } };
  expect((await call("PATCH", `/tasks/${made.json.id}`, tagged)).status).toBe(200);
});
