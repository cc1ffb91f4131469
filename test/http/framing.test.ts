import { expect, test } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { newcomer, SAYS, sharedServer, until, V1 } from "../support/replies.ts";
import { breakOff, chunk, exchange, head, LAST_CHUNK } from "../support/socket.ts";

const server = await sharedServer();
const { call } = server;
const { session } = await newcomer(server);

const TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";
const HOST = "Host: localhost";
const SIGNED = `Authorization: Bearer ${session}`;
const REST = "The body must be at most 1 MiB.";
const PUSH = "The body must be at most 16 MiB. Send fewer records at a time.";
const said = (error: string): string => JSON.stringify({ error });

/** A body that never ends, 64 KiB at a time. */
function* endless(start: string): Generator<Uint8Array | string> {
  yield start;
  const spaces = chunk(new Uint8Array(64 * 1024).fill(0x20));
  for (;;) yield spaces;
}

test.each([
  ["POST", `${V1}/tasks`, 1024 * 1024 + 1, REST],
  ["PATCH", `${V1}/tasks/t`, 1024 * 1024 + 1, REST],
  ["POST", `${V1}/sync`, 16 * 1024 * 1024 + 1, PUSH],
])(
  "%s %s of %i bytes is refused before its first byte arrives",
  async (method, path, size, error) => {
    const announced = head(`${method} ${path}`, HOST, SIGNED, TYPE, `Content-Length: ${size}`);
    const reply = await exchange(server.url, [announced]);
    expect([reply.status, reply.body]).toEqual([413, said(error)]);
  },
);

test("A push of 65 MiB is refused and asked to send fewer records", async () => {
  const body = new Uint8Array(65 * 1024 * 1024).fill(0x20);
  const answer = await call("POST", "/sync", { token: session, body });
  expect([answer.status, answer.text]).toEqual([413, said(PUSH)]);
});

test("A body without an announced length is counted as it arrives", async () => {
  const start = head(`POST ${V1}/tasks`, HOST, SIGNED, TYPE, CHUNKED);
  const reply = await exchange(server.url, endless(start));
  expect([reply.status, reply.body]).toEqual([413, said(REST)]);
});

test("A body in chunks is read completely, wherever it is split", async () => {
  const start = head(`POST ${V1}/projects`, HOST, SIGNED, TYPE, CHUNKED);
  const text = Buffer.from('{"name":"Gärten 🌱"}');
  const bytes = Array.from(text, (byte) => chunk(new Uint8Array([byte])));
  const reply = await exchange(server.url, [start, ...bytes, LAST_CHUNK]);
  expect([reply.status, JSON.parse(reply.body).name]).toEqual([201, "Gärten 🌱"]);
});

test.each([
  ["without a credential", [], SAYS.credential],
  ["with a wrong credential", ["Authorization: Bearer docket_live_wrong"], SAYS.badCredential],
])("A stranger's endless body gets its 401 at once: %s", async (_name, fields, error) => {
  for (const path of ["/tasks", "/sync", "/inbox/tabs"]) {
    const start = head(`POST ${V1}${path}`, HOST, TYPE, CHUNKED, ...fields);
    const reply = await exchange(server.url, endless(start));
    expect([reply.status, reply.body]).toEqual([401, said(error)]);
    const announced = head(`POST ${V1}${path}`, HOST, TYPE, "Content-Length: 1000000", ...fields);
    const early = await exchange(server.url, [announced]);
    expect([early.status, early.body]).toEqual([401, said(error)]);
  }
});

test.each([
  ["DELETE", "/tasks/t", 405, SAYS.never("DELETE")],
  ["PUT", "/tasks", 405, SAYS.never("PUT")],
  ["PATCH", "/me", 405, "PATCH is not allowed on this path. Use one of: GET, HEAD, OPTIONS."],
  ["POST", "/nothing", 404, `There is nothing at ${V1}/nothing.`],
])(
  "%s %s with an announced body of 100 MB is answered at once",
  async (method, path, status, error) => {
    for (const length of ["Content-Length: 100000000", CHUNKED]) {
      const reply = await exchange(server.url, [
        head(`${method} ${V1}${path}`, HOST, TYPE, length),
      ]);
      expect([reply.status, reply.body]).toEqual([status, said(error)]);
    }
  },
);

test("A body that breaks off stores nothing, and is not logged as a bug", async () => {
  const token = await (await newcomer(server)).key();
  const signed = `Authorization: Bearer ${token}`;
  const before = server.logged.length;
  const line = `POST ${V1}/tasks`;
  const announced = head(line, HOST, signed, TYPE, "Content-Length: 100");
  await breakOff(server.url, `${announced}{"title":"half"}`);
  const chunked = head(line, HOST, signed, TYPE, CHUNKED);
  await breakOff(server.url, `${chunked}10\r\n{"title":"half"}\r\n`);
  const lines = () => server.logged.slice(before);
  await until(() => lines().length >= 2);
  expect(lines().map((text) => (JSON.parse(text) as { status: number }).status)).toEqual([
    400, 400,
  ]);
  expect((await call("GET", "/tasks", { token })).json.tasks).toEqual([]);
});

test("A key that is revoked while its body arrives writes nothing", async () => {
  const bob = await newcomer(server, "bob");
  const token = await bob.key();
  const isAdmitted = async (): Promise<boolean> =>
    (await call("DELETE", "/me", { token })).headers.get("ratelimit")?.includes("r=59") ?? false;
  async function* slowly() {
    yield head(`POST ${V1}/tasks`, HOST, `Authorization: Bearer ${token}`, TYPE, CHUNKED);
    yield chunk('{"title":');
    while (!(await isAdmitted()));
    const [key] = await listKeys(server.store, bob.account.id);
    await revokeKey(server.store, null, key?.id ?? "", server.clock.wall());
    yield chunk('"late"}');
    yield LAST_CHUNK;
  }
  const reply = await exchange(server.url, slowly());
  expect([reply.status, reply.body]).toEqual([401, said(SAYS.badCredential)]);
  expect((await call("GET", "/tasks", { token: bob.session })).json.tasks).toEqual([]);
});

embeddedTest("Bytes after a body are not read as part of it", async () => {
  const bad = head(`POST ${V1}/tasks`, HOST, SIGNED, TYPE, "Content-Length: 1");
  const good = head(`GET ${V1}/me`, HOST, SIGNED);
  const first = await exchange(server.url, [`${bad}{${good}`]);
  expect([first.status, first.body]).toEqual([400, said("The body is not valid JSON.")]);
});

test.each([
  ["both a length and chunks", ["Content-Length: 5", CHUNKED]],
  ["two lengths", ["Content-Length: 5", "Content-Length: 50"]],
  ["an unknown transfer coding", ["Transfer-Encoding: xchunked"]],
  ["a negative length", ["Content-Length: -5"]],
  ["a length that is not a number", ["Content-Length: five"]],
])("A request with %s reaches no handler", async (_name, fields) => {
  const smuggled = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const start = head(`POST ${V1}/projects`, HOST, SIGNED, TYPE, ...fields);
  const reply = await exchange(server.url, [start + smuggled]);
  expect([reply.status, reply.body]).toEqual([400, ""]);
});

test.each([
  ["a token of 17,000 characters", `Authorization: Bearer ${"x".repeat(17_000)}`, 431],
  ["NUL in a header", "Authorization: Bearer a\0b", 400],
  ["a header that continues on the next line", "X-Long: a\r\n b", 400],
  ["a space before the colon", "Authorization : Bearer x", 400],
])("%s is refused by the HTTP server itself", async (_name, field, status) => {
  const reply = await exchange(server.url, [head(`GET ${V1}/me`, HOST, field)]);
  expect([reply.status, reply.body]).toEqual([status, ""]);
});

test("A token with letters that merely look right is refused", async () => {
  // Raw bytes of UTF-8 (a Cyrillic e) and of Latin-1 in the header's value.
  for (const letter of [Buffer.from("\u0435").toString("latin1"), "\xe9"]) {
    const field = `Authorization: Bearer ${session.replace("e", letter)}`;
    const reply = await exchange(server.url, [head(`GET ${V1}/me`, HOST, field)]);
    expect([reply.status, reply.body]).toEqual([401, said(SAYS.badCredential)]);
  }
});

test.each(["TRACE", "CONNECT"])("%s is answered as any other unknown method", async (method) => {
  const reply = await exchange(server.url, [head(`${method} ${V1}/me`, HOST, SIGNED)]);
  expect([reply.status, reply.body]).toEqual([405, expect.not.stringContaining(session)]);
});

test("The server still answers after all of this", async () => {
  expect((await call("GET", "/me", { token: session })).status).toBe(200);
});
