import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { recordCall, recordTrace } from "../../../src/db/calls/activity.ts";
import { setPlan } from "../../../src/db/people/accounts.ts";
import { authenticate, selectAccount } from "../../../src/db/people/credentials.ts";
import { readClock } from "../../../src/db/records/clock.ts";
import { connect } from "../../../src/db/sqlite/connection.ts";
import { startWriter } from "../../../src/db/sqlite/writer.ts";
import { createKey, revokeKey } from "../../../src/db/people/api-keys.ts";
import type { Store } from "../../../src/db/store.ts";
import { ormOf } from "../../../src/db/sqlite/orm.ts";
import { remembered } from "../../../src/db/query.ts";
import { shareReads } from "../../../src/db/sqlite/shared-reads.ts";
import { account } from "../../../src/db/schema/records.ts";
import { createSession, revokeSession } from "../../../src/db/people/sessions.ts";
import { NO_KEEPER } from "../../../src/db/sqlite/log.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  databaseFile,
  directoryForTest,
  openForTest,
  clientOf,
} from "../../support/db/store.ts";

const WISH = { name: "bot", scopes: ["read"], restriction: null, expiresAt: null } as const;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A cached read that counts how often it looked up its value. */
const counted = <Value, Key extends string = string>(
  find: (key: Key) => Promise<Value> | Value,
) => {
  const asked: Key[] = [];
  const look = remembered(async (_orm, key: Key) => {
    asked.push(key);
    return find(key);
  });
  return { asked, look };
};

const callOf = (keyId: string, accountId: number) => ({
  keyId,
  accountId,
  at: NOON,
  method: "GET",
  route: "/me",
  status: 200,
  touched: null,
  client: null,
  tookToken: true,
  dryRun: false,
  tool: null,
});

/** A key, a session, and their owners. */
const credentials = async (store: Store) => {
  const ann = await accountFor(store);
  const made = await createKey(store, ann, WISH, cryptoRandom, NOON);
  const signedIn = await createSession(store, ann, "phone", cryptoRandom, NOON);
  const who = async () => [
    (await authenticate(store, made.secret, NOON))?.account.plan,
    (await authenticate(store, signedIn.secret, NOON))?.account.plan,
  ];
  return { ann, key: made.key, session: signedIn.session, who };
};

test("A remembered value is looked up once, until something is written", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { asked, look } = counted((key) => `${key}!`);
  for (let turn = 0; turn < 3; turn += 1) {
    expect([await look(store.reader, "a"), await look(store.reader, "b")]).toEqual(["a!", "b!"]);
    await nextTurn();
  }
  expect(asked).toEqual(["a", "b"]);
  await createKey(store, ann, WISH, cryptoRandom, NOON);
  expect(await look(store.reader, "a")).toBe("a!");
  expect(asked).toEqual(["a", "b", "a"]);
});

test("A missing value is looked up at each call", async () => {
  const store = await openForTest();
  const { asked, look } = counted(() => undefined);
  expect([await look(store.reader, "a"), await look(store.reader, "a")]).toEqual([
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(["a", "a"]);
});

test("A call's trace leaves remembered values valid", async () => {
  const store = await openForTest();
  const { ann, key, who } = await credentials(store);
  const { asked, look } = counted((name) => name);
  expect(await who()).toEqual(["pro", "pro"]);
  await store.writer.drain();
  await look(store.reader, "a");
  await recordTrace(store, { activity: callOf(key.id, ann), reply: null });
  await recordCall(store, callOf(key.id, ann));
  await look(store.reader, "a");
  expect(asked).toEqual(["a"]);
});

test("A trace committed together with other data does not hide them", async () => {
  const store = await openForTest();
  const { ann, key, session, who } = await credentials(store);
  expect(await who()).toEqual(["pro", "pro"]);
  await Promise.all([
    recordTrace(store, { activity: callOf(key.id, ann), reply: null }),
    revokeSession(store, ann, session.id, NOON),
    recordTrace(store, { activity: callOf(key.id, ann), reply: null }),
  ]);
  expect(await who()).toEqual(["pro", undefined]);
});

test("Nothing is remembered on the connection that writes", async () => {
  const store = await openForTest();
  const { asked, look } = counted((key) => key);
  await store.writer.write(async ({ orm }) => {
    await look(orm, "a");
    await look(orm, "a");
  });
  expect(asked).toEqual(["a", "a"]);
});

test("A write by this process takes effect at once", async () => {
  const store = await openForTest();
  const { ann, key, session, who } = await credentials(store);
  expect(await who()).toEqual(["pro", "pro"]);
  await setPlan(store, "ann@example.org", { plan: "free", until: null, source: null }, NOON);
  expect(await who()).toEqual(["free", "free"]);
  await revokeKey(store, ann, key.id, NOON);
  expect(await who()).toEqual([undefined, "free"]);
  await revokeSession(store, ann, session.id, NOON);
  expect(await who()).toEqual([undefined, undefined]);
});

test("A write by another process takes effect in the next turn", async () => {
  const directory = directoryForTest();
  const store = await openForTest({ directory });
  const { ann, key, who } = await credentials(store);
  const other = await openForTest({ directory, role: "visitor" });
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await who()).toEqual(["pro", "pro"]);
    await nextTurn();
  }
  await revokeKey(other, ann, key.id, NOON);
  await nextTurn();
  expect(await who()).toEqual([undefined, "pro"]);
});

test("A value read in a turn that began before another process wrote is not kept beyond that turn", async () => {
  const directory = directoryForTest();
  const store = await openForTest({ directory });
  const { ann, who } = await credentials(store);
  using other = new Database(databaseFile(directory));
  await nextTurn();
  const { look } = counted(
    async (name: "email" | "plan") => (await selectAccount(store.reader).get({ id: ann }))?.[name],
  );
  expect(await look(store.reader, "email")).toBe("ann@example.org");
  expect(clientOf(store.reader).inTransaction).toBe(true);
  other.run("UPDATE account SET plan = 'free'");
  // Still the same turn, so the value is as it was when the turn began.
  expect(await look(store.reader, "plan")).toBe("pro");
  await nextTurn();
  expect(await look(store.reader, "plan")).toBe("free");
  expect(await who()).toEqual(["free", "free"]);
});

const failToSync = (): boolean => {
  throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" });
};

test("If the disk does not confirm what follows a commit, nothing is remembered", async () => {
  const directory = directoryForTest();
  const ann = await accountFor(await openForTest({ directory }));
  using writing = connect(databaseFile(directory));
  using reading = connect(databaseFile(directory));
  const [orm, reader] = [ormOf(writing), ormOf(reading)];
  const writer = startWriter(writing, orm, await readClock(orm, "server"), {
    wal: { ...NO_KEEPER, checkpoint: failToSync },
    onFatal: undefined,
    sharedReads: shareReads(reading, writing),
  });
  const { look } = counted(async () => (await selectAccount(reader).get({ id: ann }))?.plan);
  expect(await look(reader, "a")).toBe("pro");
  await writer.write((tx) => tx.orm.update(account).set({ plan: "free" }).run());
  expect(await look(reader, "a")).toBe("free");
  await nextTurn();
});

test("The number of remembered values is bounded", async () => {
  const store = await openForTest();
  const { asked, look } = counted((key) => key);
  for (let key = 0; key < 5_000; key += 1) await look(store.reader, String(key));
  asked.length = 0;
  await look(store.reader, "0");
  expect(asked).toEqual(["0"]);
});
