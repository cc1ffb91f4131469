import { describe, expect, test } from "bun:test";
import {
  countAttempt,
  forgiveAttempt,
  type Subject,
  withdrawAttempt,
} from "../../../src/db/calls/throttle.ts";
import { DAY, type Instant, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { ask, directoryForTest, openForTest, type TestStore } from "../../support/db/store.ts";

const ANN: Subject = { kind: "email", name: "ann@example.org" };
const BOB: Subject = { kind: "email", name: "bob@example.org" };
const HERE: Subject = { kind: "address", name: "192.0.2.1" };
const BROWSER: Subject = { kind: "browser", name: "docket_page_x" };

/**
 * Makes attempts one after the other until one is refused, at most `most`. Returns how many were
 * let through.
 */
const attemptAll = async (
  store: TestStore,
  subjects: readonly Subject[],
  most = 50,
  now: Instant = NOON,
): Promise<number> => {
  for (let tries = 0; tries < most; tries++)
    if ((await Promise.allSettled([countAttempt(store, subjects, now)]))[0].status === "rejected")
      return tries;
  return most;
};

const wait = (seconds: number) => ({
  reason: "too_many" as const,
  message: `Too many attempts to sign in have failed. Try again in ${seconds} s.`,
  headers: { "retry-after": String(seconds) },
});

describe("Sign-in attempts", () => {
  test("are free ten times for an e-mail or a browser and thirty times for a network address; the next one has to wait", async () => {
    for (const [subject, free] of [
      [ANN, 10],
      [BROWSER, 10],
      [HERE, 30],
    ] as const) {
      const store = await openForTest();
      expect(await attemptAll(store, [subject])).toBe(free);
      expect(await refused(() => countAttempt(store, [subject], NOON))).toEqual(wait(15));
    }
  });

  test("do not count while they are refused: anyone who waits as long as asked is let through", async () => {
    const store = await openForTest();
    await attemptAll(store, [ANN]);
    for (let at = 1; at <= 100; at++)
      await refused(() => countAttempt(store, [ANN], NOON + at * 100));
    expect(await refused(() => countAttempt(store, [ANN], NOON + 15 * SECOND - 1))).toEqual(
      wait(1),
    );
    await countAttempt(store, [ANN], NOON + 15 * SECOND);
    expect(await refused(() => countAttempt(store, [ANN], NOON + 15 * SECOND))).toEqual(wait(30));
  });

  test("count for each of their subjects, or for none", async () => {
    const store = await openForTest();
    await attemptAll(store, [ANN]);
    await refused(() => countAttempt(store, [ANN, HERE], NOON));
    await refused(() => countAttempt(store, [HERE, ANN], NOON));
    expect(await attemptAll(store, [HERE])).toBe(30);
    expect(await refused(() => countAttempt(store, [BOB, HERE], NOON))).toEqual(wait(15));
    expect(await attemptAll(store, [BOB])).toBe(10);
  });

  test("cannot exceed the limit by arriving at the same time, in this process or another", async () => {
    const store = await openForTest();
    const other = await openForTest({ directory: store.directory, role: "visitor" });
    const tries = Array.from({ length: 200 }, (_, at) =>
      countAttempt(at % 2 ? store : other, [ANN, { kind: "address", name: `192.0.2.${at}` }], NOON),
    );
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  });

  test("are remembered after a restart", async () => {
    const directory = directoryForTest();
    const before = await openForTest({ directory });
    await attemptAll(before, [ANN]);
    await before.close();
    const after = await openForTest({ directory });
    expect(await refused(() => countAttempt(after, [ANN], NOON))).toEqual(wait(15));
  });

  test("stay counted when another write in the same commit fails", async () => {
    const store = await openForTest();
    const failing = () =>
      store.writer.write(() => {
        throw new Refusal("invalid", "It failed.");
      });
    for (let tries = 0; tries < 10; tries++)
      await Promise.allSettled([failing(), countAttempt(store, [ANN], NOON), failing()]);
    expect(await refused(() => countAttempt(store, [ANN], NOON))).toEqual(wait(15));
  });

  test("are stored as digests, which do not show whose e-mail was tried", async () => {
    const store = await openForTest();
    await countAttempt(store, [ANN, HERE, BROWSER], NOON);
    const rows = ask<{ subject: string }>(store.directory, "SELECT subject FROM failure");
    expect(rows.map(({ subject }) => subject).toSorted()).toEqual([
      expect.stringMatching(/^address:[\w-]{43}$/),
      expect.stringMatching(/^browser:[\w-]{43}$/),
      expect.stringMatching(/^email:[\w-]{43}$/),
    ]);
  });

  test("are deleted a day later, when someone else tries", async () => {
    const store = await openForTest();
    await countAttempt(store, [ANN], NOON);
    await countAttempt(store, [BOB], NOON + DAY);
    expect(ask(store.directory, "SELECT count FROM failure")).toHaveLength(2);
    await countAttempt(store, [BOB], NOON + DAY + 1);
    expect(ask(store.directory, "SELECT count FROM failure")).toHaveLength(1);
  });
});

describe("A successful attempt", () => {
  test("clears all failures of the e-mail and the browser, but only itself for the network address", async () => {
    const store = await openForTest();
    const all = [ANN, BROWSER, HERE];
    await attemptAll(store, all, 9);
    await countAttempt(store, all, NOON);
    await forgiveAttempt(store, all);
    expect(await attemptAll(store, [ANN])).toBe(10);
    expect(await attemptAll(store, [BROWSER])).toBe(10);
    expect(await attemptAll(store, [HERE])).toBe(21);
  });

  test("leaves other people's failures alone", async () => {
    const store = await openForTest();
    await attemptAll(store, [BOB]);
    await countAttempt(store, [ANN], NOON);
    await forgiveAttempt(store, [ANN]);
    expect(await attemptAll(store, [BOB])).toBe(0);
  });
});

describe("An attempt whose password was not checked", () => {
  test("is taken back alone", async () => {
    const store = await openForTest();
    const all = [ANN, HERE];
    await attemptAll(store, all, 9);
    await countAttempt(store, all, NOON);
    await withdrawAttempt(store, all);
    expect(await attemptAll(store, [ANN])).toBe(1);
    expect(await attemptAll(store, [HERE])).toBe(21);
  });

  test("leaves no credit, however often it is taken back", async () => {
    const store = await openForTest();
    await countAttempt(store, [ANN], NOON);
    for (let times = 0; times < 5; times++) await withdrawAttempt(store, [ANN, BOB]);
    expect(await attemptAll(store, [ANN])).toBe(10);
    expect(await attemptAll(store, [BOB], 50, NOON + MINUTE)).toBe(10);
  });
});
