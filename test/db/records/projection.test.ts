import { expect, test } from "bun:test";
import fc from "fast-check";
import { and, eq } from "drizzle-orm";
import { isTrashBucket } from "../../../src/domain/tasks/task.ts";
import { project } from "../../../src/domain/tasks/projection.ts";
import { payloadOf, type RecordRow } from "../../../src/domain/records/row.ts";
import { record } from "../../../src/db/schema/records.ts";
import { readTaskView } from "../../../src/db/records/lookup.ts";
import { listTasks } from "../../../src/db/records/lists/task-list.ts";
import { readFilter } from "../../../src/server/tasks/filter.ts";
import { childValue } from "../../../src/domain/tasks/child.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { listField, type Payload } from "../../../src/domain/base/payload.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { BUCKETS, taskPayloads } from "../../support/db/payloads.ts";
import { accountFor, openForTest, recordOf, type TestStore } from "../../support/db/store.ts";
import { pushChanges } from "../../support/rules.ts";

const rowsOf = (store: TestStore, accountId: number): Promise<readonly RecordRow[]> =>
  store.reader.select().from(record).where(eq(record.accountId, accountId)).all();

/** Whether a bucket is a trash bucket, from its record alone. */
const trashOf = (rows: readonly RecordRow[]) => (id: string) => {
  const bucket = rows.find((row) => row.table === "sync_buckets" && row.id === id);
  return isTrashBucket(id, bucket && bucket.deletedAt === null ? payloadOf(bucket) : null);
};

const fresh = (row: RecordRow, inTrash: (id: string) => boolean) => {
  const { table, id, updated, deletedAt, createdAt } = row;
  const author = { created_by: row.createdBy, created_by_key: row.createdByKey };
  const payload = payloadOf(row);
  return project({ table, id, updated, deletedAt, createdAt, author, payload }, inTrash);
};

const expectFresh = async (store: TestStore, accountId: number): Promise<void> => {
  const rows = await rowsOf(store, accountId);
  for (const row of rows) {
    // Every column of the projection; the row has others too.
    const projection = fresh(row, trashOf(rows));
    expect({ ...row, ...projection }).toEqual(row);
  }
};

let people = 0;
const nextPerson = (store: TestStore) => accountFor(store, `p${(people += 1)}@example.org`);

const deletions = fc.option(fc.constant(formatInstant(NOON)), { freq: 3 });
const changes = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      table: fc.constant("sync_tasks"),
      id: fc.constantFrom("t1", "t2", "t3"),
      payload: taskPayloads,
      deleted_at: deletions,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      table: fc.constant("sync_buckets"),
      id: fc.constantFrom(...BUCKETS),
      payload: fc.constantFrom<Payload>({ kind: "trash" }, { kind: "inbox" }, {}, { kind: 7 }),
      deleted_at: deletions,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      table: fc.constant("sync_projects"),
      id: fc.constantFrom("p1", "p2"),
      payload: taskPayloads.map(({ title, ...rest }) => ({ ...rest, name: title })),
      deleted_at: deletions,
    }),
  },
);
/** Pushes of one record or of several. */
const pushes = fc.array(fc.array(changes, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 6,
});

test("Whatever is pushed, the columns match the payload (and its bucket)", async () => {
  const store = await openForTest();
  const property = fc.asyncProperty(pushes, async (history) => {
    const accountId = await nextPerson(store);
    let updated = NOON - 1_000;
    for (const push of history) {
      const records = push.map((one) => ({ ...one, updated_at: formatInstant((updated += 1)) }));
      const result = await pushChanges(store, accountId, null, records, NOON);
      expect(result).toMatchObject({ applied: push.length, rejected: [], invalid: [] });
      await expectFresh(store, accountId);
    }
  });
  await fc.assert(property, cases(150));
});

const ALL = readFilter({});
const PAGE = { after: null, first: null, limit: 200 };

test("A task is found by exactly the URLs in its payload", async () => {
  const store = await openForTest();
  const history = fc.array(fc.tuple(taskPayloads, deletions), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(history, async (versions) => {
    const accountId = await nextPerson(store);
    const everUsed = new Set<string>(["never"]);
    let updated = NOON - 1_000;
    for (const [version, deletedAt] of versions) {
      // Whether it is listed is another question, so here it is open and in no bucket.
      const payload = { ...version, status: "todo", bucket_id: null };
      const change = recordOf("t1", (updated += 1), payload, { deleted_at: deletedAt });
      await pushChanges(store, accountId, null, [change], NOON);
      const held = listField(payload, "pages").map((page) => childValue("pages", page));
      for (const url of held) if (url !== null) everUsed.add(url);
      for (const url of everUsed) {
        const { rows } = await listTasks(store, accountId, null, { ...ALL, url }, PAGE, NOON);
        expect([url, rows.length]).toEqual([url, deletedAt === null && held.includes(url) ? 1 : 0]);
      }
    }
  });
  await fc.assert(property, cases(100));
});

test("REST returns what a task's payload says", async () => {
  const store = await openForTest();
  const property = fc.asyncProperty(taskPayloads, async (payload) => {
    const accountId = await nextPerson(store);
    await pushChanges(store, accountId, null, [recordOf("t1", NOON, payload)], NOON);
    const row = await readTaskView(store, accountId, null, "t1");
    const shown = JSON.parse(row.row) as Record<string, unknown>;
    const text = (field: string): string | null => {
      const value = payload[field];
      return typeof value === "string" && value !== ""
        ? value.toWellFormed().replaceAll("\0", "\uFFFD")
        : null;
    };
    expect(shown).toMatchObject({
      id: "t1",
      title: text("title") ?? "",
      status: text("status") ?? "todo",
      colour: text("colour"),
      folder: text("project_id"),
      project_id: text("project_id"),
      bucket_id: text("bucket_id"),
      created_by: "person",
      created_by_key: null,
      updated_at: formatInstant(NOON),
      deleted_at: null,
      due: payload["due"] === "2026-03-04" ? "2026-03-04" : null,
      position: text("position"),
    });
    const tags = shown["tags"] as readonly string[];
    expect(tags).toEqual([...new Set(tags)].slice(0, 20));
    expect(tags.every((tag) => tag.length > 0 && tag.isWellFormed())).toBe(true);
    expect(row.payload).toBe(JSON.stringify(payload));
  });
  await fc.assert(property, cases(300));
});

test("Records with the same id in different tables or different accounts are different records", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const same = ["sync_tasks", "sync_projects", "sync_buckets"].map((table) =>
    recordOf("same", NOON, { title: table }, { table }),
  );
  for (const accountId of [ann, bob]) await pushChanges(store, accountId, null, same, NOON);
  const mine = and(eq(record.accountId, bob), eq(record.id, "same"));
  expect(await store.reader.select().from(record).where(mine).all()).toHaveLength(3);
});
