import { afterAll, describe, expect, test } from "bun:test";
import { readAddress } from "../../../src/cli/selftest/address.ts";
import { CHECKS } from "../../../src/cli/selftest/checks.ts";
import { selfTest } from "../../../src/cli/selftest/selftest.ts";
import { newcomer, sharedServer } from "../../support/replies.ts";
import type { Case } from "./cases/case.ts";
import { KEYS } from "./cases/keys.ts";
import { LISTS } from "./cases/lists.ts";
import { BROKEN, RATE } from "./cases/network.ts";
import { PUSH, RETRIES } from "./cases/push.ts";
import { CREDENTIALS, SERVER } from "./cases/server.ts";
import { SYNC } from "./cases/sync.ts";
import { CHILDREN, TASKS } from "./cases/tasks.ts";
import { startWrongServer, type Wrong } from "../../support/cli/wrong.ts";

const right = await sharedServer();
const CASES: readonly Case[] = [
  SERVER,
  CREDENTIALS,
  TASKS,
  LISTS,
  CHILDREN,
  SYNC,
  PUSH,
  RETRIES,
  KEYS,
  RATE,
  BROKEN,
].flat();
const failed = new Set<string>();

/** Runs all checks for a new person, through a server that is wrong in one way. */
const check = async (wrong: Wrong) => {
  const ann = await newcomer(right);
  const tokens = {
    session: ann.session,
    key: await ann.key(["read", "write"]),
    reader: await ann.key(["read"]),
    writer: await ann.key(["write"]),
  };
  const server = startWrongServer(right.url, tokens, wrong);
  const mark = `selftest-${crypto.randomUUID()}`;
  const options = { address: readAddress(server.url), tokens, mark };
  const report = await selfTest({ ...options, say: () => {}, isStopped: () => false });
  await server.stop();
  return report;
};

test("A server that passes everything on passes all checks, and keeps nothing", async () => {
  const { results, left } = await check(() => null);
  expect(results.filter(({ result }) => result !== "passed")).toEqual([]);
  expect([results.length, left]).toEqual([CHECKS.length, []]);
});

describe.each(CASES.map((each) => [each.name, each] as const))(
  "A server that %s",
  (_name, each) => {
    test("fails exactly the checks of that rule", async () => {
      const { results } = await check(each.wrong());
      const wrong = results.filter(({ result }) => result !== "passed");
      expect(wrong.map(({ check: rule }) => rule)).toEqual([...each.fails]);
      for (const { check: rule, result, why } of wrong) {
        failed.add(rule);
        // A sentence about the server, and not the trace of a fault in the check.
        expect([result, why?.includes("\n    at ")]).toEqual(["failed", false]);
      }
    });
  },
);

afterAll(() => {
  // Every check can fail: one that cannot would prove nothing.
  expect(CHECKS.map(({ rule }) => rule).filter((rule) => !failed.has(rule))).toEqual([]);
});
