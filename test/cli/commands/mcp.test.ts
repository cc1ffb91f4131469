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
import { DOCKET } from "../../support/docket.ts";
import { plainEnvironment } from "../../support/program.ts";
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
  test("passes on messages of the current revision, and returns the replies", async () => {
    const who = currentRequest("a", "tools/call", { name: "list_folders", arguments: {} });
    const done = await askOnLines(environment(), [currentRequest(1, "server/discover"), who]);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.answerTo(1).result.supportedVersions).toEqual([CURRENT]);
    expect(done.answerTo("a").result.structuredContent).toMatchObject({ next: null });
  });

  test("passes on messages of the previous revision, whose replies come as events", async () => {
    const who = request(2, "tools/call", { name: "list_folders", arguments: {} });
    const done = await askOnLines(environment(), [initialize(), who]);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.answerTo(1).result).toMatchObject({
      protocolVersion: LAST,
      serverInfo: { name: "docket" },
    });
    expect(done.answerTo(2).result.structuredContent).toMatchObject({ next: null });
  });

  test("answers every request that came before the input ended", async () => {
    const pings = Array.from({ length: 200 }, (_, id) => request(id, "ping"));
    const { code, replies } = await askOnLines(environment(), pings);
    expect(code).toBe(0);
    expect(replies.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      pings.map(({ id }) => id),
    );
  });

  test("does not reply to a notification", async () => {
    const said = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect(await askOnLines(environment(), [said, "", " "])).toMatchObject({
      code: 0,
      err: "",
      out: "",
    });
  });

  test("reads the key and the address from files, and opens no data directory", async () => {
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

  test("ends on SIGTERM even if its input is still open", async () => {
    const env = plainEnvironment(environment());
    const child = Bun.spawn([...DOCKET, "mcp"], { env, stdin: "pipe", stdout: "pipe" });
    child.stdin.write(`${JSON.stringify(request(1, "ping"))}\n`);
    await child.stdin.flush();
    await child.stdout.getReader().read();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

describe("lines that are not messages", () => {
  const NO_JSON = errorOf(
    null,
    "The line is not JSON. Send one message per line.",
    undefined,
    -32_700,
  );
  const NO_MESSAGE =
    "The line is not a request or notification. Send one per line, not a list of them.";

  test.each([
    ["half a message", '{"jsonrpc":', NO_JSON],
    ["two messages", "{} {}", NO_JSON],
    ["a number", "7", errorOf(null, NO_MESSAGE, undefined, -32_600)],
    [
      "a list of messages",
      `[${JSON.stringify(request(1, "ping"))}]`,
      errorOf(null, NO_MESSAGE, undefined, -32_600),
    ],
    ["a message without a method", '{"id":7}', errorOf(7, NO_MESSAGE, undefined, -32_600)],
    [
      "a reply",
      '{"jsonrpc":"2.0","id":"a","result":{}}',
      errorOf("a", NO_MESSAGE, undefined, -32_600),
    ],
    [
      "a message with an invalid id",
      '{"id":{},"method":"ping"}',
      errorOf(null, NO_MESSAGE, undefined, -32_600),
    ],
    [
      "a message of more than 4 MiB",
      `{"id":1,"method":"${"x".repeat(4 * 1024 * 1024)}"}`,
      errorOf(null, "The message is too long. Send less at a time.", undefined, -32_600),
    ],
  ])("%s is refused, and the next message is answered", async (_what, line, refused) => {
    const { code, replies, answerTo } = await askOnLines(environment(), [line, request(2, "ping")]);
    expect([code, replies.length]).toEqual([0, 2]);
    expect(replies).toContainEqual(refused);
    expect(answerTo(2)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  test("the server itself refuses a message of more than 1 MiB", async () => {
    const long = request(1, "tools/call", { name: "x".repeat(1024 * 1024) });
    const refused = { status: 413 };
    expect((await askOnLines(environment(), [long])).replies).toEqual([
      errorOf(1, "The message must be at most 1 MiB.", refused),
    ]);
  });
});
