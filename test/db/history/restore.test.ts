import { expect, test } from "bun:test";
import { pullRows } from "../../../src/db/records/pull.ts";
import type { Step } from "../../../src/domain/history/event.ts";
import { formatInstant, HOUR, MINUTE } from "../../../src/domain/base/instant.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { annsRecords } from "../../support/db/past.ts";
import { accountFor, BOT } from "../../support/db/store.ts";
import { createTask, patchTask, restoreVersion } from "../../support/rules.ts";

const A = { id: "a", url: "https://a.example/", title: "A" };
const B = { id: "b", url: "https://b.example/", title: "B" };
const patch = (title: string) => ({ patch: { title }, ifMatch: null });

/** The newest version that was replaced or refused for this reason. */
const lostBy = (steps: readonly Step[], loss: string): number =>
  steps.find((step) => step.version.loss === loss)?.version.id ?? 0;

test("A replaced version is restored as a new edit, which the next pull delivers", async () => {
  const { store, ann, now, device, past, payload, row } = await annsRecords();
  const phone = device("phone");
  const first = { title: "Buy milk", mood: { odd: [1, null] }, pages: [A, B] };
  await phone.push("t1", first);
  await phone.push("t1", { title: "Nothing" });
  const before = await row("t1");
  const at = now();
  const restored = await restoreVersion(store, ann, lostBy(await past("t1"), "edited"), at);
  expect(await payload("t1")).toEqual(first);
  expect(restored).toEqual(await row("t1"));
  expect(restored).toMatchObject({
    updated: at,
    updatedAt: formatInstant(at),
    writerKind: "person",
    writerId: null,
    createdBy: "person",
    pushedAt: before.pushedAt,
  });
  const since = { since: before.changedAt, until: restored.changedAt, epoch: "" };
  const rows = (await Array.fromAsync(pullRows(store, ann, "sync_tasks", since))).flat();
  expect(rows.map((text) => (JSON.parse(text) as { payload: unknown }).payload)).toEqual([first]);
});

test.each(["stale", "clamped"])(
  "A version that was refused as %s can be restored",
  async (loss) => {
    const { store, ann, now, device, past, payload } = await annsRecords();
    const phone = device("phone");
    await phone.push("t1", { title: "a", pages: [A] });
    const at = loss === "stale" ? NOON - HOUR : NOON + HOUR;
    await phone.push("t1", { title: "sent", pages: [B] }, { at });
    await patchTask(store, ann, "t1", patch("later"), BOT, now());
    await restoreVersion(store, ann, lostBy(await past("t1"), loss), now());
    expect(await payload("t1")).toEqual({ title: "sent", pages: [B] });
  },
);

test("A record whose stamp is in the future gets a later one when it is restored", async () => {
  const { store, ann, now, device, past, row } = await annsRecords();
  const phone = device("phone");
  await phone.push("t1", { title: "a" });
  await phone.push("t1", { title: "b" }, { at: NOON + 6 * MINUTE });
  const { updated } = await row("t1");
  await restoreVersion(store, ann, lostBy(await past("t1"), "edited"), now());
  expect([updated, (await row("t1")).updated]).toEqual([NOON + 6 * MINUTE, NOON + 6 * MINUTE + 1]);
});

test("Folders and buckets can be restored too, and a bucket takes its tasks along", async () => {
  const { store, ann, now, device, past, payload, row } = await annsRecords();
  const phone = device("phone");
  for (const [table, id, one, other] of [
    ["sync_projects", "p1", { name: "Home" }, { name: "Work", colour: "red" }],
    ["sync_buckets", "b1", { kind: "trash" }, { kind: "inbox" }],
  ] as const) {
    await phone.push(id, one, { table });
    await phone.push(id, other, { table });
  }
  await phone.push("t1", { bucket_id: "b1" });
  expect((await row("t1")).live).toBe(1);
  const restore = async (id: string, table: "sync_buckets" | "sync_projects") =>
    restoreVersion(store, ann, lostBy(await past(id, table), "edited"), now());
  await restore("p1", "sync_projects");
  await restore("b1", "sync_buckets");
  expect(await payload("p1", "sync_projects")).toEqual({ name: "Home" });
  expect(await payload("b1", "sync_buckets")).toEqual({ kind: "trash" });
  expect(await row("t1")).toMatchObject({ live: 0, trashed: 1 });
});

const NO_VERSION = {
  reason: "not_found" as const,
  message: "Version not found. It may have been deleted.",
  headers: {},
};
const NOTHING_THERE = {
  reason: "invalid" as const,
  message: "That version cannot be restored. The record was deleted then, or did not exist yet.",
  headers: {},
};

test("A version in which the record was deleted or did not exist cannot be restored, nor can another account's", async () => {
  const { store, ann, now, device, past } = await annsRecords();
  const bob = await accountFor(store, "bob@example.org");
  const phone = device("phone");
  const { id } = await createTask(store, ann, { title: "a", tabs: [], notes: [] }, BOT, now());
  await phone.push(id, {}, { deleted_at: formatInstant(NOON) });
  await phone.push(id, { title: "back" });
  const steps = await past(id);
  const versions = steps.map(({ version }) => version.id);
  const restore = (account: number, version: number) =>
    refused(() => restoreVersion(store, account, version, now()));
  // The tombstone, and the state before the key created it.
  expect(await restore(ann, versions[0] ?? 0)).toEqual(NOTHING_THERE);
  expect(await restore(ann, versions[2] ?? 0)).toEqual(NOTHING_THERE);
  for (const version of [0, -1, 1e15]) expect(await restore(ann, version)).toEqual(NO_VERSION);
  expect(await restore(bob, versions[1] ?? 0)).toEqual(NO_VERSION);
  expect(await past(id)).toEqual(steps);
});
