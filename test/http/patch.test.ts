import { expect, test } from "bun:test";
import {
  change,
  expectRefusal,
  newcomer,
  SAYS,
  sharedServer,
  taskRow,
} from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const CHANGED = "The task has changed since you read it. Read it again, then decide.";

/** A person with a task that their device pushed, with fields that only the extension knows. */
const withTask = async () => {
  const person = await newcomer(server);
  const payload = {
    title: "Plan the trip",
    status: "todo",
    colour: "teal",
    project_id: null,
    bucket_id: null,
    pages: [{ url: "https://a.example/", pinned: true }],
    notes: [],
    "x-order": 7,
    nested: { kept: ["as", { it: null }] },
    constructor: "a field like any other",
  };
  const text = JSON.stringify(payload).replace("{", '{"__proto__":{"kept":true},');
  const updated = new Date(server.clock.wall()).toISOString();
  const body = `[{"table":"sync_tasks","id":"trip","updated_at":"${updated}","payload":${text}}]`;
  await call("POST", "/sync", { token: person.session, body });
  server.clock.advance(1_000);
  const pulled = async (): Promise<string> =>
    (await call("GET", "/sync", { token: person.session })).text;
  return { person, token: await person.key(), text, updated, pulled };
};

test("Absent fields stay, null removes a field, and the reply is the list row", async () => {
  const { token, updated } = await withTask();
  const renamed = await call("PATCH", "/tasks/trip", { token, body: { title: "Book the trip" } });
  const at = new Date(server.clock.wall()).toISOString();
  const row = { id: "trip", title: "Book the trip", created_at: updated, tab_count: 1 };
  expect(renamed.status).toBe(200);
  expect(renamed.json).toEqual(taskRow({ ...row, colour: "teal", updated_at: at }));
  server.clock.advance(1_000);
  const paled = await call("PATCH", "/tasks/trip", {
    token,
    body: { colour: null, status: "done" },
  });
  const later = new Date(server.clock.wall()).toISOString();
  expect(paled.json).toEqual(taskRow({ ...row, status: "done", updated_at: later }));
});

test("Fields that only the extension knows survive, byte for byte", async () => {
  const { token, text, pulled } = await withTask();
  await call("PATCH", "/tasks/trip", { token, body: { title: "Book the trip" } });
  expect(await pulled()).toContain(`"payload":${text.replace("Plan the trip", "Book the trip")}`);
});

test.each([
  ["an empty object", {}],
  ["sending the current values", { title: "Plan the trip", status: "todo", colour: "teal" }],
  ["sending the current folder and bucket", { folder: null, project_id: null, bucket_id: null }],
  ["what was read", { id: "trip", created_by: "person" }],
])("%s changes nothing, not even the stamp", async (_name, body) => {
  const { person, token, pulled } = await withTask();
  const before = await pulled();
  const { server_time: since } = JSON.parse(before) as { server_time: string };
  const { json, headers } = await call("GET", "/tasks/trip", { token });
  server.clock.advance(1_000);
  const answer = await call("PATCH", "/tasks/trip", { token, body });
  const { tabs: _tabs, notes: _notes, ...row } = json as Record<string, unknown>;
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual(row);
  expect(answer.headers.get("etag")).toBe(headers.get("etag"));
  const news = await call("GET", `/sync?since=${since}`, { token: person.session });
  expect(news.json.changes).toEqual({ sync_tasks: [], sync_projects: [], sync_buckets: [] });
});

test("A change is stamped later than a device's stamp that is a little ahead", async () => {
  const { person, token } = await withTask();
  const ahead = new Date(server.clock.wall() + 60_000).toISOString();
  const pushed = change("sync_tasks", "trip", { title: "from ahead" }, { updated_at: ahead });
  await call("POST", "/sync", { token: person.session, body: [pushed] });
  const answer = await call("PATCH", "/tasks/trip", { token, body: { title: "later" } });
  expect(answer.json.updated_at).toBe(new Date(server.clock.wall() + 60_001).toISOString());
});

test("A single task carries its version, the same one from every route", async () => {
  const { token } = await withTask();
  const made = await call("POST", "/tasks", { token, body: { title: "t" } });
  const path = `/tasks/${made.json.id}`;
  const tag = made.headers.get("etag");
  expect(tag).toMatch(/^"[0-9a-z]+"$/);
  expect((await call("GET", path, { token })).headers.get("etag")).toBe(tag);
  const changed = await call("PATCH", path, { token, body: { title: "u" } });
  expect(changed.headers.get("etag")).not.toBe(tag);
  expect((await call("GET", path, { token })).headers.get("etag")).toBe(
    changed.headers.get("etag"),
  );
  await call("POST", `${path}/notes`, { token, body: { text: "n" } });
  const noted = await call("GET", path, { token });
  expect(noted.headers.get("etag")).not.toBe(changed.headers.get("etag"));
});

test("If-Match accepts this version, a list that names it, and the wildcard", async () => {
  const { token } = await withTask();
  for (const form of ["<>", '"other", <>', '<> , "other"', "*"]) {
    const { headers } = await call("GET", "/tasks/trip", { token });
    const match = form.replace("<>", headers.get("etag") ?? "");
    const body = { title: `by ${form}` };
    const answer = await call("PATCH", "/tasks/trip", {
      token,
      body,
      headers: { "if-match": match },
    });
    expect([answer.status, answer.json.title]).toEqual([200, `by ${form}`]);
  }
});

test("If-Match with another version changes nothing", async () => {
  const { token, pulled } = await withTask();
  const { headers } = await call("GET", "/tasks/trip", { token });
  const tag = headers.get("etag") ?? "";
  await call("POST", "/tasks/trip/notes", { token, body: { text: "meanwhile" } });
  const before = await pulled();
  for (const match of [tag, '"other"', `W/${tag}`, "", tag.replaceAll('"', "")]) {
    for (const body of [{ title: "late" }, {}]) {
      const sent = { token, body, headers: { "if-match": match } };
      expectRefusal(await call("PATCH", "/tasks/trip", sent), 412, CHANGED);
    }
  }
  const after = JSON.parse(await pulled()) as { changes: unknown };
  expect(after.changes).toEqual((JSON.parse(before) as { changes: unknown }).changes);
  const missing = { token, body: {}, headers: { "if-match": tag } };
  expectRefusal(await call("PATCH", "/tasks/none", missing), 404, SAYS.noTask);
});
