import { expect, test } from "bun:test";
import { change, newcomer, SAYS, sharedServer, titlesOf, V1 } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";

const server = await sharedServer();
const { call } = server;
const ann = await newcomer(server);
const key = await ann.key();
const IDS = ["t", "a/b", ":id", "*", "sync", "a|b"];
const body = IDS.map((id) => change("sync_tasks", id, { title: id }));
await call("POST", "/sync", { token: ann.session, body });

/** Requests a path exactly as written. A client library would normalise it first. */
const ask = async (path: string, token: string, method = "GET") => {
  const fields = ["Host: localhost", `Authorization: Bearer ${token}`];
  const { status, body: text } = await exchange(server.url, [head(`${method} ${path}`, ...fields)]);
  return { status, json: JSON.parse(text) as Record<string, unknown> };
};

test.each([
  [`${V1}/tasks/t`, "t"],
  [`${V1}/tasks/t/`, "t"],
  [`${V1}/tasks/t?`, "t"],
  [`${V1}/tasks/t/?&`, "t"],
  [`${V1}/tasks/./t`, "t"],
  [`${V1}/projects/../tasks/t`, "t"],
  [`${V1}/tasks/%74`, "t"],
  [`${V1}/tasks/a%2Fb`, "a/b"],
  [`${V1}/tasks/a%2fb`, "a/b"],
  [`${V1}/tasks/:id`, ":id"],
  [`${V1}/tasks/*`, "*"],
  [`${V1}/tasks/sync`, "sync"],
  [`${V1}/tasks/a|b`, "a|b"],
])("GET %s is the task %s", async (path, id) => {
  const { status, json } = await ask(path, ann.session);
  expect([status, json["id"]]).toEqual([200, id]);
});

test.each([
  ["//", "//"],
  ["///", "///"],
  ["/../../etc/passwd", "/etc/passwd"],
  [`/${V1}/me`, `/${V1}/me`],
  [`${V1}`, V1],
  [`${V1}/`, `${V1}/`],
  [`${V1}/me//`, `${V1}/me//`],
  [`${V1}//me`, `${V1}//me`],
  [`${V1}/ME`, `${V1}/ME`],
  [`${V1}/m%65`, `${V1}/m%65`],
  [`${V1}/me;x`, `${V1}/me;x`],
  [`${V1}/me#x`, `${V1}/me#x`],
  [`${V1}/tasks/a/b`, `${V1}/tasks/a/b`],
  [`${V1}/tasks//tabs`, `${V1}/tasks//tabs`],
  [`${V1}/tasks/%ff`, `${V1}/tasks/%ff`],
  ["/api/public/v2/me", "/api/public/v2/me"],
  [`/${"x".repeat(200)}`, `/${"x".repeat(99)}…`],
])("There is nothing at %s", async (path, shown) => {
  const reply = await ask(path, ann.session);
  expect(reply).toEqual({ status: 404, json: { error: `There is nothing at ${shown}.` } });
});

test.each([
  [`${V1}/sync`, 403],
  [`${V1}/sync/`, 403],
  [`${V1}/sync?since=2026-03-04T12:00:00Z`, 403],
  [`${V1}/tasks/../sync`, 403],
  [`${V1}/tasks/%2e%2e/sync`, 403],
  [`${V1}/./sync`, 403],
  [`${V1}/%73ync`, 404],
  [`${V1}/SYNC`, 404],
  [`${V1}//sync`, 404],
  [`${V1}/sync%2f`, 404],
  [`${V1}/sync%00`, 404],
  [`${V1}/sync;x`, 404],
  [`${V1}/sync.json`, 404],
])("A key cannot sync through %s", async (path, status) => {
  const { clock } = server;
  clock.advance(2_000);
  for (const method of ["GET", "POST"]) {
    const reply = await ask(path, key, method);
    expect(reply.status).toBe(status);
    if (status === 403) expect(reply.json).toEqual({ error: SAYS.noSync });
    else expect(Object.keys(reply.json)).toEqual(["error"]);
  }
});

test.each([
  ["limit=1&limit=6", 6],
  ["limit=0&limit=2", 2],
  ["status=done&status=todo", 6],
  ["%6cimit=3", 3],
  ["limit=%33", 3],
  ["&&&=&", 6],
])("A repeated query parameter counts with its last value: %s", async (query, count) => {
  expect(titlesOf(await call("GET", `/tasks?${query}`, { token: ann.session }))).toHaveLength(
    count,
  );
});
