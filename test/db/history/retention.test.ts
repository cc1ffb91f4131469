import { expect, test } from "bun:test";
import fc from "fast-check";
import { asc, eq } from "drizzle-orm";
import type { Store } from "../../../src/db/store.ts";
import { pruneHistory } from "../../../src/db/history/quota.ts";
import { grow, historyQuota } from "../../../src/db/history/grow.ts";
import { version } from "../../../src/db/schema/history.ts";
import { DAY, type Instant } from "../../../src/domain/base/instant.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { annsRecords, historySizes } from "../../support/db/past.ts";
import { BOT, openForTest, PHONE } from "../../support/db/store.ts";
import { createTask, patchTask } from "../../support/rules.ts";

const patch = (title: string) => ({ patch: { title }, ifMatch: null });
const draft = (title: string) => ({ title, tabs: [], notes: [] });

const idsOf = async ({ reader }: Store, accountId: number): Promise<readonly number[]> =>
  (
    await reader
      .select({ id: version.id })
      .from(version)
      .where(eq(version.accountId, accountId))
      .orderBy(asc(version.id))
      .all()
  ).map(({ id }) => id);

/** Two tasks of ann's that a key or she writes to; `at` are the wall clock's times of the writes. */
const written = async (store: Store, times: readonly Instant[], by = BOT) => {
  const world = await annsRecords(store);
  const { ann } = world;
  const ids: string[] = [];
  for (const [index, at] of times.entries()) {
    const id = ids[index % 2];
    const title = `${index} ${"x".repeat((index % 7) * 20)}`;
    if (id === undefined) ids.push((await createTask(store, ann, draft(title), by, at)).id);
    else await patchTask(store, ann, id, patch(title), by, at);
  }
  const titles = async (id: string) =>
    (await world.past(id)).map(({ before }) => before?.payload["title"]);
  return { ...world, ids, titles };
};

/** Updates the size of the account's history as a write of `size` bytes does, with another minimum quota. */
const growBy = (store: Store, accountId: number, size: number, least: number): Promise<void> =>
  store.writer.write(({ orm }) => grow(orm, accountId, size, least));

const MINUTELY = Array.from({ length: 60 }, (_, at) => NOON + at * 60_000);

test("An account's history stays within its quota: the oldest versions go first", async () => {
  const store = await openForTest();
  const { ann, ids, titles } = await written(store, MINUTELY, PHONE);
  const { ann: bob } = await written(store, MINUTELY, PHONE);
  const [all, bobs] = [await idsOf(store, ann), await historySizes(store, bob)];
  const before = await Promise.all(ids.map(titles));
  const least = Math.floor(((await historySizes(store, ann)).kept ?? 0) / 2);
  // As many writes as it takes: each deletes a little more than it adds.
  for (let left = 100; left > 0; left -= 1) {
    await growBy(store, ann, 300, least);
    await growBy(store, ann, -300, least);
  }
  const { counted, kept } = await historySizes(store, ann);
  expect(counted).toBe(kept);
  expect(kept).toBeLessThanOrEqual(least);
  expect(kept).toBeGreaterThan(least * 0.8);
  const left = await idsOf(store, ann);
  expect(left).toEqual(all.slice(-left.length));
  for (const [index, id] of ids.entries()) {
    const now = await titles(id);
    expect(now.length).toBeGreaterThan(5);
    expect(now).toEqual(before[index]?.slice(0, now.length) ?? []);
  }
  expect(await historySizes(store, bob)).toEqual(bobs);
});

/** Versions of one task that take 300 bytes each, as a busy key leaves them. */
const insertSmall = (store: Store, accountId: number, count: number, at = NOON): Promise<void> =>
  store.writer.write(async ({ orm }) => {
    const row = {
      accountId,
      table: "sync_tasks" as const,
      recordId: "t1",
      at,
      loss: "edited" as const,
    };
    const whole = { ...row, updatedAt: "", difference: "{}", size: 300 };
    for (let done = 0; done < count; done += 500)
      await orm
        .insert(version)
        .values(Array.from({ length: Math.min(500, count) }, () => whole))
        .run();
    return grow(orm, accountId, count * 300);
  });

test("One large version displaces as many small ones as it takes", async () => {
  const store = await openForTest();
  const { ann } = await annsRecords(store);
  await insertSmall(store, ann, 5_000);
  const least = 5_000 * 300 + 100_000;
  await growBy(store, ann, 1_000_000, least);
  const { counted, kept } = await historySizes(store, ann);
  expect((counted ?? 0) - 1_000_000).toBe(kept ?? 0);
  expect(counted).toBeLessThanOrEqual(least);
  expect(counted).toBeGreaterThan(least * 0.98);
});

test("The quota is twice the size of the records, if that is more", async () => {
  const { store, ann, device } = await annsRecords();
  const payload = { text: "x".repeat(10_000) };
  await device("phone").push("t1", payload);
  const size = JSON.stringify(payload).length;
  const share = (least?: number) => historyQuota(store.reader, ann, least);
  expect(await Promise.all([share(), share(1_000), share(30_000)])).toEqual([
    1024 ** 3,
    2 * size,
    30_000,
  ]);
});

const prune = async (store: Store, now: Instant): Promise<void> => pruneHistory(store, now);

test("Versions are deleted once others were written on 100 later days, in every account", async () => {
  const store = await openForTest();
  const days = Array.from({ length: 121 }, (_, at) => NOON + at * DAY);
  const { ann, ids, titles } = await written(store, days);
  const { ann: bob } = await written(store, [NOON + 100 * DAY, NOON + 110 * DAY]);
  const before = await Promise.all(ids.map(titles));
  const bobs = await idsOf(store, bob);
  await prune(store, NOON + 120 * DAY);
  // Those of days 0 to 20 are gone.
  expect(await idsOf(store, ann)).toHaveLength(100);
  for (const [index, id] of ids.entries())
    expect(await titles(id)).toEqual(before[index]?.slice(0, 50) ?? []);
  expect(await idsOf(store, bob)).toEqual(bobs);
  const { counted, kept } = await historySizes(store, ann);
  expect(counted).toBe(kept);
});

test("However the clock was set meanwhile, the stored history of a task can be walked from its newest version", async () => {
  const store = await openForTest();
  const offs = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 100, maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(offs, fc.integer({ min: 0, max: 500 }), async (days, today) => {
      const times = days.map((day) => NOON + day * DAY);
      const { ann, ids, titles } = await written(store, times);
      const before = await Promise.all(ids.map(titles));
      await prune(store, NOON + today * DAY);
      for (const [index, id] of ids.entries()) {
        const now = await titles(id);
        expect(now).toEqual(before[index]?.slice(0, now.length) ?? []);
      }
      // None is deleted that was not followed by versions of 100 days up to now.
      const left = (await idsOf(store, ann)).length;
      if (left < days.length) {
        const since = days.slice(-left).filter((day) => day <= today);
        expect(new Set(since).size).toBeGreaterThanOrEqual(100);
      }
      const { counted, kept } = await historySizes(store, ann);
      expect(counted).toBe(kept ?? 0);
    }),
    cases(20),
  );
});

test("Ten thousand old versions of one task are deleted without making any other write wait long", async () => {
  const store = await openForTest();
  const { ann } = await annsRecords(store);
  await insertSmall(store, ann, 10_000);
  for (let day = 1; day <= 100; day += 1) await insertSmall(store, ann, 5, NOON + day * DAY);
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await prune(store, NOON + 100 * DAY);
  clearInterval(beat);
  expect(await historySizes(store, ann)).toEqual({ counted: 150_000, kept: 150_000 });
  expect(longest).toBeLessThan(500);
});
