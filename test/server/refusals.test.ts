import { AGENT_WORDS } from "../../src/mcp/server.ts";
import { SQLiteError } from "bun:sqlite";
import { expect, test } from "bun:test";
import { say } from "../../src/domain/base/message.ts";
import { invalid, Refusal } from "../../src/domain/base/refusal.ts";
import { startCall } from "../../src/server/call.ts";
import { errorReply, failureOf } from "../../src/server/respond.ts";
import { openForTest } from "../support/db/store.ts";
import { testClock } from "../support/server.ts";
import { serviceFor } from "../support/service.ts";

const clock = testClock();
const request = new Request("http://localhost/x");
const callFor = () => startCall(request, { server: null, arrived: request }, clock);

const storageFault = (code: string) =>
  Object.assign(Object.create(SQLiteError.prototype) as SQLiteError, { code, message: code });

const READ_LATER = "The server cannot read its storage right now. Try again later.";
const DAMAGED =
  "The server's database is damaged. The server's owner must check its log and restore a backup.";

test.each<[string, unknown, number, string, readonly string[]]>([
  ["a refusal", invalid("name is missing."), 422, "name is missing.", []],
  [
    "a refusal that is the server's doing",
    new Refusal("disk_full", "The server's disk is full."),
    507,
    "The server's disk is full.",
    ["request failed"],
  ],
  [
    "a fault of the storage",
    storageFault("SQLITE_IOERR_READ"),
    503,
    READ_LATER,
    ["the storage failed: check the disk and the system log"],
  ],
  [
    "damaged data",
    storageFault("SQLITE_CORRUPT"),
    503,
    DAMAGED,
    ["the data are damaged: stop the server, then restore a backup with `docket restore FILE`"],
  ],
  ["a bug", new Error("a secret"), 500, "Internal error.", ["request failed"]],
  ["what is no error at all", "a secret", 500, "Internal error.", ["request failed"]],
])("Thrown, %s gets its status, and the log gets what failed", async (...row) => {
  const [, thrown, status, error, logged] = row;
  const lines: string[] = [];
  const service = serviceFor(await openForTest(), clock, (line) =>
    lines.push((JSON.parse(line) as { message: string }).message),
  );
  const failure = failureOf(service, callFor(), thrown);
  expect(failure.status).toBe(status);
  expect(JSON.parse(errorReply(failure).body)).toEqual({ error });
  expect(lines).toEqual([...logged]);
});

test("A refusal that nothing caused is logged with its sentence alone, without a stack", async () => {
  const lines: unknown[] = [];
  const service = serviceFor(await openForTest(), clock, (line) => lines.push(JSON.parse(line)));
  failureOf(service, callFor(), new Refusal("unavailable", "The server is busy."));
  expect(lines).toMatchObject([
    { level: "error", message: "request failed", cause: "The server is busy." },
  ]);
});

test("A refusal uses its caller's words", async () => {
  const service = serviceFor(await openForTest(), clock);
  const refusal = invalid(say`${{ parameter: "limit" }} must be at most ${50}.`);
  const call = callFor();
  expect(failureOf(service, call, refusal).message).toBe(
    "Query parameter limit must be at most 50.",
  );
  call.words = AGENT_WORDS;
  expect(failureOf(service, call, refusal).message).toBe("limit must be at most 50.");
});

test("A refusal from OAuth has a code and a sentence", async () => {
  const service = serviceFor(await openForTest(), clock);
  const refusal = new Refusal("malformed", "code is missing.", {}, "invalid_request");
  const { body } = errorReply(failureOf(service, callFor(), refusal));
  expect(JSON.parse(body)).toEqual({
    error: "invalid_request",
    error_description: "code is missing.",
  });
});
