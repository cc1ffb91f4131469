import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  askOnLines,
  CURRENT,
  currentRequest,
  errorOf,
  initialize,
  LAST,
  request,
} from "../../support/bridge.ts";
import { FROM_SOURCE, plainEnvironment } from "../../support/program.ts";
import { startServer, type TestServer, testDirectory } from "../../support/server.ts";

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
  const ann = await server.person();
  key = await ann.key();
});

afterAll(() => server.stop());

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  DOCKET_URL: server.url,
  DOCKET_API_KEY: key,
  ...more,
});

describe("docket mcp", () => {
  test("hands messages of the current revision over, and the replies back", async () => {
    const who = currentRequest("a", "tools/call", { name: "who_am_i", arguments: {} });
    const done = await askOnLines(environment(), [currentRequest(1, "server/discover"), who]);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.answerTo(1).result.supportedVersions).toEqual([CURRENT]);
    expect(done.answerTo("a").result.structuredContent).toMatchObject({
      account: "ann@example.org",
    });
  });

  test("hands messages of the revision before over, whose replies come as events", async () => {
    const who = request(2, "tools/call", { name: "who_am_i", arguments: {} });
    const done = await askOnLines(environment(), [initialize(), who]);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.answerTo(1).result).toMatchObject({
      protocolVersion: LAST,
      serverInfo: { name: "docket" },
    });
    expect(done.answerTo(2).result.structuredContent).toMatchObject({ account: "ann@example.org" });
  });

  test("answers all that was asked before its input ended", async () => {
    const pings = Array.from({ length: 200 }, (_, id) => request(id, "ping"));
    const { code, replies } = await askOnLines(environment(), pings);
    expect(code).toBe(0);
    expect(replies.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      pings.map(({ id }) => id),
    );
  });

  test("answers a notification with nothing", async () => {
    const said = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect(await askOnLines(environment(), [said, "", " "])).toMatchObject({
      code: 0,
      err: "",
      out: "",
    });
  });

  test("finds the key and the address in files, and opens no data directory", async () => {
    const directory = testDirectory();
    const [keyFile, urlFile] = [join(testDirectory(), "key"), join(testDirectory(), "url")];
    writeFileSync(keyFile, `${key}\n`);
    writeFileSync(urlFile, `${server.url}/\n`);
    const env = {
      DOCKET_URL_FILE: urlFile,
      DOCKET_API_KEY_FILE: keyFile,
      DOCKET_DATA: directory,
    };
    expect((await askOnLines(env, [request(1, "ping")])).replies).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
    ]);
    expect(readdirSync(directory)).toEqual([]);
  });

  test("ends at SIGTERM while its input stays open", async () => {
    const env = plainEnvironment(environment());
    const child = Bun.spawn([...FROM_SOURCE, "mcp"], { env, stdin: "pipe", stdout: "pipe" });
    child.stdin.write(`${JSON.stringify(request(1, "ping"))}\n`);
    await child.stdin.flush();
    await child.stdout.getReader().read();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

describe("lines that are no messages", () => {
  const NO_JSON = errorOf(
    null,
    "The line is not JSON: send one message a line.",
    undefined,
    -32_700,
  );
  const NO_MESSAGE =
    "The line is no request or notification: send one a line, and no lists of them.";

  test.each([
    ["half of one", '{"jsonrpc":', NO_JSON],
    ["two of them", "{} {}", NO_JSON],
    ["a number", "7", errorOf(null, NO_MESSAGE, undefined, -32_600)],
    [
      "a list of them",
      `[${JSON.stringify(request(1, "ping"))}]`,
      errorOf(null, NO_MESSAGE, undefined, -32_600),
    ],
    ["one without a method", '{"id":7}', errorOf(7, NO_MESSAGE, undefined, -32_600)],
    [
      "a reply",
      '{"jsonrpc":"2.0","id":"a","result":{}}',
      errorOf("a", NO_MESSAGE, undefined, -32_600),
    ],
    [
      "one whose id is no id",
      '{"id":{},"method":"ping"}',
      errorOf(null, NO_MESSAGE, undefined, -32_600),
    ],
    [
      "one of more than 4 MiB",
      `{"id":1,"method":"${"x".repeat(4 * 1024 * 1024)}"}`,
      errorOf(null, "The message is too long: send less at once.", undefined, -32_600),
    ],
  ])("%s is refused, and what follows is answered", async (_what, line, refused) => {
    const { code, replies, answerTo } = await askOnLines(environment(), [line, request(2, "ping")]);
    expect([code, replies.length]).toEqual([0, 2]);
    expect(replies).toContainEqual(refused);
    expect(answerTo(2)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  test("the server refuses a message of more than 1 MiB in its own words", async () => {
    const long = request(1, "tools/call", { name: "x".repeat(1024 * 1024) });
    const refused = { status: 413 };
    expect((await askOnLines(environment(), [long])).replies).toEqual([
      errorOf(1, "The message must be at most 1 MiB.", refused),
    ]);
  });
});
