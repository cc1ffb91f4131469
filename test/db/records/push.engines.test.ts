import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { issueTo } from "../../../src/db/records/acks.ts";
import { massDeletion, version } from "../../../src/db/schema/history.ts";
import { agentChild, record } from "../../../src/db/schema/records.ts";
import { DAY, formatInstant, HOUR, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import type { MaybePromise } from "../../../src/domain/base/maybe-promise.ts";
import { keyText } from "../../../src/domain/base/record.ts";
import * as rules from "../../../src/db/records/push.ts";
import { NO_ACK } from "../../../src/domain/sync/ack.ts";
import { parseChanges } from "../../../src/domain/sync/change.ts";
import type { RecordRow } from "../../../src/domain/sync/row.ts";
import { createTask, fileTabs, patchTask, pushChanges } from "../../support/rules.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { memoryAccount } from "../_memory.ts";
import { accountFor, BOT, openForTest, type TestStore } from "../_store.ts";

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
    arbitrary: fc.constantFrom("a key makes a task", "a key files a tab", "a key changes it"),
  },
);
const steps = fc.array(
  fc.record({
    what: step,
    who: fc.constantFrom("phone", "laptop", null),
    /** Whether the device pulls before, and says so. */
    knows: fc.boolean(),
    ms: fc.constantFrom(0, 1, 5, SECOND, MINUTE, HOUR, 2 * DAY),
  }),
  { minLength: 1, maxLength: 12 },
);

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

const LATER = async <Value>(value: Value): Promise<Value> => value;
const AT_ONCE = <Value>(value: Value): Value => value;

/** All that a push writes, as SQLite has it. */
const storedIn = ({ reader }: TestStore, accountId: number) => ({
  rows: reader.select().from(record).where(eq(record.accountId, accountId)).all(),
  children: reader.select().from(agentChild).where(eq(agentChild.accountId, accountId)).all(),
  versions: reader
    .select()
    .from(version)
    .where(eq(version.accountId, accountId))
    .orderBy(asc(version.id))
    .all()
    .map(({ id: _id, ...one }) => one),
  deletions: reader
    .select()
    .from(massDeletion)
    .where(eq(massDeletion.accountId, accountId))
    .all()
    .map(({ sessionId, records }) => [sessionId, records] as const),
});

const byKey = (rows: Iterable<RecordRow>) =>
  // Rows may hold, beside their columns, what was parsed of them.
  Object.fromEntries(
    [...rows].map((row) => [keyText(row), Object.fromEntries(Object.entries(row))]),
  );

let people = 0;

const world = async (store: TestStore, answer: <Value>(value: Value) => MaybePromise<Value>) => {
  const ann = await accountFor(store, `ann-${(people += 1)}@example.org`);
  const memory = memoryAccount(ann, (id) => store.acks.get(id) ?? NO_ACK, answer);
  let now = NOON;
  let made: string | null = null;

  /** What keys do is done on SQLite, and copied. */
  const edit = async (what: string): Promise<void> => {
    const tab = { url: "https://a/", title: "A" };
    if (what === "a key makes a task" || made === null)
      made = (
        await createTask(store, ann, { title: "made", tabs: [tab, tab], notes: [] }, BOT, now)
      ).id;
    else if (what === "a key files a tab")
      await fileTabs(store, ann, made, [tab], BOT, now).catch(() => {});
    else
      await patchTask(store, ann, made, { patch: { title: "t" }, ifMatch: null }, BOT, now).catch(
        () => {},
      );
    const { rows, children, versions } = storedIn(store, ann);
    memory.data.rows = new Map(rows.map((row) => [keyText(row), row]));
    memory.data.children = new Map(children.map((child) => [child.id, child]));
    memory.data.versions = versions;
    memory.data.hw = Math.max(...rows.map(({ changedAt }) => changedAt));
  };

  const recordOf = ({ table, id, after, deleted, payload }: Change) => {
    const filed = [...memory.data.children.keys()];
    const pages = payload.pages?.map(({ child, ...rest }) =>
      child === undefined ? rest : { ...rest, id: filed[child % filed.length] ?? "none" },
    );
    return {
      table,
      id: id === "made" ? (made ?? id) : id,
      updated_at: formatInstant(now + after * SECOND),
      deleted_at: deleted,
      payload: { ...payload, ...(pages ? { pages } : {}) },
    };
  };

  const push = async (who: string | null, knows: boolean, changes: readonly Change[]) => {
    const sessionId = who && `${who}-${ann}`;
    if (sessionId && knows) issueTo(store, sessionId, { time: now, at: now });
    const sender = sessionId === null ? null : { sessionId, ...(knows ? { since: now } : {}) };
    const sent = changes.map(recordOf);
    const parsed = parseChanges(sent);
    const expected = await rules.pushChanges(memory.begin(now), sender, parsed);
    expect(await pushChanges(store, ann, sender, sent, now)).toEqual(expected);
  };

  const check = (): void => {
    const { rows, versions, deletions } = storedIn(store, ann);
    expect(byKey(rows)).toEqual(byKey(memory.data.rows.values()));
    expect(versions).toEqual([...memory.data.versions]);
    expect(deletions).toEqual([...memory.data.deletions]);
  };
  const wait = (ms: number): void => void (now += ms);
  return { edit, push, check, wait };
};

test.each([
  ["at once", AT_ONCE],
  ["by promises", LATER],
])(
  "a push comes to the same on SQLite and on an engine in memory that answers %s",
  async (_how, answer) => {
    const store = openForTest();
    const property = fc.asyncProperty(steps, async (all) => {
      const { edit, push, check, wait } = await world(store, answer);
      for (const { what, who, knows, ms } of all) {
        wait(ms);
        await (typeof what === "string" ? edit(what) : push(who, knows, what));
        check();
      }
    });
    await fc.assert(property, { ...cases(150), endOnFailure: true });
  },
);
