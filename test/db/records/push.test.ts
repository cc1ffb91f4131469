import { expect, test } from "bun:test";
import fc from "fast-check";
import { eq } from "drizzle-orm";
import type { PushResult } from "../../../src/db/records/push.ts";
import { readServerRow } from "../../../src/db/records/server-row.ts";
import { record } from "../../../src/db/schema/records.ts";
import { formatInstant, HOUR } from "../../../src/domain/base/instant.ts";
import { canonical } from "../../../src/domain/base/payload.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, openForTest, recordOf, type TestStore } from "../../support/db/store.ts";
import { pushChanges } from "../../support/rules.ts";

const rowsOf = (store: TestStore, accountId: number) =>
  store.reader.select().from(record).where(eq(record.accountId, accountId)).all();

/** The content of the account's records, regardless of the server's stamps and the order of their fields. */
const contentOf = async (store: TestStore, accountId: number) =>
  (await rowsOf(store, accountId))
    .map(({ table, id, updated, deletedAt, payload, live, open, trashed }) => ({
      table,
      id,
      updated,
      deletedAt,
      payload: canonical(JSON.parse(payload)),
      projection: [live, open, trashed],
    }))
    .toSorted((a, b) => (a.table + a.id < b.table + b.id ? -1 : 1));

const payloads = fc.constantFrom<object>(
  {},
  { title: "a", bucket_id: "b1" },
  { bucket_id: "b1", title: "a" },
  { title: "b", status: "done" },
  { kind: "trash" },
);
const changes = fc
  .record({
    table: fc.constantFrom("sync_tasks", "sync_buckets"),
    id: fc.constantFrom("t1", "b1"),
    updated: fc.integer({ min: NOON - 2, max: NOON + 2 }),
    payload: payloads,
    deleted_at: fc.constantFrom(null, null, formatInstant(NOON - 1), formatInstant(NOON)),
  })
  .map(({ updated, ...rest }) => ({ ...rest, updated_at: formatInstant(updated) }));
const sets = fc.array(changes, { minLength: 1, maxLength: 10 });

let people = 0;
const nextPerson = (store: TestStore) => accountFor(store, `p${(people += 1)}@example.org`);

/** A payload of so many values: itself, its list, and the items of that. */
const values = (count: number) => ({ x: Array.from({ length: count - 2 }, () => 0) });

test("A record that was stored with too many values may shrink, and not grow, and its siblings are applied", async () => {
  const store = await openForTest();
  const ann = await nextPerson(store);
  const payload = JSON.stringify(values(60_000));
  const push = async (count: number, at: number) => {
    const tasks = [recordOf("t1", at, values(count)), recordOf("t2", at, { title: `at ${at}` })];
    const { applied, invalid } = await pushChanges(store, ann, null, tasks, NOON);
    return [applied, invalid.map(({ index, id, error }) => [index, id, error.slice(0, 58)])];
  };
  await push(10, NOON - 9);
  await store.writer.write(async ({ orm }) => {
    await orm
      .update(record)
      .set({ payload, size: payload.length })
      .where(eq(record.id, "t1"))
      .run();
  });
  const refused = [0, "t1", "payload must have at most 50000 values, but has 60001. A s"];
  expect(await push(60_001, NOON - 8)).toEqual([1, [refused]]);
  expect(await push(60_000, NOON - 7)).toEqual([2, []]);
  expect(await push(50_001, NOON - 6)).toEqual([2, []]);
  expect((await push(50_002, NOON - 5))[0]).toBe(1);
  expect(await push(50_000, NOON - 4)).toEqual([2, []]);
});

/** The stored row of the first rejected record. */
const serverRow = async (
  store: TestStore,
  ann: number,
  { rejected }: PushResult,
): Promise<unknown> => {
  const [first] = rejected;
  return first && JSON.parse(await readServerRow(store, ann, first));
};

test("The same changes in any order, repeated or split, end in the same records", async () => {
  const store = await openForTest();
  const ways = sets.chain((set) =>
    fc.tuple(
      fc.constant(set),
      fc.shuffledSubarray([...set, ...set], { minLength: 2 * set.length }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2 * set.length }),
    ),
  );
  const property = fc.asyncProperty(ways, async ([set, again, sizes]) => {
    const [ann, bob] = [await nextPerson(store), await nextPerson(store)];
    await pushChanges(store, ann, null, set, NOON);
    const rest = [...again];
    for (const size of sizes)
      if (rest.length > 0) await pushChanges(store, bob, null, rest.splice(0, size), NOON);
    expect(await contentOf(store, bob)).toEqual(await contentOf(store, ann));
  });
  await fc.assert(property, cases(150));
});

test("Pushing again what was pushed before never changes the stored records", async () => {
  const store = await openForTest();
  const property = fc.asyncProperty(sets, async (set) => {
    const accountId = await nextPerson(store);
    await pushChanges(store, accountId, null, set, NOON);
    const before = await rowsOf(store, accountId);
    const again = await pushChanges(store, accountId, null, set, NOON + HOUR);
    expect(await rowsOf(store, accountId)).toEqual(before);
    // Each is either the stored version, or comes back with it.
    expect(again.applied + again.rejected.length).toBe(set.length);
    for (const rejection of again.rejected) {
      const { table, id, reason } = rejection;
      expect(reason).toBe("stale");
      const row = before.find((one) => one.table === table && one.id === id);
      expect(JSON.parse(await readServerRow(store, accountId, rejection))).toEqual({
        id,
        updated_at: row?.updatedAt,
        deleted_at: row?.deletedAt,
        payload: JSON.parse(row?.payload ?? "null") as unknown,
        created_by: "person",
        rev: expect.any(String),
      });
    }
  });
  await fc.assert(property, cases(100));
});

test("Records of one push with the same id are judged in order", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const push = [
    recordOf("t1", NOON, { v: 1 }),
    recordOf("t1", NOON + 1, { v: 2 }),
    recordOf("t1", NOON, { v: 3 }),
  ];
  const { applied, rejected } = await pushChanges(store, ann, null, push, NOON);
  expect(applied).toBe(2);
  expect(rejected).toMatchObject([{ id: "t1", updatedAt: formatInstant(NOON), reason: "stale" }]);
  expect(await rowsOf(store, ann)).toMatchObject([{ payload: '{"v":2}' }]);
});

test("An invalid record is listed with its index, and the other records are stored", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const push = [recordOf("t1", NOON), null, recordOf("", NOON), recordOf("t2", NOON)];
  expect(await pushChanges(store, ann, null, push, NOON)).toMatchObject({
    applied: 2,
    rejected: [],
    invalid: [
      { index: 1, table: null, id: null, error: "A change record must be an object." },
      {
        index: 2,
        table: "sync_tasks",
        id: "",
        error:
          'id must be 1 to 255 characters long, without control characters. It must not be "." or "..".',
      },
    ],
  });
  expect((await rowsOf(store, ann)).map(({ id }) => id)).toEqual(["t1", "t2"]);
});

test("A device's own text of its stamp is kept, even if the same version came again in another form", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const own = { ...recordOf("t1", NOON), updated_at: "2026-03-04t13:00:00.0004+01:00" };
  await pushChanges(store, ann, null, [own], NOON);
  await pushChanges(store, ann, null, [recordOf("t1", NOON)], NOON);
  expect(await rowsOf(store, ann)).toMatchObject([{ updatedAt: own.updated_at, updated: NOON }]);
});

test("A clamped record is stored with the server's time, and its retry is a no-op", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const ahead = recordOf("t1", NOON + HOUR, { title: "from tomorrow" });
  const clampedRow = {
    table: "sync_tasks",
    id: "t1",
    updatedAt: formatInstant(NOON + HOUR),
    reason: "clamped" as const,
  };
  const first = await pushChanges(store, ann, null, [ahead], NOON);
  expect(first).toMatchObject({ applied: 1, rejected: [clampedRow] });
  expect(await serverRow(store, ann, first)).toMatchObject({
    updated_at: formatInstant(NOON),
    payload: { title: "from tomorrow" },
  });
  const before = await rowsOf(store, ann);
  const again = await pushChanges(store, ann, null, [ahead], NOON + 1);
  expect(again).toEqual(first);
  expect(await rowsOf(store, ann)).toEqual(before);
  // An honest edit wins, and survives a retry of the clamped one.
  await pushChanges(store, ann, null, [recordOf("t1", NOON + 2, { title: "honest" })], NOON + 2);
  const late = await pushChanges(store, ann, null, [ahead], NOON + 2 * HOUR);
  expect(late).toMatchObject({ applied: 1, rejected: [clampedRow] });
  expect(await serverRow(store, ann, late)).toMatchObject({
    payload: { title: "honest" },
  });
});
