import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { addAccount, listAccounts } from "../../../src/db/people/accounts.ts";
import { account, record } from "../../../src/db/schema/records.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { invalid, Refusal } from "../../../src/domain/base/refusal.ts";
import { NOON } from "../../support/server.ts";
import { refused } from "../../support/refused.ts";
import {
  PHONE,
  accountFor,
  openForTest,
  pushTask,
  type TestStore,
} from "../../support/db/store.ts";
import { countCommits, emptyLog } from "../../support/db/wal.ts";
import { createFolder } from "../../support/rules.ts";

const newAccount = (store: TestStore, email: string) =>
  addAccount(store, email, { plan: "pro", passwordHash: null }, NOON);

/** Adds an account directly, within a job. */
const insert = async (tx: Tx, email: string): Promise<void> => {
  const row = {
    uid: email,
    email,
    plan: "pro",
    planSource: "test",
    createdAt: NOON,
    hw: 0,
  } as const;
  await tx.orm.insert(account).values(row).run();
};

const emails = async (store: TestStore) => (await listAccounts(store)).map(({ email }) => email);

test("Writes that arrive together share one commit", async () => {
  const store = await openForTest();
  emptyLog(store.directory);
  const names = Array.from({ length: 200 }, (_, index) => `ann${index}@example.org`);
  await Promise.all(names.map((email) => newAccount(store, email)));
  expect(countCommits(store.directory)).toBe(1);
  expect(await emails(store)).toEqual(names);
});

test("A commit has 256 writes at most, so that other requests are answered in between", async () => {
  const store = await openForTest();
  emptyLog(store.directory);
  const order: string[] = [];
  setImmediate(() => setImmediate(() => order.push("another's turn")));
  const writes = Array.from({ length: 600 }, (_, index) =>
    newAccount(store, `ann${index}@example.org`).then(() => order.push("write")),
  );
  await Promise.all(writes);
  expect(countCommits(store.directory)).toBe(3);
  expect(order.indexOf("another's turn")).toBeLessThan(order.length - 1);
});

test("Writes that arrive one by one do not delay the first of them", async () => {
  const store = await openForTest();
  const order: string[] = [];
  const first = store.writer.write(() => {}, "trace").then(() => order.push("first"));
  for (let turn = 0; turn < 100; turn += 1) {
    void store.writer.write(() => {}, "trace");
    await Bun.sleep(2);
    order.push("turn");
  }
  await first;
  expect(order.indexOf("first")).toBeLessThan(10);
});

test("Writes that follow one another are each committed before they are answered", async () => {
  const store = await openForTest();
  const visitor = await openForTest({ directory: store.directory, role: "visitor" });
  emptyLog(store.directory);
  for (let index = 1; index <= 5; index++) {
    await newAccount(store, `ann${index}@example.org`);
    expect(countCommits(store.directory)).toBe(index);
    expect(await emails(visitor)).toHaveLength(index);
  }
});

test("A write that changes nothing commits nothing", async () => {
  const store = await openForTest();
  emptyLog(store.directory);
  expect(await store.writer.write(() => 7)).toBe(7);
  expect(countCommits(store.directory)).toBe(0);
});

test("A refused job leaves nothing behind, and the other jobs of its commit succeed", async () => {
  const store = await openForTest();
  emptyLog(store.directory);
  const first = newAccount(store, "ann@example.org");
  const second = store.writer.write(async (tx) => {
    await insert(tx, "mallory@example.org");
    throw invalid("No.");
  });
  const third = newAccount(store, "bob@example.org");
  expect(await refused(() => second)).toEqual({ reason: "invalid", message: "No.", headers: {} });
  await Promise.all([first, third]);
  expect(await emails(store)).toEqual(["ann@example.org", "bob@example.org"]);
  expect(countCommits(store.directory)).toBe(1);
});

test("A job that fails with a bug does not affect the others, and its caller gets the error", async () => {
  const store = await openForTest();
  const bug = new TypeError("undefined is not a function");
  const first = newAccount(store, "ann@example.org");
  const second = store.writer.write(async (tx) => {
    await insert(tx, "mallory@example.org");
    throw bug;
  });
  const third = newAccount(store, "bob@example.org");
  expect(await second.catch((error: unknown) => error)).toBe(bug);
  await Promise.all([first, third]);
  expect(await emails(store)).toEqual(["ann@example.org", "bob@example.org"]);
});

test("A job that breaks a database constraint does not affect the others", async () => {
  const store = await openForTest();
  const first = newAccount(store, "ann@example.org");
  const second = store.writer.write(async (tx) => {
    await insert(tx, "mallory@example.org");
    await insert(tx, "ann@example.org");
  });
  const third = newAccount(store, "bob@example.org");
  expect(await second.catch(String)).toContain("UNIQUE constraint failed");
  await Promise.all([first, third]);
  expect(await emails(store)).toEqual(["ann@example.org", "bob@example.org"]);
});

test.each([
  ["refused", invalid("No.")],
  ["a bug", new TypeError("undefined is not a function")],
])("A job that is alone and %s leaves nothing, and the next one works", async (_name, error) => {
  const store = await openForTest();
  const job = store.writer.write(async (tx) => {
    await insert(tx, "mallory@example.org");
    throw error;
  });
  expect(await job.catch((thrown: unknown) => thrown)).toBe(error);
  await newAccount(store, "ann@example.org");
  expect(await emails(store)).toEqual(["ann@example.org"]);
});

test("A refused attempt within a job is undone on its own", async () => {
  const store = await openForTest();
  for (const siblings of [[], ["cleo@example.org"]]) {
    const others = siblings.map((email) => newAccount(store, email));
    const outcome = await store.writer.write(async (tx) => {
      await insert(tx, `ann${siblings.length}@example.org`);
      const attempt = await tx.attempt(async () => {
        await insert(tx, "mallory@example.org");
        throw invalid("No.");
      });
      await insert(tx, `bob${siblings.length}@example.org`);
      return attempt;
    });
    await Promise.all(others);
    expect(outcome).toEqual({ done: false, refusal: new Refusal("invalid", "No.") });
  }
  expect((await emails(store)).toSorted()).toEqual([
    "ann0@example.org",
    "ann1@example.org",
    "bob0@example.org",
    "bob1@example.org",
    "cleo@example.org",
  ]);
});

test("All of one account's records in a commit share a stamp, and each account has its own", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  await Promise.all([
    pushTask(store, ann, "a1", NOON + 5),
    pushTask(store, ann, "a2", NOON + 6),
    pushTask(store, bob, "b1", NOON + 7),
    createFolder(store, ann, { name: "Home", colour: null }, PHONE, NOON + 8),
  ]);
  const stamps = async (accountId: number) =>
    (
      await store.reader
        .select({ at: record.changedAt })
        .from(record)
        .where(eq(record.accountId, accountId))
        .all()
    ).map(({ at }) => at);
  expect(await stamps(ann)).toEqual([NOON + 5, NOON + 5, NOON + 5]);
  expect(await stamps(bob)).toEqual([NOON + 7]);
});

test("Each write returns what its job returned, in the order in which they were submitted", async () => {
  const store = await openForTest();
  const answered: number[] = [];
  const writes = [1, 2, 3].map((number) =>
    store.writer.write(() => number).then((value) => answered.push(value)),
  );
  await Promise.all(writes);
  expect(answered).toEqual([1, 2, 3]);
  await store.writer.drain();
  expect(await store.reader.get<unknown>(sql`select count(*) from account`)).toEqual([0]);
});
