import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

// A note that an agent wrote can be corrected; what a person wrote is theirs.

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call } = server;

const withNotes = async () => {
  const ann = await newcomer(server);
  const key = await ann.key();
  const body = [
    change("sync_tasks", "trip", {
      title: "Trip",
      notes: [{ id: "mine", text: "Window seat", html: "<b>Window seat</b>" }, "no id"],
    }),
  ];
  await call("POST", "/sync", { token: ann.session, body });
  const added = await call("POST", "/tasks/trip/notes", { token: key, body: { text: "At 9:40" } });
  const note = added.json.id as string;
  const correct = (id: string, text: string, token = key, headers = {}) =>
    call("PATCH", `/tasks/trip/notes/${encodeURIComponent(id)}`, {
      token,
      body: { text },
      headers,
    });
  const texts = async () =>
    (await call("GET", "/tasks/trip", { token: key })).json.notes.map(
      ({ text }: { text: string }) => text,
    );
  return { ann, key, note, added, correct, texts };
};

test("A key corrects a note of an agent, which keeps its id, author and time", async () => {
  const { ann, note, added, correct, texts } = await withNotes();
  const done = await correct(note, "At 9:14");
  expect([done.status, done.json]).toEqual([200, { ...added.json, text: "At 9:14" }]);
  expect(await texts()).toEqual(["Window seat", "no id", "At 9:14"]);
  const other = await ann.key(["read", "write"], "other");
  expect((await correct(note, "At 9:15", other)).json).toMatchObject({ created_by_key: "bot" });
});

test("A note of a person is refused, and one that is not there is not found", async () => {
  const { correct, texts } = await withNotes();
  const says =
    "A person wrote this note, so a key cannot change it. Add a note of your own. Nothing was changed.";
  expectRefusal(await correct("mine", "x"), 403, says);
  for (const id of ["none", "no id", "0"])
    expectRefusal(await correct(id, "x"), 404, "Note not found. It may have been deleted.");
  expect(await texts()).toEqual(["Window seat", "no id", "At 9:40"]);
});

test("An id that no note can have is not found, even by a caller that read an older task", async () => {
  const { correct, key } = await withNotes();
  const older = { "if-match": '"older"' };
  expect((await correct("none", "x", key, older)).status).toBe(412);
  expect((await correct("0".repeat(256), "x", key, older)).status).toBe(404);
});

test("A person's device changes any note that has an id, and what else it holds stays", async () => {
  const { ann, correct } = await withNotes();
  expect((await correct("mine", "Aisle", ann.session)).json).toMatchObject({
    id: "mine",
    text: "Aisle",
    created_by: "person",
  });
  const pulled = await call("GET", "/sync", { token: ann.session });
  expect(pulled.json.changes.sync_tasks[0].payload.notes[0]).toEqual({
    id: "mine",
    text: "Aisle",
    html: "<b>Window seat</b>",
  });
});

test("If-Match refuses a task that has changed since", async () => {
  const { key, note, correct, texts } = await withNotes();
  const read = await call("GET", "/tasks/trip", { token: key });
  const headers = { "if-match": read.headers.get("etag") ?? "" };
  expect((await correct(note, "first", key, headers)).status).toBe(200);
  expect((await correct(note, "second", key, headers)).status).toBe(412);
  expect(await texts()).toContain("first");
});

test("A key that cannot read gets the id and the text", async () => {
  const { ann, note, correct } = await withNotes();
  const writer = await ann.key(["write"], "writer");
  expect((await correct(note, "blind", writer)).json).toEqual({ id: note, text: "blind" });
});
