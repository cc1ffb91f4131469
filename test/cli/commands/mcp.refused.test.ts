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
  test("a key that was revoked: what to do, and which key was sent", async () => {
    const secret = await ann.key(["read"], "gone");
    const keys = await listKeys(server.store, ann.account.id);
    const id = keys.find(({ name }) => name === "gone")?.id ?? "";
    await revokeKey(server.store, null, id, server.clock.wall());
    const env = environment({ DOCKET_API_KEY: secret });
    for (const line of [initialize(), currentRequest(1, "server/discover")])
      expect(await refusalOf(env, line)).toEqual(
        errorOf(
          1,
          "The credential is not valid: it is mistyped, expired or revoked. Make a new key, or sign in again. The key that was sent is the one in DOCKET_API_KEY.",
          { status: 401 },
        ),
      );
  });

  test("more calls than the key may make: when to try again", async () => {
    const strict = await startServer({ limits: { perMinute: 1, perHour: 600 } });
    const bob = await strict.person("bob@example.org");
    const env = { DOCKET_URL: strict.url, DOCKET_API_KEY: await bob.key() };
    await refusalOf(env, request(1, "ping"));
    expect(await refusalOf(env, request(2, "ping"))).toEqual(
      errorOf(2, "This key may make 1 requests a minute and 600 an hour: try again in 60 s.", {
        status: 429,
        retry_after: 60,
      }),
    );
    await strict.stop();
  });

  test("a name that it does not go by", async () => {
    const env = environment({ DOCKET_URL: server.url.replace("127.0.0.1", "docket.localhost") });
    const { err, replies } = await askOnLines(env, [request(1, "ping")]);
    expect(replies).toEqual([
      errorOf(
        1,
        "This server is not known by that name: call it by localhost or its IP address, or add the name to DOCKET_ALLOWED_HOSTS. The address that was asked is the one in DOCKET_URL.",
        { status: 421 },
      ),
    ]);
    expect(err).toBe(
      "Warning: the key goes to docket.localhost without https, and can be read on the way.\n",
    );
  });

  test("a revision that it does not speak: its own error, with those it does", async () => {
    const line = request(1, "server/discover", {
      _meta: { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
    });
    expect(await refusalOf(environment(), line)).toMatchObject({
      id: 1,
      error: { code: -32_022, data: { supported: [CURRENT], requested: "2099-01-01" } },
    });
  });
});

describe("without what it needs", () => {
  test.each([
    [
      "no key",
      { DOCKET_API_KEY: "" },
      "DOCKET_API_KEY is not set: make a key on the page /account/keys, or with `docket key create`.",
    ],
    [
      "no key but something else",
      { DOCKET_API_KEY: "hunter2" },
      "DOCKET_API_KEY is not an API key, or it is mistyped: one begins with docket_live_.",
    ],
    [
      "no address",
      { DOCKET_URL: "localhost" },
      'DOCKET_URL must be an http:// or https:// address, not "localhost".',
    ],
    [
      "the API's address",
      { DOCKET_URL: "http://127.0.0.1:1/api/public/v1" },
      "DOCKET_URL must be an address without a path, as http://127.0.0.1:1.",
    ],
    [
      "an address with a password",
      { DOCKET_URL: "http://ann:hunter2@127.0.0.1:1" },
      "DOCKET_URL must be an address without a path, as http://127.0.0.1:1.",
    ],
    [
      "two keys",
      { DOCKET_API_KEY_FILE: "key" },
      "DOCKET_API_KEY and DOCKET_API_KEY_FILE are both set: keep one.",
    ],
  ])("%s: every message is answered with what to do", async (_what, env, sentence) => {
    const said = { jsonrpc: "2.0", method: "notifications/initialized" };
    const done = await askOnLines(environment(env), [initialize(), said]);
    expect(done.replies).toEqual([errorOf(1, sentence)]);
    expect([done.code, done.err]).toEqual([2, `docket: ${sentence}\ndocket: ${sentence}\n`]);
  });

  test("a session's token is told from a key, and sent nowhere", async () => {
    const done = await askOnLines(environment({ DOCKET_API_KEY: ann.session }), [initialize()]);
    expect(done.replies).toEqual([
      errorOf(1, "DOCKET_API_KEY is a session's token: make an API key on the page /account/keys."),
    ]);
  });

  test("a server that does not answer: what to do", async () => {
    const done = await askOnLines(environment({ DOCKET_URL: "http://127.0.0.1:1" }), [
      initialize(),
    ]);
    expect(done.replies).toEqual([
      errorOf(
        1,
        "Docket does not answer at http://127.0.0.1:1: start it with `docket serve`, or set DOCKET_URL.",
      ),
    ]);
    expect([done.code, done.err]).toEqual([0, ""]);
  });
});
