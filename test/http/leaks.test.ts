import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listActivity } from "../../src/db/calls/activity.ts";
import { listKeys } from "../../src/db/people/api-keys.ts";
import type { Answer, CallOptions } from "../support/server.ts";
import { change, newcomer, sharedServer, V1 } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";

const server = await sharedServer();
const { call, store } = server;

const ann = await newcomer(server);
const key = await ann.key();
const reader = await ann.key(["read"], "reader");
const SECRETS = [key, reader, ann.session];

/**
 * Everything that `work` left where other people may read it: its reply, the log, the activity
 * list.
 */
const saidBy = async (work: () => Promise<Answer>): Promise<string> => {
  const lines = server.logged.length;
  const { text, headers } = await work();
  const rows = await listActivity(store, null, 1);
  return JSON.stringify([text, [...headers], server.logged.slice(lines), rows]);
};

const expectNoSecret = (text: string): void => {
  for (const secret of SECRETS) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(12));
  }
};

const percent = (text: string): string =>
  `%${Buffer.from(text)
    .toString("hex")
    .replaceAll(/(..)(?=.)/g, "$1%")}`;

/** Ways in which a secret ends up in the wrong place. All of them have happened in practice. */
const MISPLACED: readonly (readonly [string, string, string, (secret: string) => CallOptions])[] = [
  ["in the right place", "GET", "/tasks", (token) => ({ token })],
  ["in the right place of a refused call", "POST", "/tasks", (token) => ({ token, body: {} })],
  ["in a call that ends in a 404", "GET", "/tasks/none", (token) => ({ token })],
  ["in a DELETE", "DELETE", "/tasks/none", (token) => ({ token })],
  ["with a typing error", "GET", "/me", (token) => ({ token: `${token}x` })],
  [
    "as a basic password",
    "GET",
    "/me",
    (token) => ({ headers: { authorization: `Basic ${token}` } }),
  ],
  ["in the query", "GET", "/me?access_token=SECRET", () => ({})],
  ["in the query and in the header", "GET", "/tasks?limit=SECRET", (token) => ({ token })],
  ["as a cursor", "GET", "/tasks?cursor=SECRET", (token) => ({ token })],
  ["in an unknown path", "GET", "/SECRET", (token) => ({ token })],
  ["in an unknown path, without a header", "GET", "/SECRET", () => ({})],
  ["in the path of a task", "GET", "/tasks/SECRET", (token) => ({ token })],
  [
    "in the path of a task, to change it",
    "PATCH",
    "/tasks/SECRET",
    (token) => ({ token, body: {} }),
  ],
  [
    "in the path of a task, with an idempotency key",
    "PATCH",
    "/tasks/SECRET",
    (token) => ({ token, body: {}, headers: { "idempotency-key": "one" } }),
  ],
  [
    "as an idempotency key",
    "POST",
    "/tasks",
    (token) => ({ token, body: { title: "t" }, headers: { "idempotency-key": token } }),
  ],
  [
    "as a malformed idempotency key",
    "POST",
    "/tasks",
    (token) => ({ token, body: { title: "t" }, headers: { "idempotency-key": `"${token}` } }),
  ],
  [
    "as the value of dry_run",
    "POST",
    "/tasks?dry_run=SECRET",
    (token) => ({ token, body: { title: "t" } }),
  ],
  ["in the path of a DELETE", "DELETE", "/tasks/SECRET", (token) => ({ token })],
  ["as the client's name", "GET", "/me", (token) => ({ token, headers: { "user-agent": token } })],
  [
    "inside the client's name",
    "GET",
    "/me",
    (token) => ({ token, headers: { "user-agent": `bot (${token})` } }),
  ],
  ["as the request id", "GET", "/me", (token) => ({ token, headers: { "x-request-id": token } })],
  ["in a cookie", "GET", "/me", (token) => ({ headers: { cookie: `token=${token}` } })],
  ["as a folder", "POST", "/tasks", (token) => ({ token, body: { title: "t", folder: token } })],
  [
    "as a status that is too long",
    "POST",
    "/tasks",
    (token) => ({ token, body: { title: "t", status: token.repeat(2) } }),
  ],
  ["in a body that is not JSON", "POST", "/tasks", (token) => ({ token, body: token })],
  ["as the host", "GET", "/me", (token) => ({ token, headers: { host: token } })],
];

/** Ways to write a text in a path. */
const WRITTEN: readonly (readonly [string, (secret: string) => string])[] = [
  ["with one character encoded", (secret) => secret.replace("_", "%5F")],
  ["encoded whole", percent],
  ["encoded twice", (secret) => percent(secret).replaceAll("%", "%25")],
  ["encoded many times", (secret) => percent(secret).replaceAll("%", `%${"25".repeat(40)}`)],
];

test.each(WRITTEN)("A secret in a path, %s, is never logged or listed", async (_name, write) => {
  for (const secret of SECRETS) {
    const said = await saidBy(() => call("GET", `/tasks/${write(secret)}`, { token: key }));
    expectNoSecret(said);
    expectNoSecret(decodeURIComponent(said));
    expect(said).not.toContain(percent(secret).slice(30));
    expect(said).not.toContain(write(secret).slice(-30));
  }
});

test.each(MISPLACED)("A secret %s is never repeated", async (_name, method, path, options) => {
  for (const secret of SECRETS) {
    const said = await saidBy(() => call(method, path.replace("SECRET", secret), options(secret)));
    expectNoSecret(said);
  }
});

test("A secret in a title is the person's own text, and still stays out of the log", async () => {
  const bob = await newcomer(server, "bob");
  const token = await bob.key();
  const lines = server.logged.length;
  await call("POST", "/tasks", { token, body: { title: token, notes: [token] } });
  expect(server.logged.slice(lines).join("\n")).not.toContain(token);
});

test("A bug's cause appears only in the log, without secrets", async () => {
  const hide = "ALTER TABLE record RENAME TO hidden";
  await store.writer.write(async (tx) => {
    await tx.orm.run(hide);
  });
  const answer = await call("POST", "/tasks", { token: key, body: { title: "t" } });
  await store.writer.write(async (tx) => {
    await tx.orm.run("ALTER TABLE hidden RENAME TO record");
  });
  expect([answer.status, answer.json]).toEqual([500, { error: "Internal error." }]);
  expect(server.logged.join("\n")).toMatch(/no such table|does not exist/);
  expectNoSecret(server.logged.join("\n"));
});

test("Files on the disk are of no use to a thief", async () => {
  for (const name of readdirSync(server.directory)) {
    if (name === "backups") continue;
    expectNoSecret(readFileSync(join(server.directory, name)).toString("latin1"));
  }
});

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test.each([
  ["an escape sequence", "%1b[31mred"],
  ["a line break", "%0d%0a%7B%22level%22:%22error%22%7D"],
  ["NUL", "%00"],
  ["DEL and C1", "%7f%c2%85%c2%9b31m"],
  ["direction marks", "%E2%80%AE%E2%81%A6gnp.exe"],
  ["tags and separators", "%F3%A0%81%81%E2%80%A8"],
])("A path with %s cannot control a terminal or forge a log line", async (_name, segment) => {
  const before = server.logged.length;
  for (const path of [`/${segment}`, `/tasks/${segment}`, `/tasks/t?x=${segment}`])
    await call("GET", path, { token: key });
  const lines = server.logged.slice(before);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).not.toMatch(CONTROL);
    expect(JSON.parse(line)).toMatchObject({ level: "info", message: "request" });
  }
  const rows = await listActivity(store, null, 3);
  for (const { route, touched } of rows) expect(`${route} ${touched}`).not.toMatch(/\p{Cc}/u);
});

test.each([
  ["raw bytes in the path", `GET ${V1}/\x9b31m`, "User-Agent: x"],
  [
    "raw UTF-8 in the path",
    `GET ${V1}/${Buffer.from("\u202e\u2028").toString("latin1")}`,
    "User-Agent: x",
  ],
  ["raw bytes in the client's name", `GET ${V1}/me`, "User-Agent: bot\x9b31m\x85\xad end"],
  [
    "UTF-8 in the client's name",
    `GET ${V1}/me`,
    `User-Agent: ${Buffer.from("b\u202eo\u2028t \u{E0041}é").toString("latin1")}`,
  ],
  ["tabs in the client's name", `GET ${V1}/me`, "User-Agent: a\tb"],
  ["a long name", `GET ${V1}/me`, `User-Agent: ${"x".repeat(5_000)}`],
])("%s do not reach the log or the activity list unchanged", async (_name, line, agent) => {
  const reply = await exchange(server.url, [
    head(line, "Host: localhost", `Authorization: Bearer ${reader}`, agent),
  ]);
  expect(reply.status).toBeOneOf([200, 404]);
  expect(server.logged.at(-1)).not.toMatch(CONTROL);
  const [row] = await listActivity(store, null, 1);
  expect(JSON.stringify(row)).not.toMatch(CONTROL);
  expect(row?.client?.length ?? 0).toBeLessThanOrEqual(200);
});

test("No reply names a table, a file or a line of code", async () => {
  await call("POST", "/sync", { token: ann.session, body: [change("sync_tasks", "t", {})] });
  const replies = await Promise.all(
    ["/tasks?limit=x", "/tasks?cursor=x", "/tasks/%00", "/tasks?status=%00", "/nothing"].map(
      (path) => call("GET", path, { token: ann.session }),
    ),
  );
  for (const { text } of replies)
    expect(text).not.toMatch(/sqlite|drizzle|elysia|typebox|\.ts\b| at .*:\d/i);
  expect(JSON.stringify(await listKeys(store, ann.account.id))).not.toContain(key);
});
