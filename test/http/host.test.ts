import { expect, test } from "bun:test";
import { newcomer, SAYS, sharedServer, V1 } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";

const server = await sharedServer({ hosts: ["docket.example", "tasks.example", "d"] });
const { session } = await newcomer(server);
const REFUSED = JSON.stringify({ error: SAYS.host });

const ask = (...fields: readonly string[]) =>
  exchange(server.url, [head(`GET ${V1}/me`, ...fields, `Authorization: Bearer ${session}`)]);

test.each([
  ["localhost"],
  ["localhost:3625"],
  ["LOCALHOST"],
  ["127.0.0.1"],
  ["127.0.0.1:1"],
  ["192.168.1.20:3625"],
  ["[::1]"],
  ["[::1]:3625"],
  ["[fe80::1]:3625"],
  ["[fe80::1%25eth0]:3625"],
  ["[fe80::1%eth0]"],
  ["docket.example."],
  ["DOCKET.example.:3625"],
  ["localhost.:3625"],
  ["docket.example"],
  ["Docket.Example:443"],
  ["tasks.example"],
  ["d"],
])("Host %s is accepted", async (host) => {
  expect((await ask(`Host: ${host}`)).status).toBe(200);
});

test.each([
  ["evil.example"],
  ["127.0.0.1.evil.example"],
  ["localhost.evil.example"],
  ["evil.localhost"],
  ["docket.example.evil.example"],
  ["sub.docket.example"],
  ["docket.example.."],
  ["."],
  ["[fe80::1%25eth0/evil]"],
  ["[%25eth0]"],
  ["127.0.0.1@evil.example"],
  ["evil.example@127.0.0.1"],
  ["localhost/evil"],
  ["localhost, evil.example"],
  ["localhost evil.example"],
  ["localhost:port"],
  ["localhost:65536"],
  ["localhost:123456"],
  ["127.1"],
  ["2130706433"],
  ["0x7f000001"],
  ["::1"],
  ["[::1"],
  ["[evil.example]"],
  ["[127.0.0.1]"],
  [""],
])("Host %j is refused", async (host) => {
  const reply = await ask(`Host: ${host}`);
  expect([reply.status, reply.body]).toEqual([421, REFUSED]);
});

test("Two Host headers are refused, whatever they say", async () => {
  for (const second of ["evil.example", "localhost"]) {
    const reply = await ask("Host: localhost", `Host: ${second}`);
    expect([reply.status, reply.body]).toEqual([421, REFUSED]);
  }
});

test("A request without a Host gets no answer", async () => {
  // HTTP/1.1 requires one: Bun's HTTP server refuses the request itself, with an empty body.
  expect((await ask()).status).toBe(400);
  const old = head(`GET ${V1}/me`, `Authorization: Bearer ${session}`).replace("1.1", "1.0");
  const reply = await exchange(server.url, [old]);
  expect([reply.status, reply.body]).toEqual([421, REFUSED]);
});

test("A proxy's forwarded host is ignored", async () => {
  const forwarded = await ask("Host: localhost", "X-Forwarded-Host: evil.example");
  expect(forwarded.status).toBe(200);
  const hidden = await ask(
    "Host: evil.example",
    "X-Forwarded-Host: localhost",
    "Forwarded: host=localhost",
  );
  expect([hidden.status, hidden.body]).toEqual([421, REFUSED]);
});

test("A host in the request line does not get around the Host header", async () => {
  const line = `GET http://localhost${V1}/me`;
  const evil = await exchange(server.url, [head(line, "Host: evil.example")]);
  expect([evil.status, evil.body]).toEqual([421, REFUSED]);
  // A page on another site cannot make a browser send this, and the name in it is never used.
  const absolute = head(`GET http://evil.example${V1}/nothing`, "Host: localhost");
  const reply = await exchange(server.url, [absolute]);
  expect(JSON.stringify([...reply.headers, reply.body])).not.toContain("evil");
});

test("/healthz is no exception", async () => {
  const reply = await exchange(server.url, [head("GET /healthz", "Host: evil.example")]);
  expect([reply.status, reply.body]).toEqual([421, REFUSED]);
});
