import { mapInOrder } from "../../../src/domain/base/in-order.ts";
import { expect, test } from "bun:test";
import { openPull, pullRows } from "../../../src/db/records/pull.ts";
import { findRecord } from "../../../src/db/records/find.ts";
import type { Transaction } from "../../../src/db/transaction.ts";
import { MINUTE } from "../../../src/domain/base/instant.ts";
import { invalid } from "../../../src/domain/base/refusal.ts";
import * as edits from "../../../src/db/records/edits.ts";
import { createTask } from "../../support/rules.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  openForTest,
  PHONE,
  pushTask,
  type TestStore,
  clientOf,
} from "../../support/db/store.ts";
import { countCommits, emptyLog } from "../../support/db/wal.ts";

const draft = (title: string) => ({ title, tabs: [], notes: [] });

/** A job that makes a task, waits until it is told to go on, and ends as `end` does. */
const slowJob = (store: TestStore, ann: number, end: () => void = () => {}, now = NOON) => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const job = async (tx: Transaction): Promise<string> => {
    const made = await edits.createTask(tx, draft("slow"), PHONE);
    begun.resolve();
    await gate.promise;
    end();
    return made.id;
  };
  const done = store.transaction(ann, now, job);
  // Whoever looks at it later is told of it, too.
  done.catch(() => {});
  return { done, goOn: () => gate.resolve(), begun: begun.promise };
};

const titles = (store: TestStore, ids: readonly string[], ann: number) =>
  mapInOrder(
    ids,
    async (id) => (await findRecord(store.reader, ann, "sync_tasks", id))?.title ?? null,
  );

test("while a job waits for something, no other is begun, and all come in their order", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  emptyLog(store.directory);
  const { done, goOn, begun } = slowJob(store, ann);
  const order: string[] = [];
  const next = createTask(store, ann, draft("next"), PHONE, NOON).then(({ id }) => {
    order.push("next");
    return id;
  });
  await begun;
  const last = createTask(store, ann, draft("last"), PHONE, NOON).then(({ id }) => {
    order.push("last");
    return id;
  });
  await Bun.sleep(20);
  expect(order).toEqual([]);
  goOn();
  const ids = [await done, await next, await last];
  expect(order).toEqual(["next", "last"]);
  expect(await titles(store, ids, ann)).toEqual(["slow", "next", "last"]);
  // Those that were handed in together share a commit; the last one came while it was under way.
  expect(countCommits(store.directory)).toBe(2);
});

test("a pull of somebody else whose time needs a lease is answered meanwhile, with an earlier time", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  await pushTask(store, bob, "t1", NOON);
  const { done, goOn, begun } = slowJob(store, ann);
  await begun;
  const { until } = await openPull(store, bob, null, null, NOON + MINUTE);
  expect(until).toBeLessThan(NOON + MINUTE);
  goOn();
  await done;
  expect((await openPull(store, bob, null, null, NOON + MINUTE)).until).toBe(NOON + MINUTE);
});

test("nothing of a job is seen before it is committed, and who is answered sees all of it at once", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { done, goOn, begun } = slowJob(store, ann);
  await begun;
  const count = () => clientOf(store.reader).query("SELECT count(*) AS n FROM record").get();
  expect(count()).toEqual({ n: 0 });
  goOn();
  const id = await done;
  expect(await titles(store, [id], ann)).toEqual(["slow"]);
});

test("a pull during a job is not given its stamp: the next one brings what the job wrote", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t0", NOON);
  const { done, goOn, begun } = slowJob(store, ann, undefined, NOON + 5);
  await begun;
  // By the wall it is later than the job's own time.
  const pull = await openPull(store, ann, null, null, NOON + 1_000);
  expect(pull.until).toBe(NOON + 4);
  goOn();
  const id = await done;
  const next = await openPull(store, ann, pull.until, null, NOON + 2_000);
  const rows = (await Array.fromAsync(pullRows(store, ann, "sync_tasks", next))).flat();
  expect(rows.map((row) => (JSON.parse(row) as { id: string }).id)).toEqual([id]);
  expect((await openPull(store, ann, next.until, null, NOON + MINUTE)).until).toBe(NOON + MINUTE);
});

test.each([
  ["a refusal", () => invalid("No.")],
  ["a bug", () => new TypeError("undefined is not a function")],
])(
  "%s after waiting takes nothing of the siblings, and nothing of its own stands",
  async (_name, makeError) => {
    const store = await openForTest();
    const ann = await accountFor(store);
    const error = makeError();
    const { done, goOn } = slowJob(store, ann, () => {
      throw error;
    });
    const sibling = createTask(store, ann, draft("sibling"), PHONE, NOON);
    goOn();
    expect(await done.catch((thrown: unknown) => thrown)).toEqual(error);
    expect(await titles(store, [(await sibling).id], ann)).toEqual(["sibling"]);
    expect(clientOf(store.reader).query("SELECT count(*) AS n FROM record").get()).toEqual({
      n: 1,
    });
  },
);

test("what is attempted or rehearsed may wait too: what is refused is undone, a rehearsal always", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const outcome = await store.transaction(ann, NOON, async (tx) => {
    const make = async (title: string) => {
      await edits.createTask(tx, draft(title), PHONE);
      return title;
    };
    await make("first");
    const refused = await tx.attempt(async () => {
      await make("refused");
      await Bun.sleep(1);
      throw invalid("No.");
    });
    const rehearsed = await tx.rehearse(async () => {
      await Bun.sleep(1);
      return make("rehearsed");
    });
    await make("last");
    return { refused, rehearsed };
  });
  expect(outcome.refused).toEqual({ done: false, refusal: invalid("No.") });
  expect(outcome.rehearsed).toEqual({ done: true, value: "rehearsed" });
  const stored = clientOf(store.reader).query("SELECT title FROM record ORDER BY title").all();
  expect(stored).toEqual([{ title: "first" }, { title: "last" }]);
});

test("the log is left alone while a job waits, and closing waits for the job", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { done, goOn, begun } = slowJob(store, ann);
  await begun;
  expect(store.writer.emptyLog(0)).toBeNull();
  let drained = false;
  const draining = store.writer.drain().then(() => (drained = true));
  await Bun.sleep(20);
  expect(drained).toBe(false);
  goOn();
  await draining;
  const id = await done;
  expect(await titles(store, [id], ann)).toEqual(["slow"]);
});
