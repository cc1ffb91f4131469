import { expect, test } from "bun:test";
import { type LogFormat, startLog } from "../../src/server/log.ts";
import { NOON } from "../support/server.ts";

const REQUEST = {
  requestId: "0195f1c2-7f3e",
  method: "GET",
  path: "/api/public/v1/tasks",
  status: 200,
  ms: 1.26,
  caller: "key bot",
};

const lines = (format: LogFormat) => {
  const written: string[] = [];
  const log = startLog(
    format,
    (line) => written.push(line),
    () => new Date(NOON + 7),
  );
  return { log, written };
};

test("A request is one line for people", () => {
  const { log, written } = lines("pretty");
  log.request(REQUEST);
  log.request({ ...REQUEST, status: 401, caller: null });
  expect(written).toEqual([
    "12:00:00.007 200 GET /api/public/v1/tasks 1.3 ms key bot",
    "12:00:00.007 401 GET /api/public/v1/tasks 1.3 ms -",
  ]);
});

test("A request is one JSON object for machines", () => {
  const { log, written } = lines("json");
  log.request(REQUEST);
  expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
    { time: "2026-03-04T12:00:00.007Z", level: "info", message: "request", ...REQUEST, ms: 1.3 },
  ]);
});

test("A warning names its fields", () => {
  const { log, written } = lines("pretty");
  log.warn("the clock runs ahead", { seconds: 90, of: "the wall", known: true, by: null });
  log.warn("and nothing more");
  expect(written).toEqual([
    "12:00:00.007 warn the clock runs ahead seconds=90 of=the wall known=true by=null",
    "12:00:00.007 warn and nothing more",
  ]);
});

test("An error says its cause, and the cause of that", () => {
  const { log, written } = lines("json");
  const cause = new Error("outer", { cause: new Error("inner", { cause: "disk" }) });
  log.error("request failed", cause, { requestId: "0195f1c2-7f3e" });
  const line = JSON.parse(written[0] ?? "") as { message: string; level: string; cause: string };
  expect(line).toMatchObject({ level: "error", message: "request failed" });
  expect(line).toMatchObject({ requestId: "0195f1c2-7f3e" });
  expect(line.cause).toMatch(/Error: outer[^]*caused by Error: inner[^]*caused by disk$/);
});

test.each([
  ["a text", "boom", "boom"],
  ["null", null, "null"],
  ["an object", { a: 1 }, "[object Object]"],
])("Thrown values are logged too: %s", (_name, thrown, text) => {
  const { log, written } = lines("pretty");
  log.error("request failed", thrown);
  expect(written).toEqual([`12:00:00.007 error request failed\n  cause=${text}`]);
});

test.each([
  ["an escape sequence", "/a\u001B[2J", String.raw`/a\u{1b}[2J`],
  ["a carriage return", "/a\rforged", String.raw`/a\u{d}forged`],
  ["a C1 control character", "/a\u009B2J", String.raw`/a\u{9b}2J`],
  ["text turned round", "/a\u202Eb", String.raw`/a\u{202e}b`],
  ["NUL", "/a\0", String.raw`/a\u{0}`],
  ["a line separator", "/a\u2028forged", String.raw`/a\u{2028}forged`],
  ["a paragraph separator", "/a\u2029forged", String.raw`/a\u{2029}forged`],
])("A path cannot control the terminal with %s", (_name, path, shown) => {
  const { log, written } = lines("pretty");
  log.request({ ...REQUEST, path });
  expect(written).toEqual([`12:00:00.007 200 GET ${shown} 1.3 ms key bot`]);
});

test("A request stays one line, whatever its path and its key's name contain", () => {
  for (const format of ["pretty", "json"] as const) {
    const { log, written } = lines(format);
    log.request({ ...REQUEST, path: "/a\n12:00:00.007 forged", caller: "key a\nb" });
    expect(written.join("")).not.toContain("\n");
  }
});

test("The lines of a cause are indented, so that none can pass for a log line of its own", () => {
  const { log, written } = lines("pretty");
  log.error("request failed", "boom\n12:00:00.007 forged\u001B[2J");
  expect(written).toEqual([
    "12:00:00.007 error request failed\n  cause=boom\n  12:00:00.007 forged\\u{1b}[2J",
  ]);
});

test.each(["pretty", "json"] as const)(
  "A %s line stays short, whatever a stranger sends",
  (format) => {
    const { log, written } = lines(format);
    const long = "x".repeat(16_000);
    log.request({ ...REQUEST, path: `/${long}`, caller: `key ${long}` });
    log.warn("the OpenID provider refused", { code: long });
    log.failedSignIn({ address: long, by: "password", account: long, because: "refused" });
    log.error("request failed", long);
    expect(written.map(({ length }) => length).map((length) => length < 1_000)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(written[3]?.length).toBeLessThan(8_200);
  },
);

test("A log that is off writes nothing", () => {
  const { log, written } = lines("off");
  log.request(REQUEST);
  log.warn("the clock runs ahead");
  log.error("request failed", new Error("boom"));
  expect(written).toEqual([]);
});
