import { expect, onTestFinished, test } from "bun:test";
import { rmSync } from "node:fs";
import { openPull, pullRows, type Pull } from "../../../src/db/records/pull.ts";
import { DAY, HOUR, type Instant, SECOND } from "../../../src/domain/base/instant.ts";
import { connect } from "../../../src/db/sqlite/connection.ts";
import { startWriter } from "../../../src/db/sqlite/writer.ts";
import { NO_KEEPER } from "../../../src/db/sqlite/log.ts";
import { ormOf } from "../../../src/db/sqlite/orm.ts";
import type { Store } from "../../../src/db/store.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  ask,
  databaseFile,
  openForTest,
  pushTask,
  type TestStore,
} from "../../support/db/store.ts";
import { copyOf } from "../../support/db/worlds.ts";
import { countCommits, emptyLog } from "../../support/db/wal.ts";

const pull = (store: Store, accountId: number, since: Instant | null, now: Instant) =>
  openPull(store, accountId, since, null, now);

const idsOf = async (store: Store, accountId: number, window: Pull): Promise<readonly string[]> => {
  const chunks = await Array.fromAsync(pullRows(store, accountId, "sync_tasks", window));
  return chunks.flat().map((row) => (JSON.parse(row) as { id: string }).id);
};

const leaseOf = ({ directory }: TestStore): number =>
  ask<{ lease: number }>(directory, "SELECT lease FROM server")[0]?.lease ?? 0;

/** The store as a power cut leaves it, opened at `now`. */
const crash = async (store: TestStore, now: Instant): Promise<TestStore> => {
  const directory = copyOf(store.directory);
  await store.close();
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return openForTest({ directory, now });
};

test("What is pushed in the millisecond of a pull comes with that pull or with the next one", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const first = await pull(store, ann, null, NOON);
  expect([first.until, await idsOf(store, ann, first)]).toEqual([NOON, ["t1"]]);
  await pushTask(store, ann, "t2", NOON);
  const second = await pull(store, ann, first.until, NOON);
  expect([second.until, await idsOf(store, ann, second)]).toEqual([NOON + 1, ["t2"]]);
});

test("What is committed while a pull waits for its lease comes with that pull, or with the next if it does not wait", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  const now = NOON + 20 * SECOND;
  const [next] = await Promise.all([pull(store, ann, until, now), pushTask(store, ann, "t1", now)]);
  const after = await pull(store, ann, next.until, now);
  const [first, second] = [await idsOf(store, ann, next), await idsOf(store, ann, after)];
  expect([first, second]).toEqual(next.until < now ? [[], ["t1"]] : [["t1"], []]);
});

test("A pull renews the lease before it ends, so that a later one has nothing to wait for", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  await pull(store, ann, until, NOON + 5 * SECOND);
  await store.writer.drain();
  expect(leaseOf(store)).toBe(NOON + 10 * SECOND);
  const later = NOON + 6 * SECOND;
  const pulls = [
    openPull(store, ann, until, null, later),
    openPull(store, ann, until, null, later),
  ];
  // Neither waits for the lease to be written.
  expect(await Promise.all(pulls)).toMatchObject([{ until: later }, { until: later }]);
  const commits = countCommits(store.directory);
  await store.writer.drain();
  expect(leaseOf(store)).toBe(later + 10 * SECOND);
  expect(countCommits(store.directory)).toBe(commits + 1);
});

test("A pull whose lease has ended waits only a moment behind a long write", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const written = store.writer.write(() => ended);
  await Bun.sleep(0);
  const pulled = pull(store, ann, until, NOON + 20 * SECOND);
  const late = Bun.sleep(2_000).then(() => null);
  expect(await Promise.race([pulled, late])).toMatchObject({ until: NOON + 10 * SECOND });
  end();
  await written;
});

test("A pull whose lease has ended waits only a moment while writes wait for the log", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  using database = connect(databaseFile(store.directory));
  const orm = ormOf(database);
  const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>();
  const options = { wal: { ...NO_KEEPER, room: () => room }, onFatal: undefined };
  const writer = startWriter(database, orm, store.clock, options);
  const pulled = pull({ ...store, writer }, ann, until, NOON + 20 * SECOND);
  const late = Bun.sleep(2_000).then(() => null);
  expect(await Promise.race([pulled, late])).toMatchObject({ until: NOON + 10 * SECOND });
  makeRoom();
  await writer.drain();
});

test("A wall clock that is set back withholds nothing from pulls", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  await pushTask(store, ann, "t1", NOON - DAY);
  const next = await pull(store, ann, until, NOON - DAY);
  expect([next.until, await idsOf(store, ann, next)]).toEqual([NOON + 1, ["t1"]]);
  const last = await pull(store, ann, next.until, NOON - DAY);
  expect([last.until, await idsOf(store, ann, last)]).toEqual([NOON + 1, []]);
});

test("A crash with the clock set back withholds nothing from pulls", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  const again = await crash(store, NOON - DAY);
  await pushTask(again, ann, "t1", NOON - DAY);
  const next = await pull(again, ann, until, NOON - DAY);
  expect([next.until, await idsOf(again, ann, next)]).toEqual([NOON + 10 * SECOND + 1, ["t1"]]);
});

test("A crash followed by a stop before anyone pulled loses nothing either", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await pull(store, ann, null, NOON);
  const again = await crash(store, NOON - DAY);
  await again.close();
  const third = await openForTest({ directory: again.directory, now: NOON - DAY });
  await pushTask(third, ann, "t1", NOON - DAY);
  const next = await pull(third, ann, until, NOON - DAY);
  expect(await idsOf(third, ann, next)).toEqual(["t1"]);
  expect(next.until).toBeGreaterThan(until);
});

test("What a command writes beside the server comes with the server's next pull", async () => {
  const server = await openForTest();
  const visitor = await openForTest({ directory: server.directory, role: "visitor" });
  const ann = await accountFor(server);
  const { until } = await pull(server, ann, null, NOON);
  await pushTask(visitor, ann, "t1", NOON);
  const next = await pull(server, ann, until, NOON);
  expect([next.until, await idsOf(server, ann, next)]).toEqual([NOON + 10 * SECOND + 1, ["t1"]]);
});

test("One account's clock does not run ahead because another's does", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  for (let count = 0; count < 50; count++) await pushTask(store, ann, `t${count}`, NOON);
  expect((await pull(store, ann, null, NOON)).until).toBe(NOON + 49);
  expect((await pull(store, bob, null, NOON)).until).toBe(NOON);
});

test("An idle pull writes once in ten seconds, and not at all in between", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  emptyLog(store.directory);
  for (let ms = 0; ms <= 10 * SECOND; ms += 500) await pull(store, ann, null, NOON + ms);
  expect(countCommits(store.directory)).toBe(1);
  expect(leaseOf(store)).toBe(NOON + 10 * SECOND);
  await pull(store, ann, null, NOON + 10 * SECOND + 1);
  expect(countCommits(store.directory)).toBe(2);
});

test("While the clock is ahead of the wall clock, the lease runs one second ahead of it", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pull(store, ann, null, NOON);
  await pull(store, ann, null, NOON + 1 * HOUR);
  expect(leaseOf(store)).toBe(NOON + HOUR + 10 * SECOND);
  const again = await crash(store, NOON);
  await pushTask(again, ann, "t1", NOON);
  expect(leaseOf(again)).toBe(NOON + HOUR + 11 * SECOND + 1);
});

test("Crashes while the wall clock is stopped move the server's time on by one second each", async () => {
  let store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  for (let crashes = 0; crashes < 10; crashes++) {
    store = await crash(store, NOON);
    await pushTask(store, ann, "t1", NOON + 1 + crashes);
  }
  expect((await pull(store, ann, null, NOON)).until).toBe(
    NOON + 10 * SECOND + 1 + 9 * (SECOND + 1),
  );
});
