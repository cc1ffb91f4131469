import type { GonePosition } from "../../../src/domain/base/record.ts";
import { expect, test } from "bun:test";
import { listDeleted } from "../../../src/db/history/deleted.ts";
import { pruneHistory } from "../../../src/db/history/quota.ts";
import { DAY, formatInstant } from "../../../src/domain/base/instant.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { recordOf } from "../../support/db/store.ts";
import { DELETED, goneWorld, NOT_KEPT } from "../../support/db/gone.ts";

test("Deleted records are listed for 90 days, trashed ones for as long as they are in the trash", async () => {
  const { store, phone, gone, restore, row } = await goneWorld();
  await phone.push("t1", { title: "deleted" });
  await phone.push("t1", {}, DELETED);
  await phone.push("t2", { title: "trashed", bucket_id: "trash" });
  const { changedAt } = await row("t1");
  const ids = async (at: number) => (await gone(at)).map(({ id }) => id);
  expect(await ids(changedAt + 90 * DAY)).toEqual(["t2", "t1"]);
  expect(await ids(changedAt + 90 * DAY + 1)).toEqual(["t2"]);
  expect(await ids(changedAt + 900 * DAY)).toEqual(["t2"]);
  // Versions must have been replaced on 100 days since, or the clock might only be ahead.
  for (let day = 1; day <= 101; day += 1) {
    const at = NOON + day * DAY;
    await phone.send([recordOf("t3", at, { title: `${day}` })], at);
  }
  await pruneHistory(store, NOON + 101 * DAY);
  expect(await refused(() => restore("t1"))).toEqual(NOT_KEPT);
});

const changes = (deleted: boolean) =>
  Array.from({ length: 25 }, (_, at) => ({
    table: at % 2 === 0 ? "sync_tasks" : "sync_projects",
    id: `r${at}`,
    updated_at: formatInstant(NOON + Number(deleted)),
    deleted_at: deleted ? formatInstant(NOON) : null,
    payload: deleted ? {} : { title: `${at}`, name: `${at}` },
  }));

test("Pages of the list join without a gap, even among records deleted at the same time", async () => {
  const { store, ann, now, phone } = await goneWorld();
  await phone.send(changes(false));
  await phone.send(changes(true));
  await phone.push("last", { title: "last", bucket_id: "trash" });
  const found: string[] = [];
  let after: GonePosition | null = null;
  do {
    const page = await listDeleted(store, ann, { after, limit: 4 }, now());
    expect(page.rows.length).toBeLessThanOrEqual(4);
    found.push(...page.rows.map(({ title }) => title));
    after = page.next;
  } while (after !== null);
  const whole = await listDeleted(store, ann, { after: null, limit: found.length }, now());
  expect([whole.rows.length, whole.next]).toEqual([found.length, null]);
  expect(found[0]).toBe("last");
  expect(found.slice(1).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 25 }, (_, at) => `${at}`),
  );
});

test("Tasks of many trash buckets are listed by their times among deleted ones, page by page", async () => {
  const { store, ann, now, phone } = await goneWorld();
  const buckets = Array.from({ length: 230 }, (_, at) => `b${at}`);
  const trash = buckets.map((id) =>
    recordOf(id, NOON, { kind: "trash" }, { table: "sync_buckets" }),
  );
  await phone.send(trash);
  // Ids in the order of UTF-8 bytes, which is not that of UTF-16 units, and all of them of one commit.
  const ids = ["\u{e000}", "\u{1f600}", "a", "b"];
  const times = [3, 1, 2].map((part) => NOON + part);
  const expected: string[] = [];
  for (const [part, at] of times.entries()) {
    const kept = ids.map((id, place) =>
      recordOf(`${part} ${id}`, at, {
        title: "t",
        bucket_id: buckets[place * 70 + part] ?? "trash",
      }),
    );
    await phone.send([...kept, recordOf(`${part} c`, at, {}, { deleted_at: formatInstant(at) })]);
    const inOrder = ["\u{1f600}", "\u{e000}", "c", "b", "a"].map((id) => `${part} ${id}`);
    expected.unshift(...inOrder);
  }
  const found: string[] = [];
  let after: GonePosition | null = null;
  do {
    const page = await listDeleted(store, ann, { after, limit: 2 }, now());
    found.push(...page.rows.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  expect(found).toEqual(expected);
});
