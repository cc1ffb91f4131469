import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { record } from "../../src/db/schema/records.ts";
import { formatInstant, MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { TABLES } from "../../src/domain/base/record.ts";
import { isRecordId } from "../../src/domain/base/text.ts";
import { keyOf, type PullReply, type Row, rowsOf } from "../support/client.ts";
import { cases } from "../support/random.ts";
import { newcomer, sharedServer } from "../support/replies.ts";
import { NOON } from "../support/server.ts";
import { httpWire } from "../support/wire.ts";

// What sync promises, and which tests check it. Paths are below test/.
//  I1  No device misses anything: model/witness, at the end of every history; crash/witness.test.ts on the program.
//  I2  server_time never goes back: model/witness.
//  I3  What is committed comes after every server_time issued before: db/records/clock.random.test.ts.
//  I4  Stamps are below the mark, and the mark is below the lease: db/records/clock.random.test.ts.
//  I5  A pull brings a record once, and the right ones: here, model/witness.
//  I6  Who wins does not depend on order: domain/sync/verdict.order.test.ts.
//  I7  The same changes end in the same rows: here, plain.test.ts.
//  I8  A repeated push changes nothing, at once or later: here.
//  I9  Equal content is no conflict: here.
//  I10 A rejected record comes with the row that a pull returns: here.
//  I11 A push is applied completely or not at all: whole.test.ts, crash/kill.test.ts.
//  I12 What was confirmed is there after a crash: model/witness, crash/, faults/power.test.ts.
//  I13 Columns agree with the payload: db/records/projection.test.ts.
//  I14 What only the extension knows survives: model/witness, db/records/edits.test.ts.
//  I15 A reply that is cut off is never valid JSON: http/stream.test.ts.
//  I16 Nobody gets another account's records: here, http/tenancy.test.ts.
//  I17 What is written after a restore is seen: model/witness, db/sqlite/files/backup.test.ts.

const server = await sharedServer();
const wireOf = (token: string) => httpWire(() => server.url, token);

const table = fc.constantFrom(...TABLES);
const stamp = (range: number) =>
  fc.integer({ min: -range, max: range }).map((seconds) => formatInstant(NOON + seconds * SECOND));

/** Few ids and few stamps, so that they collide. No stamp is far enough ahead to be clamped. */
const change: fc.Arbitrary<Row> = fc.record({
  table,
  id: fc.constantFrom("a", "b"),
  updated_at: stamp(2),
  deleted_at: fc.option(stamp(1), { freq: 4 }),
  payload: fc.record(
    { title: fc.constantFrom("bread", "milk"), pages: fc.constant([]), extra: fc.nat(1) },
    { requiredKeys: ["title"] },
  ),
});

const changes = fc.array(change, { minLength: 1, maxLength: 12 });

const byKey = (reply: PullReply): readonly Row[] =>
  rowsOf(reply).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** Every column of the account's records, including the server's own stamps. */
const columnsOf = (accountId: number): Promise<unknown> =>
  server.store.reader
    .select()
    .from(record)
    .where(eq(record.accountId, accountId))
    .orderBy(record.table, record.id)
    .all();

test("A pull brings what was pushed since its cursor was issued, each record once", async () => {
  const pushed = fc.array(fc.uniqueArray(fc.nat(9), { minLength: 1 }), { maxLength: 6 });
  const property = fc.asyncProperty(pushed, fc.nat(2), async (pushes, ms) => {
    const wire = wireOf((await newcomer(server)).session);
    const cursors: (string | null)[] = [null];
    for (const [round, ids] of pushes.entries()) {
      server.clock.advance(ms);
      const updated_at = formatInstant(NOON - MINUTE + round);
      const rows = ids.map((id) => ({ table: "sync_tasks", id: `t${id}`, updated_at }) as const);
      await wire.push(rows.map((row) => ({ ...row, deleted_at: null, payload: { round } })));
      cursors.push((await wire.pull(null, null)).server_time);
    }
    for (const [round, cursor] of cursors.entries()) {
      const given = rowsOf(await wire.pull(cursor, null)).map(({ id }) => id);
      const since = pushes.slice(round).flat();
      expect(given.toSorted()).toEqual([...new Set(since)].map((id) => `t${id}`).toSorted());
    }
  });
  await fc.assert(property, cases(30));
});

test("The same changes in any order, repeated or split, end in the same rows", async () => {
  const property = fc.asyncProperty(
    changes.chain((all) => fc.tuple(fc.constant(all), shuffled([...all, ...all]))),
    fc.integer({ min: 1, max: 5 }),
    async ([all, again], size) => {
      const [one, other] = [await newcomer(server), await newcomer(server)];
      await wireOf(one.session).push(all);
      for (let start = 0; start < again.length; start += size)
        await wireOf(other.session).push(again.slice(start, start + size));
      expect(byKey(await wireOf(other.session).pull(null, null))).toEqual(
        byKey(await wireOf(one.session).pull(null, null)),
      );
    },
  );
  await fc.assert(property, cases(60));
});

const shuffled = (all: Row[]): fc.Arbitrary<Row[]> =>
  fc.shuffledSubarray(all, { minLength: all.length });

test("Repeating any earlier push changes nothing, not even the server's stamps", async () => {
  const pushes = fc.array(changes, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(pushes, fc.nat(2 * SECOND), async (all, ms) => {
    const { account, session } = await newcomer(server);
    for (const push of all) await wireOf(session).push(push);
    const before = await columnsOf(account.id);
    for (const end of all.keys())
      for (const push of all.slice(0, end + 1)) {
        server.clock.advance(ms);
        await wireOf(session).push(push);
      }
    expect(await columnsOf(account.id)).toEqual(before);
  });
  await fc.assert(property, cases(40));
});

test("A device with a wrong clock may repeat a push minutes later, and nothing changes", async () => {
  const { account, session } = await newcomer(server);
  const ahead = {
    table: "sync_tasks",
    id: "t1",
    updated_at: formatInstant(server.clock.wall() + 60 * MINUTE),
    deleted_at: null,
    payload: { title: "bread" },
  } as const;
  const first = await wireOf(session).push([ahead]);
  const before = await columnsOf(account.id);
  server.clock.advance(3 * MINUTE);
  expect(await wireOf(session).push([ahead])).toEqual(first);
  expect(await columnsOf(account.id)).toEqual(before);
});

test("A version that was clamped is not taken for a new one once its time has come", async () => {
  const { account, session } = await newcomer(server);
  const ahead = (minutes: number, title: string) =>
    ({
      table: "sync_tasks",
      id: "t1",
      updated_at: formatInstant(server.clock.wall() + minutes * MINUTE),
      deleted_at: null,
      payload: { title },
    }) as const;
  const [bread, milk] = [ahead(20, "bread"), ahead(60, "milk")];
  const first = await wireOf(session).push([bread]);
  await wireOf(session).push([milk]);
  const before = await columnsOf(account.id);
  server.clock.advance(30 * MINUTE);
  const again = await wireOf(session).push([bread]);
  expect(again.rejected.map(({ reason }) => reason)).toEqual(["clamped"]);
  expect(first.rejected.map(({ reason }) => reason)).toEqual(["clamped"]);
  expect(await columnsOf(account.id)).toEqual(before);
});

test.each([
  ["identical records", { title: "bread", status: "todo" }, "2026-03-04T12:00:00.000Z"],
  ["fields in another order", { status: "todo", title: "bread" }, "2026-03-04T12:00:00.000Z"],
  [
    "the same instant in another form",
    { title: "bread", status: "todo" },
    "2026-03-04T13:00:00+01:00",
  ],
])("Equal content is no conflict: %s", async (_name, payload, updated_at) => {
  const { session } = await newcomer(server);
  const wire = wireOf(session);
  const row = { table: "sync_tasks", id: "t1", deleted_at: null } as const;
  const first = { ...row, updated_at: "2026-03-04T12:00:00.000Z" };
  await wire.push([{ ...first, payload: { title: "bread", status: "todo" } }]);
  const { server_time } = await wire.pull(null, null);
  const again = await wire.push([{ ...row, updated_at, payload }]);
  expect(again).toEqual({ applied: 1, rejected: [], merged: [], invalid: [] });
  expect(rowsOf(await wire.pull(server_time, null))).toEqual([]);
});

test("A rejected record comes with the winning row that a pull returns", async () => {
  const late = fc.tuple(change, fc.constantFrom(-60, 0, 60)).map(([row, minutes]) => {
    return { ...row, updated_at: formatInstant(NOON + minutes * MINUTE) };
  });
  const property = fc.asyncProperty(changes, fc.array(late), async (all, others) => {
    const wire = wireOf((await newcomer(server)).session);
    await wire.push(all);
    // One at a time: a later record of the same push may win over the winner that was returned.
    for (const row of others) {
      const { rejected } = await wire.push([row]);
      const stored = (await wire.pull(null, null)).changes[row.table];
      for (const { server_row } of rejected) expect(stored).toContainEqual(server_row);
    }
  });
  await fc.assert(property, cases(40));
});

/** Odd ids, separated by spaces. */
const ODD = `__proto__ constructor toString 0 -1 null * % _ a/b %2F " ' -- \u00e9 e\u0301 🗂️ \u202e`;
const ODD_IDS = ["a b", "x".repeat(255), ...ODD.split(" ")];

test("Ann's and bob's records with the same ids never mix", async () => {
  const id = fc.oneof(
    fc.constantFrom(...ODD_IDS),
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).filter(isRecordId),
  );
  const property = fc.asyncProperty(
    fc.uniqueArray(fc.tuple(table, id), { minLength: 1, selector: (key) => key.join("/") }),
    async (keys) => {
      const people = [await newcomer(server, "ann"), await newcomer(server, "bob")] as const;
      const rowsFor = (owner: string, at: string): Row[] =>
        keys.map(([of, named]) => {
          return { table: of, id: named, updated_at: at, deleted_at: null, payload: { owner } };
        });
      const anns = rowsFor("ann", formatInstant(NOON));
      await wireOf(people[0].session).push(anns);
      expect(rowsOf(await wireOf(people[1].session).pull(null, null))).toEqual([]);
      // Bob's are newer, and still replace nothing of ann's.
      await wireOf(people[1].session).push(rowsFor("bob", formatInstant(NOON + 1)));
      expect(byKey(await wireOf(people[0].session).pull(null, null))).toEqual(
        anns.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      );
    },
  );
  await fc.assert(property, cases(40));
});
