import { expect, test } from "bun:test";
import { recordCall } from "../../../src/db/calls/activity.ts";
import {
  type CallFilter,
  type CallPosition,
  type CallRow,
  countCalls,
  listCalls,
  SEARCHED_AT_ONCE,
} from "../../../src/db/calls/activity-pages.ts";
import { readTitles } from "../../../src/db/records/lookup.ts";
import { DAY, formatInstant, SECOND } from "../../../src/domain/base/instant.ts";
import { isRefusedDelete, type Outcome } from "../../../src/domain/calls/activity.ts";
import { NOON } from "../../support/server.ts";
import { fill, world } from "../../support/db/calls.ts";
import { pushTask, recordOf, type TestStore } from "../../support/db/store.ts";
import { pushChanges } from "../../support/rules.ts";

const ALL: CallFilter = { keyId: null, outcome: null, way: null };

/** Reads all pages, one after the other. */
const readAll = async (
  store: TestStore,
  accountId: number,
  filter: Partial<CallFilter>,
  limit: number,
) => {
  const rows: CallRow[] = [];
  let pages = 0;
  let after: CallPosition | null = null;
  do {
    const page = await listCalls(store, accountId, { ...ALL, ...filter }, { after, limit });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    after = page.next;
    pages += 1;
    // Pages that led back to an earlier one would never end.
    expect(pages).toBeLessThan(1_000);
  } while (after !== null);
  return { rows, pages };
};

const KINDS: Readonly<Record<Outcome, (row: CallRow) => boolean>> = {
  done: ({ status }) => status >= 200 && status < 300,
  refused: ({ status }) => status >= 400 && status < 500,
  deletes: isRefusedDelete,
  failed: ({ status }) => status >= 500,
};

test("The pages of a list hold each of its calls once, newest first, with every filter", async () => {
  const { store, ann, bob, helper, scout, theirs } = await world();
  // Five calls in each millisecond, with every method and outcome.
  const each = {
    at: `${NOON} + (n * 7919 % 80)`,
    method: "CASE n % 3 WHEN 0 THEN 'DELETE' WHEN 1 THEN 'PUT' ELSE 'GET' END",
    status:
      "CASE n % 5 WHEN 0 THEN 405 WHEN 1 THEN 299 WHEN 2 THEN 500 WHEN 3 THEN 400 ELSE 200 END",
  };
  for (const [account, key] of [
    [ann, helper],
    [ann, scout],
    [bob, theirs],
  ] as const)
    fill(store, account, key, 200, each);
  const all = (await readAll(store, ann, {}, 1_000)).rows;
  expect(all).toHaveLength(400);
  expect(all).toEqual(all.toSorted((a, b) => b.at - a.at || b.id - a.id));
  for (const keyId of [null, helper, scout])
    for (const outcome of [null, "done", "refused", "deletes", "failed"] as const) {
      const wanted = all.filter(
        (row) =>
          (keyId === null || row.keyId === keyId) && (outcome === null || KINDS[outcome](row)),
      );
      expect(wanted.length).toBeGreaterThan(20);
      expect((await readAll(store, ann, { keyId, outcome }, 7)).rows).toEqual(wanted);
    }
});

test("Ann sees none of bob's calls, even if she asks for his key", async () => {
  const { store, ann, theirs, bob } = await world();
  fill(store, bob, theirs, 3, { at: `${NOON} + n` });
  expect((await readAll(store, ann, {}, 10)).rows).toEqual([]);
  expect((await readAll(store, ann, { keyId: theirs }, 10)).rows).toEqual([]);
  expect((await readAll(store, ann, { keyId: theirs, outcome: "done" }, 10)).rows).toEqual([]);
  expect((await readAll(store, bob, { keyId: theirs }, 10)).rows).toHaveLength(3);
});

test("A call that arrives meanwhile does not shift the following pages", async () => {
  const { store, ann, helper } = await world();
  fill(store, ann, helper, 20, { at: `${NOON} + n` });
  const first = await listCalls(store, ann, ALL, { after: null, limit: 10 });
  fill(store, ann, helper, 5, { at: `${NOON} + 100` });
  const second = await listCalls(store, ann, ALL, { after: first.next, limit: 10 });
  expect([...first.rows, ...second.rows].map(({ at }) => at - NOON)).toEqual(
    Array.from({ length: 20 }, (_, n) => 20 - n),
  );
  expect(second.next).toBeNull();
});

test("A search for a rare call stops after a bounded number of calls, and the next pages find it", async () => {
  const { store, ann, helper } = await world();
  const many = 2 * SEARCHED_AT_ONCE + 10;
  fill(store, ann, helper, many, {
    at: `${NOON} - n`,
    status: `CASE n WHEN ${many} THEN 500 ELSE 200 END`,
  });
  for (const keyId of [null, helper]) {
    const filter = { keyId, outcome: "failed", way: null } as const;
    const page = await listCalls(store, ann, filter, { after: null, limit: 50 });
    const searchedTo = NOON - SEARCHED_AT_ONCE;
    expect(page).toEqual({ rows: [], next: { at: searchedTo, id: 0 }, searchedTo });
    const { rows, pages } = await readAll(store, ann, filter, 50);
    expect([rows.map(({ at }) => NOON - at), pages]).toEqual([[many], 3]);
  }
});

const byKey = (a: { readonly keyId: string }, b: { readonly keyId: string }) =>
  a.keyId < b.keyId ? -1 : 1;

test("Calls are counted by key and by UTC day, including each call in a combined row", async () => {
  const { store, ann, bob, helper, scout, theirs } = await world();
  const today = Math.floor(NOON / DAY);
  const midnight = today * DAY;
  const call = {
    accountId: ann,
    keyId: helper,
    method: "DELETE",
    route: "*",
    status: 405,
    touched: null,
    client: null,
    dryRun: false,
    tool: null,
  };
  for (const at of [midnight - 1, midnight, midnight + SECOND, midnight + DAY - 1])
    await recordCall(store, { ...call, at, tookToken: false });
  await recordCall(store, { ...call, at: NOON, keyId: scout, tookToken: true });
  await recordCall(store, { ...call, at: NOON, accountId: bob, keyId: theirs, tookToken: true });
  const counts = await countCalls(store, ann, [today - 2, today - 1, today]);
  expect(counts.toSorted(byKey)).toEqual(
    [
      { day: today - 1, keyId: helper, calls: 1 },
      { day: today, keyId: helper, calls: 3 },
      { day: today, keyId: scout, calls: 1 },
    ].toSorted(byKey),
  );
});

test("Only the account's own, existing records have titles", async () => {
  const { store, ann, bob } = await world();
  await pushTask(store, ann, "a:1", NOON, { title: "Trip" });
  await pushTask(store, ann, "empty", NOON, {});
  await pushTask(store, bob, "theirs", NOON, { title: "Secret" });
  await pushTask(store, ann, "gone", NOON, { title: "Gone" });
  const deleted = recordOf("gone", NOON + 1, {}, { deleted_at: formatInstant(NOON + 1) });
  await pushChanges(store, ann, null, [deleted], NOON + 1);
  const names = [
    "task:gone",
    "task:a:1",
    "task:a:1",
    "task:empty",
    "task:theirs",
    "task:none",
    "folder:a:1",
  ];
  expect([...(await readTitles(store, ann, [...names, "x", "", "toString:a"]))]).toEqual([
    ["task:a:1", "Trip"],
    ["task:empty", ""],
  ]);
});
