import { expect, test } from "bun:test";
import { expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { agent, lastCalls, message } from "../support/mcp/agent.ts";

const server = await sharedServer({
  hosts: ["docket.example"],
  settings: { publicUrl: new URL("https://docket.example/") },
});
const port = new URL(server.url).port;
const FOREIGN =
  "Pages of other sites may not call this server. Call it from a program, or from a page on this machine.";

/** Sends a message from a page of this origin to the server under this host name. */
const from = async (origin: string | null, host = `127.0.0.1:${port}`) => {
  const token = await (await newcomer(server)).key();
  const headers = { host, ...(origin === null ? {} : { origin }) };
  return agent(server, token).post(message("ping"), { headers });
};

test.each([
  "https://evil.example",
  "http://127.0.0.1.evil.example",
  "http://localhost.evil.example",
  "http://evil.example:3625",
  "https://docket.example.evil.example",
  "https://xdocket.example",
  "http://docket.example:8080",
  "https://127.0.0.1@evil.example",
  "http://evil.example#@localhost",
  "http://192.168.1.2",
  "http://0.0.0.0",
  "http://[::2]",
  "http://10.0.0.1",
  "null",
  "",
  "*",
  "localhost",
  "127.0.0.1",
  "file://",
  "http://",
  "about:blank",
  "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
  "https://docket.example, http://localhost",
])("A page of %j is refused", async (origin) => {
  const before = await lastCalls(server, 1_000);
  const answer = await from(origin);
  expectRefusal(answer, 403, FOREIGN);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  // Refused before the credential is read: it takes no token and leaves no row.
  expect(answer.headers.get("ratelimit")).toBeNull();
  expect(await lastCalls(server, 1_000)).toEqual(before);
});

test.each([
  "http://localhost",
  "http://localhost:5173",
  "https://localhost:8443",
  "http://127.0.0.1:6274",
  "http://127.0.0.2",
  "http://[::1]:6274",
  "https://docket.example",
  `http://127.0.0.1:${port}`,
  null,
])("A page of %j is admitted", async (origin) => {
  const answer = await from(origin);
  expect([answer.status, answer.json]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
  const cors = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
  expect(cors).toEqual([]);
});

test("A page of the server's own address is admitted", async () => {
  expect((await from("http://192.168.1.2:3625", "192.168.1.2:3625")).status).toBe(200);
  expectRefusal(await from("http://192.168.1.2:3626", "192.168.1.2:3625"), 403, FOREIGN);
  expectRefusal(await from("https://192.168.1.2:3625", "192.168.1.2:3625"), 403, FOREIGN);
});

test.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"])(
  "A call to the host %s is refused, whatever the origin",
  async (host) => {
    for (const origin of [null, `http://${host}`, "http://localhost"])
      expectRefusal(await from(origin, host), 421, SAYS.host);
  },
);

test("A browser's preflight grants nothing", async () => {
  for (const origin of ["https://evil.example", "http://localhost:5173"]) {
    const { status, headers } = await server.call("OPTIONS", "!/mcp", {
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect([status, headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});
