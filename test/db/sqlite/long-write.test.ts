import type { Database } from "bun:sqlite";
import { expect, onTestFinished, test } from "bun:test";
import { createSession } from "../../../src/db/people/sessions.ts";
import { readClock } from "../../../src/db/records/clock.ts";
import { pushChanges } from "../../../src/db/records/push.ts";
import { commitAll } from "../../../src/db/sqlite/batch.ts";
import { connect } from "../../../src/db/sqlite/connection.ts";
import { startWriter } from "../../../src/db/sqlite/group-commit.ts";
import { NO_KEEPER } from "../../../src/db/sqlite/log.ts";
import { ormOf } from "../../../src/db/sqlite/orm.ts";
import { countSync } from "../../../src/db/sqlite/sync/counts.ts";
import { transactOn } from "../../../src/db/sqlite/transact.ts";
import type { Tx } from "../../../src/db/sqlite/transaction.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { parseChanges } from "../../../src/domain/sync/change.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, databaseFile, openForTest, recordOf } from "../_store.ts";
import { presentLog } from "../_wal.ts";

const MIB = 1024 * 1024;

/** Ann's database, and what COMMIT did to its log each time. */
const annsDatabase = async () => {
  const store = openForTest();
  const ann = await accountFor(store);
  await store.close();
  const database = connect(databaseFile(store.directory));
  onTestFinished(() => database.close());
  return { database, ann, ...watchCommits(database, store.directory) };
};

const watchCommits = (database: Database, directory: string) => {
  const orm = ormOf(database);
  const clock = readClock(orm, "server");
  const commits: { readonly added: number; readonly changed: boolean }[] = [];
  /** Commits a job as the server does. */
  const write = async <T>(job: (tx: Tx) => Promise<T>): Promise<T> => {
    let before: Buffer = Buffer.alloc(0);
    let value = undefined as T;
    const run = async (tx: Tx): Promise<void> => void (value = await job(tx));
    const still = async (): Promise<void> => void (before = presentLog(directory));
    const answers = { resolve: () => {}, reject: () => {}, deadline: null, isLong: false };
    const written = { database, orm, clock, onCommit: () => {}, still };
    // The log is begun anew, and an earlier one remains behind it in the file, as on a server.
    database.run("PRAGMA wal_checkpoint(RESTART)");
    await commitAll(written, [{ run, ...answers, leaves: "data" }]);
    const after = presentLog(directory);
    const changed = !after.subarray(0, before.length).equals(before);
    commits.push({ added: after.length - before.length, changed });
    return value;
  };
  return { commits, write };
};

/** A long text that is another one in each version of a task. */
const text = (at: number, version: number, bytes: number): string =>
  `${at} ${version} ${"lorem ipsum ".repeat(bytes / 12)}`;

const pushOf = (version: number, bytes: number, deleted = false) =>
  parseChanges(
    Array.from({ length: 500 }, (_, at) =>
      recordOf(
        `t${at}`,
        NOON + version * 1_000,
        { title: `Task ${at}`, notes: [text(at, version, deleted ? 20 : bytes)] },
        deleted ? { deleted_at: formatInstant(NOON) } : {},
      ),
    ),
  );

const PUSHES = [
  { name: "of new tasks", version: 0, deleted: false },
  { name: "that replaces them", version: 1, deleted: false },
  { name: "that replaces them again", version: 2, deleted: false },
  // An hour ahead: what was sent is kept as well as what it replaces.
  { name: "of a fast clock", version: 3_600, deleted: false },
  { name: "that deletes them", version: 3, deleted: true },
] as const;

test.each([9_000, 30_000, 120_000])(
  "COMMIT adds little to the log, and changes nothing in it: pushes of 500 tasks of %d bytes",
  async (bytes) => {
    const { database, ann, commits, write } = await annsDatabase();
    const transact = transactOn({ write }, new Map());
    for (const { version, deleted } of PUSHES) {
      const push = pushOf(version, bytes, deleted);
      const { applied } = await transact(ann, NOON + (version % 3_600) * 1_000, (tx) =>
        pushChanges(tx, null, push),
      );
      expect(applied).toBe(500);
    }
    const found = commits.map(({ added, changed }, at) => [
      PUSHES[at]?.name,
      added < MIB,
      changed ? "changed" : "unchanged",
    ]);
    expect(found).toEqual(PUSHES.map(({ name }) => [name, true, "unchanged"]));
    expect(database.query("PRAGMA cache_size").get()).toEqual({ cache_size: -16_000 });
  },
  60_000,
);

const LONG_ID = "x".repeat(40);

test.each([
  [40, 9_000, 1, 0],
  [40, 9_000, 3, 0],
  [100, 1_000, 2, 0],
  [100, 1_000, 2, 400],
  [24, 30, 40, 0],
])(
  "The same when %d times 500 tasks of %d bytes go into the trash with their bucket, and out of it (%d buckets, %d changed tasks)",
  async (parts, bytes, buckets, others) => {
    const { database, ann, commits, write } = await annsDatabase();
    const transact = transactOn({ write }, new Map());
    const send = (records: readonly object[], now: number) =>
      transact(ann, now, (tx) => pushChanges(tx, null, parseChanges(records)));
    const taskOf = (part: number, at: number, time: number) =>
      recordOf(`${(at * 7) % 500} ${part} ${LONG_ID}`, time, {
        title: `Task ${at}`,
        bucket_id: `b${at % buckets}`,
        project_id: "p",
        notes: [text(at, part, bytes)],
      });
    const tasksOf = (part: number) =>
      Array.from({ length: 500 }, (_, at) => taskOf(part, at, NOON));
    const changedAt = (time: number) =>
      Array.from({ length: others }, (_, at) => taskOf(at % parts, at, time));
    const bucketsOf = (kind: string, time: number) =>
      Array.from({ length: buckets }, (_, of) =>
        recordOf(`b${of}`, time, { kind }, { table: "sync_buckets" }),
      );
    for (let part = 0; part < parts; part += 1) {
      await send(tasksOf(part), NOON + part);
      // So that they are on pages of which tasks that come much later are moved, too.
      if (part === parts / 2) await send(bucketsOf("later", NOON), NOON + part);
    }
    const found: unknown[] = [];
    for (const [at, kind] of ["trash", "later", "trash"].entries()) {
      const time = NOON + 1_000 * (at + 1);
      await send([...bucketsOf(kind, time), ...changedAt(time)], time);
      const { added = NaN, changed } = commits.at(-1) ?? {};
      const [row] = database.query("SELECT count(*) AS n FROM record WHERE trashed = 1").all();
      found.push([added < MIB, changed, row]);
    }
    const trashed = [true, false, { n: parts * 500 + buckets }];
    expect(found).toEqual([trashed, [true, false, { n: 0 }], trashed]);
  },
  60_000,
);

/** Tasks of one bucket, each with so many bytes of notes. */
const inBucket = (part: number, count: number, time: number, bytes: number) =>
  Array.from({ length: count }, (_, at) =>
    recordOf(`t${part} ${at}`, time, { bucket_id: "b", notes: [text(at, part, bytes)] }),
  );

test("The same when nothing but the move is written, and the log then begins anew", async () => {
  const { ann, commits, write } = await annsDatabase();
  const transact = transactOn({ write }, new Map());
  for (const part of [0, 1]) {
    const tasks = inBucket(part, 500, NOON, 30_000);
    await transact(ann, NOON, (tx) => pushChanges(tx, null, parseChanges(tasks)));
  }
  for (const trashed of [1, 0, 1])
    await transact(ann, NOON, (tx) => tx.buckets.move([{ id: "b", trashed }]));
  const found = commits.slice(-3).map(({ added, changed }) => [added < MIB, changed]);
  expect(found).toEqual(Array.from({ length: 3 }, () => [true, false]));
});

test("The same when a page of an index changes at the beginning of a move, and again 30,000 pages later", async () => {
  const { ann, commits, write } = await annsDatabase();
  const transact = transactOn({ write }, new Map());
  const send = (tasks: readonly object[], now: number) =>
    transact(ann, now, (tx) => pushChanges(tx, null, parseChanges(tasks)));
  for (let part = 0; part < 60; part += 1)
    await send(inBucket(part, 500, NOON, 5_000), NOON + part);
  // The oldest and the newest tasks are beside each other in the order of their changes.
  await send(inBucket(0, 40, NOON + 1_000, 5_000), NOON + 1_000);
  await send(inBucket(60, 40, NOON + 1_000, 5_000), NOON + 1_001);
  for (const trashed of [1, 0, 1])
    await transact(ann, NOON, (tx) => tx.buckets.move([{ id: "b", trashed }]));
  const found = commits.slice(-3).map(({ added, changed }) => [added < MIB, changed]);
  expect(found).toEqual(Array.from({ length: 3 }, () => [true, false]));
}, 60_000);

test("A long write shares its transaction with no other, which would change a page of it again", async () => {
  const store = openForTest();
  const ann = await accountFor(store);
  // More pages than the cache holds. Some are in the log early, those that changed first before all.
  for (let part = 0; part < 60; part += 1) {
    const tasks = inBucket(part, 500, NOON, 5_000);
    await store.transaction(ann, NOON, (tx) => pushChanges(tx, null, parseChanges(tasks)));
  }
  const { session } = await createSession(store, ann, "laptop", cryptoRandom, NOON);
  await store.close();
  const database = connect(databaseFile(store.directory));
  onTestFinished(() => database.close());
  const orm = ormOf(database);
  let before: Buffer = Buffer.alloc(0);
  const still = async (): Promise<void> => void (before = presentLog(store.directory));
  const wal = { ...NO_KEEPER, still };
  const writer = startWriter(database, orm, readClock(orm, "server"), { wal, onFatal: undefined });
  const counts = { applied: 1, rejected: 0 };
  const move = () =>
    transactOn(writer, new Map())(ann, NOON, async (tx) => {
      await tx.buckets.move([{ id: "b", trashed: 1 }]);
      await tx.sync.count(session.id, counts);
    });
  const use = () =>
    writer.write((tx) =>
      countSync(tx.orm, session.id, { pulled: 1, applied: 0, rejected: 0 }, NOON),
    );
  const answered: string[] = [];
  const note = (what: string) => () => void answered.push(what);
  const isChanged = () => !presentLog(store.directory).subarray(0, before.length).equals(before);
  const [, changed] = await Promise.all([
    use().then(note("use")),
    move().then(isChanged).finally(note("move")),
    use().then(note("use")),
  ]);
  expect({ answered, changed }).toEqual({ answered: ["use", "move", "use"], changed: false });
}, 60_000);

test("The cache has its usual size again if a long write fails", async () => {
  const { database, ann, write } = await annsDatabase();
  const transact = transactOn({ write }, new Map());
  const push = pushOf(0, 60_000);
  const failing = transact(ann, NOON, async (tx) => {
    await pushChanges(tx, null, push);
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  database.run("ROLLBACK");
  expect(database.query("PRAGMA cache_size").get()).toEqual({ cache_size: -16_000 });
});
