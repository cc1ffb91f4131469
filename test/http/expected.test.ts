import { expect, test } from "bun:test";
import { formatInstant, HOUR } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { meeting } from "../support/http/meeting.ts";

// A device may say which version it expects. The server then takes nothing on top of a later one.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });

const REJECTED = { table: "sync_tasks", id: "t", reason: "stale" };

test("An edit on top of the stored version is taken, and the reply tells the epoch", async () => {
  const { phone, row } = await meeting(server);
  const { epoch } = await phone.pull();
  const { updated_at } = await row();
  const { json } = await phone.push({ title: "bread" }, { base: updated_at, expected: updated_at });
  expect(json).toEqual({ applied: 1, epoch, rejected: [], merged: [], invalid: [] });
  expect((await row()).payload).toEqual({ title: "bread" });
});

test("An edit that expects an older version than another device's is not taken, however late it is", async () => {
  const { phone, laptop, row } = await meeting(server);
  const { updated_at } = await row();
  await laptop.push({ title: "bread" });
  const stood = await row();
  const { json } = await phone.push({ title: "milk", due: "2026-12-01" }, { expected: updated_at });
  expect(json).toMatchObject({
    applied: 0,
    rejected: [{ ...REJECTED, device_updated_at: stood.updated_at, server_row: stood }],
  });
  expect(json.rejected[0]).not.toHaveProperty("was_stored");
  expect(await row()).toEqual(stood);
});

test("A new record is taken only if there is none with its id", async () => {
  const { phone, row } = await meeting(server);
  const stood = await row();
  const { json } = await phone.push({ title: "bread" }, { expected: null });
  expect(json).toMatchObject({ applied: 0, rejected: [REJECTED] });
  expect(await row()).toEqual(stood);
});

test("A version that is stored earlier than expected is replaced: a restore has lost the other one", async () => {
  const { phone, row } = await meeting(server);
  const expected = formatInstant(Date.parse((await row()).updated_at) + 500);
  const { json } = await phone.push({ title: "bread" }, { expected });
  expect(json).toMatchObject({ applied: 1, rejected: [] });
});

test("What an agent did is not merged into an edit that expects the version before it", async () => {
  const { phone, row, files } = await meeting(server);
  const { updated_at } = await row();
  await files("agent");
  const { json } = await phone.push({ title: "bread" }, { base: updated_at, expected: updated_at });
  expect(json).toMatchObject({
    rejected: [{ ...REJECTED, device_updated_at: updated_at }],
    merged: [],
  });
  expect((await row()).payload).toMatchObject({
    title: "milk",
    pages: [{ url: "https://agent.example/" }],
  });
});

test.each(["applied", "clamped"] as const)(
  "An edit that was %s is sent again after it was replaced: the reply says that it was stored",
  async (kind) => {
    const { phone, laptop, row, now, files } = await meeting(server);
    const expected = (await row()).updated_at;
    const edit = { updated: now() + (kind === "clamped" ? HOUR : 0), base: expected, expected };
    await phone.push({ title: "bread" }, edit);
    const stored = (await row()).updated_at;
    expect((await phone.push({ title: "bread" }, edit)).json.applied).toBe(1);
    await files("agent");
    await laptop.push({ title: "jam" }, { base: stored });
    const stood = await row();
    const { json } = await phone.push({ title: "bread" }, edit);
    if (kind === "applied")
      expect(json.rejected).toMatchObject([{ ...REJECTED, was_stored: true, server_row: stood }]);
    else expect(json.rejected).toMatchObject([{ reason: "clamped", server_row: stood }]);
    expect(await row()).toEqual(stood);
  },
);

test("Another edit with the stamp of one that was stored was not stored", async () => {
  const { phone, laptop, row, now } = await meeting(server);
  const expected = (await row()).updated_at;
  const updated = now();
  await laptop.push({ title: "bread" }, { updated });
  await laptop.push({ title: "jam" });
  const { json } = await phone.push({ title: "butter" }, { updated, expected });
  expect(json.rejected).toMatchObject([REJECTED]);
  expect(json.rejected[0]).not.toHaveProperty("was_stored");
});

test("A task that is brought back on top of its deletion has what the device sends", async () => {
  const { phone, laptop, row, files } = await meeting(server, { title: "milk", pages: [] });
  await files("agent");
  const { server_time } = await laptop.pull();
  await laptop.push({ title: "milk", pages: [] }, { since: server_time });
  const live = (await row()).updated_at;
  await laptop.push({ title: "milk", pages: [] }, { deleted: true, base: live });
  const { updated_at } = await row();
  const back = { base: updated_at, expected: updated_at };
  expect((await phone.push({ title: "milk", pages: [] }, back)).json).toMatchObject({
    rejected: [],
  });
});

test("An edit by a fast clock that was stale is taken once it is made again on the stored version", async () => {
  const { phone, laptop, row, now, files } = await meeting(server);
  const base = (await row()).updated_at;
  await phone.push({ title: "bread" }, { updated: now() + 2 * HOUR });
  await files("agent");
  const edit = { updated: now() + HOUR };
  const pages = (await row()).payload["pages"];
  const content = { title: "jam", pages };
  expect((await laptop.push(content, { ...edit, base })).json.rejected).toMatchObject([REJECTED]);
  const { updated_at } = await row();
  const again = { ...edit, base: updated_at, expected: updated_at };
  const { json } = await laptop.push(content, again);
  expect(json.rejected).toMatchObject([{ reason: "clamped" }]);
  expect((await row()).payload).toMatchObject(content);
});

test("Without expected_updated_at, the reply says nothing of it", async () => {
  const { phone, laptop, now } = await meeting(server);
  const updated = now();
  await laptop.push({ title: "bread" });
  const { json } = await phone.push({ title: "milk" }, { updated });
  expect(Object.keys(json)).toEqual(["applied", "rejected", "merged", "invalid"]);
  expect(Object.keys(json.rejected[0])).toEqual([
    "table",
    "id",
    "updated_at",
    "reason",
    "server_row",
  ]);
});

test.each(["yesterday", 7, {}])("expected_updated_at must not be %p", async (expected) => {
  const { phone, row } = await meeting(server);
  const stood = await row();
  const { json } = await phone.push({ title: "bread" }, { expected: expected as string });
  expect(json.invalid).toEqual([
    {
      index: 0,
      table: "sync_tasks",
      id: "t",
      error: "expected_updated_at must be a valid RFC 3339 time or null.",
    },
  ]);
  expect(await row()).toEqual(stood);
});

test("The reply says which fields devices have changed since, and when, but not what an agent has", async () => {
  const { phone, laptop, row, sets } = await meeting(server, { title: "milk", due: "2026-12-01" });
  const expected = (await row()).updated_at;
  await laptop.push({ title: "bread", due: "2026-12-01" });
  const renamed = (await row()).updated_at;
  await laptop.push({ title: "bread", due: "2026-12-02" });
  const moved = (await row()).updated_at;
  await sets({ status: "in_progress" });
  const { json } = await phone.push({ title: "jam" }, { base: expected, expected });
  expect(json.rejected).toMatchObject([
    { ...REJECTED, device_updated_at: moved, changed_by_devices: { title: renamed, due: moved } },
  ]);
  expect(json.rejected[0].changed_by_devices).not.toHaveProperty("status");
});

const later = (text: string, ms: number): string => formatInstant(Date.parse(text) + ms);

test("A device may say that a field was changed before the edit it is in: other devices are told so", async () => {
  const { phone, laptop, row } = await meeting(server, { title: "milk", status: "todo", due: "x" });
  const { updated_at: expected } = await row();
  const changed = { title: later(expected, 100), due: later(expected, 900_000_000) };
  await laptop.push({ title: "bread", status: "done", due: "y" }, { expected, changed });
  const { updated_at } = await row();
  const told = async () =>
    (await phone.push({ title: "jam", status: "todo", due: "x" }, { expected })).json.rejected[0]
      .changed_by_devices;
  const times = { title: changed.title, status: updated_at, due: updated_at };
  expect(await told()).toEqual(times);
  await laptop.push({ title: "bread", status: "open", due: "y" }, { expected: updated_at });
  expect(await told()).toEqual({ ...times, status: (await row()).updated_at });
  await laptop.push({ title: "butter", status: "open", due: "y" });
  const { updated_at: last } = await row();
  expect(await told()).toMatchObject({ title: last, due: updated_at });
});

test("What a device changed before an agent wrote has the device's time, although the server gave it a later one", async () => {
  const { phone, laptop, row, now, files } = await meeting(server, { title: "milk", status: "a" });
  const { updated_at: expected } = await row();
  const updated = now();
  await files("agent");
  await laptop.push({ title: "bread", status: "a" }, { updated, base: expected });
  const { json } = await phone.push({ title: "milk", status: "b" }, { expected });
  expect(json.rejected[0].changed_by_devices).toEqual({ title: formatInstant(updated) });
});

test.each([
  ["a word", "yesterday"],
  ["a number", 7],
  ["null", null],
  ["an object of words", { title: "yesterday" }],
  [
    "an object of 101 times",
    Object.fromEntries([...Array(101).keys()].map((n) => [n, "2026-03-04T12:00:00Z"])),
  ],
])("changed_at must not be %s", async (_name, changed) => {
  const { phone, row } = await meeting(server);
  const stood = await row();
  const { json } = await phone.push({ title: "bread" }, { changed: changed as object });
  expect(json.invalid).toMatchObject([
    { error: "changed_at must be an object of at most 100 valid RFC 3339 times." },
  ]);
  expect(await row()).toEqual(stood);
});

test("A device that brings a deleted task back is told what the deletion changed", async () => {
  const { phone, laptop, row } = await meeting(server);
  const { updated_at: expected } = await row();
  await laptop.push({ title: "bread" }, { deleted: true });
  const { updated_at } = await row();
  const { json } = await phone.push({ title: "jam" }, { expected });
  expect(json.rejected[0].changed_by_devices).toEqual({ title: updated_at });
  expect(json.rejected[0].deleted_by_device).toBe(true);
});
