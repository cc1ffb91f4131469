import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import type { Store } from "../../../../src/db/store.ts";
import { record } from "../../../../src/db/schema/records.ts";
import { Refusal } from "../../../../src/domain/base/refusal.ts";
import { cases } from "../../../support/random.ts";
import { NOON } from "../../../support/server.ts";
import { taskPayloads } from "../../../support/db/payloads.ts";
import { expectIndexed, finder } from "../../../support/db/search.ts";
import { scan } from "../../../support/db/searching.ts";
import { accountFor, BOT, openForTest, recordOf } from "../../../support/db/store.ts";
import { addNote, createTask, fileTabs, patchTask, pushChanges } from "../../../support/rules.ts";

const WORDS = [
  "tab",
  "table",
  "Tablet",
  "rust",
  "BOOK",
  "books",
  "ch04",
  "a",
  "x1",
  "42",
  "2026",
  "go",
];
const word = fc.constantFrom(...WORDS);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(" ", "-", "_", ", ", "\n", " (", '"', "/")), {
    maxLength: 4,
  })
  .map((parts) => parts.flat().join(""));
const page = fc.record(
  { url: fc.tuple(word, word, word).map(([a, b, c]) => `https://${a}.b/${b}%20${c}`), title: text },
  { requiredKeys: ["url"] },
);
const payload = fc.record(
  {
    title: text,
    bucket_id: fc.constantFrom("trash", null, null, null),
    pages: fc.array(page, { maxLength: 3 }),
    notes: fc.array(fc.record({ text }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

type Step = (store: Store, ann: number, now: number) => Promise<unknown>;

const id = fc.constantFrom("t1", "t2", "t3", "t4");
const deleted = fc.constantFrom(null, null, null, "2026-03-04T12:00:00Z");
const title = text.map((one) => `${one}.`);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(id, payload, deleted).map(
      ([one, sent, deleted_at]): Step =>
        (store, ann, now) =>
          pushChanges(store, ann, null, [recordOf(one, now, sent, { deleted_at })], now),
    ),
  },
  fc.tuple(id, title).map(
    ([one, to]): Step =>
      (store, ann, now) =>
        patchTask(store, ann, one, { patch: { title: to }, ifMatch: null }, BOT, now),
  ),
  fc.tuple(id, page).map(
    ([one, { url, title: name = null }]): Step =>
      (store, ann, now) =>
        fileTabs(store, ann, one, [{ url, title: name }], BOT, now),
  ),
  fc.tuple(id, title).map(
    ([one, note]): Step =>
      (store, ann, now) =>
        addNote(store, ann, one, note, BOT, now),
  ),
  fc.tuple(title, title).map(
    ([name, note]): Step =>
      (store, ann, now) =>
        createTask(store, ann, { title: name, tabs: [], notes: [note] }, BOT, now),
  ),
);

const begun = fc.constantFrom("tab", "tabl", "ta", "boo", "ch0", "202", "rus", "book-s", "a-42");
const asked = fc
  .array(
    fc.oneof(
      word,
      begun,
      fc.tuple(word, word).map(([a, b]) => `${a}-${b}`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => words.join(" "));

let people = 0;

test("Whatever was written, a search finds the same tasks as a look at every task, in the documented order", async () => {
  const store = await openForTest();
  const history = fc.array(step, { minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(
    history,
    fc.array(asked, { minLength: 5, maxLength: 10 }),
    async (steps, queries) => {
      const ann = await accountFor(store, `ann-${(people += 1)}@example.org`);
      let now = NOON;
      // A step on a task that does not exist or is in the trash is refused, which does not matter here.
      for (const one of steps)
        await one(store, ann, (now += 1_000)).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        });
      const rows = await store.reader.select().from(record).where(eq(record.accountId, ann)).all();
      const find = finder(store, ann);
      for (const q of queries)
        expect([q, await find(q, { closed: true })]).toEqual([q, scan(rows, q)]);
    },
  );
  await fc.assert(property, cases(120));
  expectIndexed(store.directory);
});

test("Tasks of any shape are indexed, and nothing that a device sends can make indexing fail", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  let updated = NOON - 1_000_000;
  const property = fc.asyncProperty(
    fc.array(fc.tuple(id, taskPayloads, deleted), { minLength: 1 }),
    async (pushes) => {
      const changes = pushes.map(([one, sent, deleted_at]) =>
        recordOf(one, (updated += 1), sent, { deleted_at }),
      );
      const { applied, invalid } = await pushChanges(store, ann, null, changes, NOON);
      expect([applied, invalid]).toEqual([pushes.length, []]);
    },
  );
  await fc.assert(property, cases(100));
  expectIndexed(store.directory);
});
