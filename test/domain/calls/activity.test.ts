import { expect, test } from "bun:test";
import { type Activity, clientName, isFolded } from "../../../src/domain/calls/activity.ts";
import { NOON } from "../../support/server.ts";

const call: Activity = {
  keyId: "k1",
  accountId: 1,
  at: NOON,
  method: "GET",
  route: "/api/public/v1/tasks",
  status: 200,
  touched: null,
  client: "curl/8.5.0",
  tookToken: true,
  dryRun: false,
  tool: null,
};

test("Each call that took a token has a row of its own, but for a handshake; all others share rows", () => {
  expect(isFolded(call)).toBe(false);
  expect(isFolded({ ...call, status: 403 })).toBe(false);
  expect(isFolded({ ...call, status: 429, tookToken: false })).toBe(true);
  const hello = { ...call, method: "POST", route: "/mcp", tool: "initialize" };
  expect(isFolded(hello)).toBe(true);
  expect(isFolded({ ...hello, status: 400 })).toBe(false);
  expect(isFolded({ ...hello, tool: "add_task" })).toBe(false);
});

test.each([
  ["as it is", "curl/8.5.0", "curl/8.5.0"],
  ["without unprintable characters", "a\u001B[31m\tb\u202E\n", "a[31mb"],
  ["cut to 200 characters", "x".repeat(300), "x".repeat(200)],
  ["as null if nothing is left", "\u200B", null],
  ["as null if it is empty", "", null],
  ["as null if there is none", null, null],
])("A client's name is stored %s", (_name, userAgent, kept) => {
  expect(clientName(userAgent)).toBe(kept);
});

test("A name that is cut in the middle of an emoji is still well-formed", () => {
  expect(clientName(`${"x".repeat(199)}🤖`)?.isWellFormed()).toBe(true);
});
