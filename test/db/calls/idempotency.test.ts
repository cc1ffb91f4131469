import { expect, test } from "bun:test";
import { findStoredReply, pruneStoredReplies } from "../../../src/db/calls/idempotency.ts";
import { insertTrace } from "../../../src/db/calls/trace.ts";
import type { StoredReply } from "../../../src/domain/calls/idempotency.ts";
import { DAY, HOUR, type Instant } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { ask, openForTest, type TestStore } from "../../support/db/store.ts";

const REPLY: StoredReply = {
  credentialId: "key-1",
  method: "POST",
  path: "/api/public/v1/tasks",
  idempotencyKey: "one",
  bodyHash: "hash",
  at: NOON,
  status: 201,
  body: '{"id":"t1"}',
  etag: '"tag"',
  touched: "task:t1",
};

const keep = (store: TestStore, ...replies: readonly Partial<StoredReply>[]): Promise<void> =>
  store.writer.write(async ({ orm }) => {
    for (const reply of replies)
      await insertTrace(orm, { activity: null, reply: { ...REPLY, ...reply } });
  });

const keysIn = (store: TestStore): readonly string[] =>
  ask<{ key: string }>(
    store.directory,
    "SELECT idempotency_key AS key FROM kept_reply ORDER BY at",
  ).map(({ key }) => key);

test("A stored reply is found by credential, method, path and key, and comes back unchanged", async () => {
  const store = await openForTest();
  await keep(store, {});
  expect(await findStoredReply(store, { ...REPLY, bodyHash: "another" }, NOON)).toEqual(REPLY);
  for (const other of [
    { credentialId: "key-2" },
    { method: "PATCH" },
    { path: "/api/public/v1/projects" },
    { idempotencyKey: "ONE" },
  ])
    expect(await findStoredReply(store, { ...REPLY, ...other }, NOON)).toBeNull();
});

test("A stored reply is valid for a day, even if the clock is set back", async () => {
  const store = await openForTest();
  await keep(store, {});
  const isKnown = async (now: Instant) => (await findStoredReply(store, REPLY, now)) !== null;
  expect(await isKnown(NOON + DAY - 1)).toBe(true);
  expect(await isKnown(NOON + DAY)).toBe(false);
  expect(await isKnown(NOON - DAY)).toBe(true);
});

test("A newer reply replaces one that is too old", async () => {
  const store = await openForTest();
  const newer = {
    ...REPLY,
    at: NOON + DAY,
    bodyHash: "b",
    status: 422,
    body: "{}",
    etag: null,
    touched: null,
  };
  await keep(store, {});
  await keep(store, newer);
  expect(await findStoredReply(store, REPLY, NOON + DAY)).toEqual(newer);
  expect(keysIn(store)).toEqual(["one"]);
});

test("Replies are deleted once others were stored on four later days, however many they are", async () => {
  const store = await openForTest();
  const old = Array.from({ length: 2_500 }, (_, at) => ({
    idempotencyKey: `old-${at}`,
    at: NOON - 4 * DAY,
  }));
  const days = [3, 2, 1].map((day) => ({ idempotencyKey: `${day}`, at: NOON - day * DAY }));
  await keep(store, ...old, ...days);
  await pruneStoredReplies(store, NOON);
  expect(keysIn(store)).toHaveLength(2_503);
  await keep(store, {});
  await pruneStoredReplies(store, NOON);
  expect(keysIn(store)).toEqual(["3", "2", "1", "one"]);
});

test("A clock that is briefly ahead deletes nothing", async () => {
  const store = await openForTest();
  const days = [2, 1].map((day) => ({ idempotencyKey: `${day}`, at: NOON - day * DAY }));
  await keep(store, ...days, { idempotencyKey: "two", at: NOON - HOUR }, {});
  await pruneStoredReplies(store, NOON + 365 * DAY);
  await keep(store, { idempotencyKey: "ahead", at: NOON + 365 * DAY });
  await pruneStoredReplies(store, NOON + 365 * DAY);
  expect(keysIn(store)).toEqual(["2", "1", "two", "one", "ahead"]);
});

test("Old replies are found with an index", async () => {
  const { directory } = await openForTest();
  const old = "SELECT rowid FROM kept_reply WHERE at <= 1 LIMIT 1000";
  expect(ask<{ detail: string }>(directory, `EXPLAIN QUERY PLAN ${old}`)).toMatchObject([
    { detail: "SEARCH kept_reply USING COVERING INDEX kept_reply_at (at<?)" },
  ]);
});
