import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listKeys, revokeKey } from "../../../src/db/people/api-keys.ts";
import {
  askOnLines,
  CURRENT,
  currentRequest,
  ENVELOPE,
  errorOf,
  initialize,
  request,
} from "../../support/bridge.ts";
import { type Person, startServer, type TestServer } from "../../support/server.ts";

let server: TestServer;
let ann: Person;
let key: string;

beforeAll(async () => {
  server = await startServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
  ann = await server.person();
  key = await ann.key();
});

afterAll(() => server.stop());

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  DOCKET_URL: server.url,
  DOCKET_API_KEY: key,
  ...more,
});

const refusalOf = async (env: Readonly<Record<string, string>>, line: object) => {
  const { code, err, replies } = await askOnLines(env, [line]);
  expect([code, err, replies.length]).toEqual([0, "", 1]);
  return replies[0];
};

describe("what the server refuses", () => {
  test("a revoked key: the reply says what to do, and which variable holds the key", async () => {
    const secret = await ann.key(["read"], "gone");
    const keys = await listKeys(server.store, ann.account.id);
    const id = keys.find(({ name }) => name === "gone")?.id ?? "";
    await revokeKey(server.store, null, id, server.clock.wall());
    const env = environment({ DOCKET_API_KEY: secret });
    for (const line of [initialize(), currentRequest(1, "server/discover")])
      expect(await refusalOf(env, line)).toEqual(
        errorOf(
          1,
          "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again. Check the key in DOCKET_API_KEY.",
          { status: 401 },
        ),
      );
  });

  test("too many calls: the reply says when to try again", async () => {
    const strict = await startServer({ limits: { perMinute: 1, perHour: 600 } });
    const bob = await strict.person("bob@example.org");
    const env = { DOCKET_URL: strict.url, DOCKET_API_KEY: await bob.key() };
    await refusalOf(env, request(1, "ping"));
    expect(await refusalOf(env, request(2, "ping"))).toEqual(
      errorOf(2, "This key may make 1 requests a minute and 600 an hour. Try again in 60 s.", {
        status: 429,
        retry_after: 60,
      }),
    );
    await strict.stop();
  });

  test("an unknown host name: the reply says which variable holds the address", async () => {
    const env = environment({ DOCKET_URL: server.url.replace("127.0.0.1", "docket.localhost") });
    const { err, replies } = await askOnLines(env, [request(1, "ping")]);
    expect(replies).toEqual([
      errorOf(
        1,
        "This server does not answer to that host name. Use localhost or the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS. Check the address in DOCKET_URL.",
        { status: 421 },
      ),
    ]);
    expect(err).toBe(
      "Warning: The API key goes to docket.localhost without https, so others on the network can read it. Use https.\n",
    );
  });

  test("an unknown revision: the server's own error, with the revisions it knows", async () => {
    const line = request(1, "server/discover", {
      _meta: { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
    });
    expect(await refusalOf(environment(), line)).toMatchObject({
      id: 1,
      error: { code: -32_022, data: { supported: [CURRENT], requested: "2099-01-01" } },
    });
  });
});

describe("docket mcp with a missing or wrong setting", () => {
  test.each([
    [
      "no key",
      { DOCKET_API_KEY: "" },
      "DOCKET_API_KEY is not set. Create a key on the page /account/keys or with `docket key create`.",
    ],
    [
      "something other than a key",
      { DOCKET_API_KEY: "hunter2" },
      "DOCKET_API_KEY does not hold a valid API key. A key begins with docket_live_. Copy it again in full.",
    ],
    [
      "an address without http://",
      { DOCKET_URL: "localhost" },
      'DOCKET_URL must be an http:// or https:// address, not "localhost".',
    ],
    [
      "the address of the API",
      { DOCKET_URL: "http://127.0.0.1:1/api/public/v1" },
      "DOCKET_URL must be an address without a path, such as http://127.0.0.1:1.",
    ],
    [
      "an address with a password",
      { DOCKET_URL: "http://ann:hunter2@127.0.0.1:1" },
      "DOCKET_URL must be an address without a path, such as http://127.0.0.1:1.",
    ],
    [
      "both a key and a key file",
      { DOCKET_API_KEY_FILE: "key" },
      "DOCKET_API_KEY and DOCKET_API_KEY_FILE are both set. Keep only one of them.",
    ],
  ])("%s: every reply says what to do", async (_what, env, sentence) => {
    const said = { jsonrpc: "2.0", method: "notifications/initialized" };
    const done = await askOnLines(environment(env), [initialize(), said]);
    expect(done.replies).toEqual([errorOf(1, sentence)]);
    expect([done.code, done.err]).toEqual([2, `docket: ${sentence}\ndocket: ${sentence}\n`]);
  });

  test("a session token is recognised, and never sent", async () => {
    const done = await askOnLines(environment({ DOCKET_API_KEY: ann.session }), [initialize()]);
    expect(done.replies).toEqual([
      errorOf(
        1,
        "DOCKET_API_KEY holds a session token, not an API key. Create a key on the page /account/keys.",
      ),
    ]);
  });

  test("a server that does not answer: the reply says what to do", async () => {
    const done = await askOnLines(environment({ DOCKET_URL: "http://127.0.0.1:1" }), [
      initialize(),
    ]);
    expect(done.replies).toEqual([
      errorOf(
        1,
        "Docket does not answer at http://127.0.0.1:1. Start it with `docket serve`, or correct DOCKET_URL.",
      ),
    ]);
    expect([done.code, done.err]).toEqual([0, ""]);
  });
});
