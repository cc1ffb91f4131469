import { expect, test } from "bun:test";
import { and, asc, desc, eq, lte } from "drizzle-orm";
import fc from "fast-check";
import { undoKeys } from "../../../src/db/history/undo.ts";
import { dropVersions } from "../../../src/db/history/grow.ts";
import { keptHistory } from "../../../src/db/history/versions.ts";
import { massDeletion, version } from "../../../src/db/schema/history.ts";
import { agentChild, record } from "../../../src/db/schema/records.ts";
import { DAY, formatInstant, HOUR, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import { keyText } from "../../../src/domain/base/record.ts";
import type { NewVersion } from "../../../src/domain/history/version.ts";
import * as rules from "../../../src/db/records/push.ts";
import { NO_ACK } from "../../../src/domain/sync/proof.ts";
import { parseChanges } from "../../../src/domain/sync/change.ts";
import type { RecordRow } from "../../../src/domain/records/row.ts";
import {
  createTask,
  fileTabs,
  patchTask,
  pushChanges,
  restoreVersion,
} from "../../support/rules.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { memoryAccount } from "../../support/db/memory.ts";
import { accountFor, BOT, give, openForTest, type TestStore } from "../../support/db/store.ts";

/** Few ids, buckets, urls and times, so that they meet; `child` is one of those that a key filed. */
const item = fc.record(
  {
    child: fc.nat(5),
    id: fc.constantFrom("x", "y"),
    url: fc.constantFrom("https://a/", "https://b/"),
  },
  { requiredKeys: [] },
);
const change = fc.record({
  table: fc.constantFrom("sync_tasks", "sync_tasks", "sync_tasks", "sync_buckets", "sync_projects"),
  id: fc.constantFrom("one", "two", "b1", "made"),
  after: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(400, 100_000)),
  deleted: fc.option(fc.constant(formatInstant(NOON)), { freq: 5 }),
  /** Which version the device names as the one that it edited; null for none. */
  base: fc.option(fc.nat(4)),
  payload: fc.record(
    {
      title: fc.constantFrom("bread", "milk"),
      status: fc.constantFrom("todo", "done"),
      name: fc.constantFrom("Home", "Work"),
      kind: fc.constantFrom("trash", "later"),
      bucket_id: fc.constantFrom("b1", "trash", null),
      pages: fc.array(item, { maxLength: 4 }),
    },
    { requiredKeys: [] },
  ),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...(["a key makes a task", "a key files a tab", "a key changes it"] as const),
      ...(["a person restores it", "a key is undone", "old versions go"] as const),
    ),
  },
);
const steps = fc.array(
  fc.record({
    what: step,
    who: fc.constantFrom("phone", "laptop", null),
    /** Whether the device pulls before, and what it says it has stored. */
    pulls: fc.boolean(),
    says: fc.constantFrom("all", "less", "nothing"),
    pick: fc.nat(5),
    ms: fc.constantFrom(0, 1, 5, SECOND, MINUTE, HOUR, 2 * DAY),
  }),
  { minLength: 1, maxLength: 12 },
);

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

const AT_ONCE = async <Value>(value: Value): Promise<Value> => value;
const LATER = async <Value>(value: Value): Promise<Value> => {
  await new Promise((resolve) => setImmediate(resolve));
  return value;
};

/** All that a push writes, as SQLite has it. */
const storedIn = async ({ reader }: TestStore, accountId: number) => ({
  rows: await reader.select().from(record).where(eq(record.accountId, accountId)).all(),
  children: await reader.select().from(agentChild).where(eq(agentChild.accountId, accountId)).all(),
  versions: (
    await reader
      .select()
      .from(version)
      .where(eq(version.accountId, accountId))
      .orderBy(asc(version.id))
      .all()
  ).map(({ id: _id, ...one }) => one),
  deletions: (
    await reader.select().from(massDeletion).where(eq(massDeletion.accountId, accountId)).all()
  ).map(({ sessionId, records }) => [sessionId, records] as const),
  ...(await keptHistory(reader, accountId)),
});

const byKey = (rows: Iterable<RecordRow>) =>
  // Rows may hold, beside their columns, what was parsed of them.
  Object.fromEntries(
    [...rows].map((row) => [keyText(row), Object.fromEntries(Object.entries(row))]),
  );

/** Only the order of one record's versions matters. */
const byRecord = (versions: Iterable<Partial<NewVersion> & Keyed>) =>
  Object.groupBy(
    // What a version counts against is the store's business.
    [...versions].map(({ filedBy: _filedBy, chargedTo: _chargedTo, ...kept }) => kept),
    ({ table, recordId: id }) => keyText({ table, id }),
  );

type Keyed = Pick<NewVersion, "recordId" | "table">;

let people = 0;

const world = async (store: TestStore, answer: <Value>(value: Value) => Promise<Value>) => {
  const ann = await accountFor(store, `ann-${(people += 1)}@example.org`);
  const memory = memoryAccount(ann, (id) => store.acks.get(id) ?? NO_ACK, answer);
  let now = NOON;
  let made: string | null = null;

  const editOnSqlite = async (what: string, pick: number): Promise<unknown> => {
    const tab = { url: "https://a/", title: "A" };
    const task = ["one", "two", made, made][pick % 4] ?? "one";
    const numbers = (
      await store.reader
        .select({ id: version.id })
        .from(version)
        .where(eq(version.accountId, ann))
        .orderBy(desc(version.id))
        .all()
    ).map(({ id }) => id);
    switch (what) {
      case "a key files a tab":
        return fileTabs(store, ann, task, [tab], BOT, now);
      case "a key changes it":
        return patchTask(store, ann, task, { patch: { title: "t" }, ifMatch: null }, BOT, now);
      case "a person restores it":
        return restoreVersion(store, ann, numbers[pick] ?? 0, now);
      case "a key is undone":
        return undoKeys(
          store,
          ann,
          { keyIds: [BOT.id ?? ""], since: 0, upTo: numbers[0] ?? 0 },
          now,
        );
      case "old versions go": {
        const old = and(eq(version.accountId, ann), lte(version.id, numbers[pick] ?? 0));
        return store.writer.write((tx) => dropVersions(tx.orm, old));
      }
      default:
        return (made = (
          await createTask(store, ann, { title: "made", tabs: [tab, tab], notes: [] }, BOT, now)
        ).id);
    }
  };

  /** What keys and people do over REST is done on SQLite, and copied. */
  const edit = async (what: string, pick: number): Promise<void> => {
    await editOnSqlite(what, pick).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
    const { rows, children, versions, since } = await storedIn(store, ann);
    memory.data.rows = new Map(rows.map((row) => [keyText(row), row]));
    memory.data.children = new Map(children.map((child) => [child.id, child]));
    memory.data.versions = versions.map((one) => ({ ...one, filedBy: null }));
    memory.data.since = since;
    memory.data.hw = Math.max(0, ...rows.map(({ changedAt }) => changedAt));
  };

  const recordOf = ({ table, id: named, after, deleted, payload, base }: Change) => {
    const id = named === "made" ? (made ?? named) : named;
    const row = memory.data.rows.get(keyText({ table, id }));
    const versions = memory.data.versions.filter((one) => one.recordId === id);
    const known = [row, ...versions.toReversed()].flatMap((one) => one?.updatedAt ?? []);
    const filed = [...memory.data.children.keys()];
    const pages = payload.pages?.map(({ child, ...rest }) =>
      child === undefined ? rest : { ...rest, id: filed[child % filed.length] ?? "none" },
    );
    return {
      table,
      id,
      updated_at: formatInstant(now + after * SECOND),
      deleted_at: deleted,
      payload: { ...payload, ...(pages ? { pages } : {}) },
      ...(base === null ? {} : { base_updated_at: known[base] ?? formatInstant(now - MINUTE) }),
    };
  };

  const push = async ({ who, pulls, says, pick }: Step, changes: readonly Change[]) => {
    const sessionId = who && `${who}-${ann}`;
    if (sessionId && pulls) await give(store, sessionId, { time: now, at: now });
    const given = store.acks.get(sessionId ?? "")?.deliveries ?? [];
    const since = (says === "all" ? given.at(-1) : given.at(-1 - pick))?.time ?? null;
    const sender = sessionId && { sessionId, ...(says === "nothing" ? {} : { since }) };
    const sent = changes.map(recordOf);
    const parsed = parseChanges(sent);
    const expected = await rules.pushChanges(memory.begin(now), sender || null, parsed);
    expect(await pushChanges(store, ann, sender || null, sent, now)).toEqual(expected);
  };

  const check = async (): Promise<void> => {
    const { rows, versions, deletions } = await storedIn(store, ann);
    expect(byKey(rows)).toEqual(byKey(memory.data.rows.values()));
    expect(byRecord(versions)).toEqual(byRecord(memory.data.versions));
    expect(deletions).toEqual([...memory.data.deletions]);
  };
  const wait = (ms: number): void => void (now += ms);
  return { edit, push, check, wait };
};

test.each([
  ["at once", AT_ONCE],
  ["in a later turn", LATER],
])(
  "a push comes to the same on SQLite and on an engine in memory that answers %s",
  async (_how, answer) => {
    const store = await openForTest();
    const property = fc.asyncProperty(steps, async (all) => {
      const { edit, push, check, wait } = await world(store, answer);
      for (const one of all) {
        wait(one.ms);
        await (typeof one.what === "string" ? edit(one.what, one.pick) : push(one, one.what));
        await check();
      }
    });
    await fc.assert(property, { ...cases(150), endOnFailure: true });
  },
);
