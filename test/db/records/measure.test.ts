import { expect, test } from "bun:test";
import { countDevices, createSession, revokeSession } from "../../../src/db/people/sessions.ts";
import { type Measure, measureRecords } from "../../../src/db/records/put.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { DAY } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { pushChanges } from "../../support/rules.ts";
import { accountFor, ask, openForTest, recordOf, clientOf } from "../../support/db/store.ts";

test("What an account takes up is the sum over its records, however many are added up at once", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  for (let push = 0; push < 4; push++) {
    const tasks = Array.from({ length: 50 }, (_, at) =>
      recordOf(`t${push}-${at}`, NOON + push, { title: "é".repeat(at) }),
    );
    const folder = recordOf(`f${push}`, NOON, { name: "Home" }, { table: "sync_projects" });
    for (const person of [ann, bob])
      await pushChanges(store, person, null, [...tasks, folder], NOON + push);
  }
  const [sums = { content: 0, whole: 0 }] = ask<Measure>(
    store.directory,
    `SELECT sum(size) AS content, sum(size + 4 * octet_length(id) + 512) AS whole FROM record
     WHERE account_id = ${ann}`,
  );
  for (const atOnce of [1, 7, 50, 200, 1_000])
    expect([atOnce, await measureRecords(store.reader, ann, atOnce)]).toEqual([atOnce, sums]);
  const nobody = await accountFor(store, "eve@example.org");
  expect(await measureRecords(store.reader, nobody)).toEqual({ content: 0, whole: 0 });
});

test("A million tombstones are added up in slices, so that others are answered in between", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushChanges(store, ann, null, [recordOf("t", NOON, {})], NOON);
  const columns = ask<{ name: string }>(store.directory, "PRAGMA table_info(record)").map(
    ({ name }) => name,
  );
  const values = columns.map((name) => (name === "id" ? "'t' || i" : name)).join(", ");
  await store.writer.write(({ orm }) =>
    clientOf(orm).run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
       INSERT INTO record (${columns.join(", ")}) SELECT ${values} FROM record, n`,
    ),
  );
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  expect((await measureRecords(store.reader, ann)).whole).toBeGreaterThan(300_000 * 512);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(1);
});

test("Devices that are signed in are counted, and others are not", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const signIn = (person: number, at: number) =>
    createSession(store, person, "phone", cryptoRandom, at);
  expect(await countDevices(store, ann, NOON)).toEqual({ live: 0, lastSyncAt: null });
  await signIn(ann, NOON - 31 * DAY);
  await signIn(ann, NOON);
  await signIn(bob, NOON);
  const { session } = await signIn(ann, NOON);
  expect(await countDevices(store, ann, NOON)).toEqual({ live: 2, lastSyncAt: null });
  await revokeSession(store, ann, session.id, NOON);
  expect(await countDevices(store, ann, NOON)).toEqual({ live: 1, lastSyncAt: null });
});
