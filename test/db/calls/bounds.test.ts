import { expect, test } from "bun:test";
import { listActivity, recordCall } from "../../../src/db/calls/activity.ts";
import { listCalls } from "../../../src/db/calls/activity-pages.ts";
import { insertTrace } from "../../../src/db/calls/trace.ts";
import { makeRoom } from "../../../src/db/calls/bounds.ts";
import type { Activity } from "../../../src/domain/calls/activity.ts";
import type { StoredReply } from "../../../src/domain/calls/idempotency.ts";
import { MINUTE } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { world } from "../../support/db/calls.ts";
import { ask, openForTest, type TestStore } from "../../support/db/store.ts";

const refused = (accountId: number, keyId: string): Activity => ({
  keyId,
  accountId,
  at: NOON,
  method: "GET",
  route: "*",
  status: 404,
  touched: null,
  client: null,
  tookToken: false,
  dryRun: false,
  tool: null,
});

test("A key's refused calls of a minute fill a bounded number of rows, and are all counted", async () => {
  const { store, ann, helper, scout } = await world();
  const call = refused(ann, helper);
  for (let n = 0; n < 300; n++)
    for (const status of [404, 405, 429])
      await recordCall(store, { ...call, route: `/r${n}`, status });
  await recordCall(store, { ...call, keyId: scout, route: "/own" });
  await recordCall(store, { ...call, at: NOON + MINUTE, route: "/later" });
  const rows = await listActivity(store, helper, 1_000);
  expect(rows).toHaveLength(60 + 3 + 1);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(901);
  expect(rows.filter(({ route }) => route === "/later")).toHaveLength(1);
  const rest = rows.filter(({ method, route }) => method === "*" && route === "*");
  expect(rest.map(({ status, count }) => [status, count]).toSorted()).toEqual([
    [404, 280],
    [405, 280],
    [429, 280],
  ]);
  expect((await listActivity(store, scout, 10)).map(({ route }) => route)).toEqual(["/own"]);
});

test("A row that is there already still counts, and an attempt to delete is still seen", async () => {
  const { store, ann, helper } = await world();
  const call = refused(ann, helper);
  for (let n = 0; n < 80; n++) await recordCall(store, { ...call, route: `/r${n}` });
  await recordCall(store, { ...call, route: "/r0" });
  await recordCall(store, {
    ...call,
    method: "DELETE",
    route: "/api/public/v1/tasks",
    status: 405,
  });
  const rows = await listActivity(store, helper, 1_000);
  expect(rows.find(({ route }) => route === "/r0")?.count).toBe(2);
  const deletes = { keyId: null, outcome: "deletes", way: null } as const;
  const page = await listCalls(store, ann, deletes, { after: null, limit: 10 });
  expect(page.rows).toMatchObject([{ method: "DELETE", route: "*", status: 405, keyId: helper }]);
});

const REPLY: StoredReply = {
  credentialId: "key-1",
  method: "POST",
  path: "/api/public/v1/tasks",
  idempotencyKey: "one",
  bodyHash: "hash",
  at: NOON,
  status: 201,
  body: "",
  etag: null,
  touched: null,
};

const storedBytes = (store: TestStore, credentialId: string): number =>
  ask<{ bytes: number }>(
    store.directory,
    "SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM kept_reply WHERE credential_id = ?",
    credentialId,
  )[0]?.bytes ?? 0;

test("A key's stored replies take up 64 MiB at most, and the newest stay", async () => {
  const store = await openForTest();
  const body = "x".repeat(1_000_000);
  const keep = (n: number, more = {}) =>
    store.writer.write(({ orm }) =>
      insertTrace(orm, {
        activity: null,
        reply: { ...REPLY, body, idempotencyKey: `${n}`, at: NOON + n, ...more },
      }),
    );
  await keep(0, { credentialId: "key-2" });
  for (let n = 0; n < 150; n++) await keep(n);
  expect(storedBytes(store, "key-1")).toBeLessThanOrEqual(64 * 1024 * 1024);
  expect(storedBytes(store, "key-1")).toBeGreaterThan(30_000_000);
  expect(storedBytes(store, "key-2")).toBe(1_000_000);
  const newest = ask<{ key: string }>(
    store.directory,
    "SELECT idempotency_key AS key FROM kept_reply ORDER BY at DESC LIMIT 1",
  );
  expect(newest).toEqual([{ key: "149" }]);
});

test("Many small replies are bounded as large ones are, after a restart too", async () => {
  const store = await openForTest();
  const keep = (from: number, to: number) =>
    store.writer.write(async ({ orm }) => {
      for (let n = from; n < to; n++) {
        const reply = { ...REPLY, idempotencyKey: `${n}`, at: NOON + n };
        await makeRoom(orm, reply, 300_000);
        await insertTrace(orm, { activity: null, reply });
      }
    });
  const rows = () => ask<{ n: number }>(store.directory, "SELECT count(*) AS n FROM kept_reply");
  await keep(0, 900);
  expect(rows()[0]?.n).toBe(900);
  await keep(900, 5_000);
  expect(rows()[0]?.n).toBeLessThan(1_400);
  await store.close();
  const again = await openForTest({ directory: store.directory });
  await again.writer.write(({ orm }) => makeRoom(orm, { ...REPLY, idempotencyKey: "x" }, 10_000));
  expect(rows()[0]?.n).toBeLessThan(25);
});
