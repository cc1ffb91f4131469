import { expect, onTestFinished, test } from "bun:test";
import { Refusal } from "../../../../src/domain/base/refusal.ts";
import { startSearcher } from "../../../../src/db/sqlite/search/searcher.ts";
import { listTasks } from "../../../../src/db/records/lists/task-list.ts";
import { MOST_LOOKED_AT } from "../../../../src/db/sqlite/search/query.ts";
import { readFilter } from "../../../../src/server/tasks/filter.ts";
import { pushChanges } from "../../../support/rules.ts";
import { NOON } from "../../../support/server.ts";
import { finder } from "../../../support/db/search.ts";
import { accountFor, openForTest, pushTask, recordOf } from "../../../support/db/store.ts";

const PAGE = { after: null, first: NOON, limit: 50 };

/** Collects the threads that are started during a test. */
const watchThreads = (): readonly Worker[] => {
  const threads: Worker[] = [];
  const Real = globalThis.Worker;
  globalThis.Worker = class extends Real {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      threads.push(this);
    }
  };
  onTestFinished(() => {
    globalThis.Worker = Real;
  });
  return threads;
};

test("The thread starts with the first search, and another takes the place of one that dies", async () => {
  const threads = watchThreads();
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON, { title: "rust" });
  expect(threads).toHaveLength(0);
  const find = finder(store, ann);
  expect(await find("rust")).toEqual(["t1"]);
  const asking = find("rust");
  threads[0]?.terminate();
  expect(await asking).toEqual(["t1"]);
  expect(threads).toHaveLength(2);
  threads[1]?.terminate();
  await Bun.sleep(50);
  expect(await find("rust")).toEqual(["t1"]);
});

test("A search whose threads keep dying is refused, and the next one is answered", async () => {
  const threads = watchThreads();
  const store = await openForTest();
  const ann = await accountFor(store);
  const find = finder(store, ann);
  const asking = find("rust").catch((error: unknown) => error);
  for (let n = 0; n < 2; n += 1) {
    while (threads.length <= n) await Bun.sleep(1);
    threads[n]?.terminate();
  }
  const refusal = (await asking) as Refusal;
  expect([refusal.reason, refusal.headers]).toEqual(["unavailable", { "retry-after": "5" }]);
  expect(await find("rust")).toEqual([]);
});

test("While an index is being prepared, a search is refused and told when to come back", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  for (let push = 0; push < 4; push += 1) {
    const tasks = Array.from({ length: 500 }, (_, at) =>
      recordOf(`t${push} ${at}`, NOON, { title: "rust", notes: ["many words ".repeat(50)] }),
    );
    await pushChanges(store, ann, null, tasks, NOON);
  }
  const searcher = startSearcher(store.directory, 1);
  const asked = {
    accountId: ann,
    restriction: null,
    filter: readFilter({ q: "rust" }),
    page: PAGE,
  };
  const refusal = (await searcher.search(asked).catch((error: unknown) => error)) as Refusal;
  expect(refusal).toBeInstanceOf(Refusal);
  expect([refusal.reason, refusal.headers]).toEqual(["unavailable", { "retry-after": "5" }]);
  expect(refusal.message).toContain("is being prepared");
  await searcher.close();
  expect(await finder(store, ann)("rust")).toHaveLength(200);
});

test("A search of many tasks leaves out those that changed first, and says so", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const few = { title: "rust first", project_id: "p1" };
  await pushChanges(store, ann, null, [recordOf("first", NOON, few)], NOON);
  for (let at = 0; at < MOST_LOOKED_AT; at += 500) {
    const tasks = Array.from({ length: 500 }, (_, one) =>
      recordOf(`t${at + one}`, NOON, { title: "rust" }),
    );
    await pushChanges(store, ann, null, tasks, NOON);
  }
  const ask = async (query: object, restriction: Parameters<typeof listTasks>[2] = null) => {
    const { rows, partial } = await listTasks(
      store,
      ann,
      restriction,
      readFilter(query),
      PAGE,
      NOON,
    );
    return [rows.length, partial];
  };
  // It may take a while until the index has read them.
  for (;;) {
    const answer = await ask({ q: "rust" }).catch((error: unknown) => error);
    if (!(answer instanceof Refusal)) break;
  }
  expect(await ask({ q: "rust" })).toEqual([50, true]);
  expect(await ask({ q: "first" })).toEqual([1, false]);
  expect(await ask({ q: "rust first" })).toEqual([1, false]);
  // What a key may not see takes nothing away from what it may see, and does not show.
  expect(await ask({ q: "rust" }, { kind: "folders", folders: ["p1"] })).toEqual([1, false]);
  expect(await ask({ q: "rust" }, { kind: "inbox" })).toEqual([0, false]);
  expect(await ask({ q: "rust", project_id: "p1" })).toEqual([1, false]);
});

test("A search that takes long lets every other call go on", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const note = "\u6771".repeat(20_000);
  for (let at = 0; at < 6; at += 1)
    await pushTask(store, ann, `t${at}`, NOON + at, {
      title: "t",
      notes: [note, note, note, note, note],
    });
  const find = finder(store, ann);
  await find("t").catch(() => {});
  const state = { answered: false };
  const searching = find("\u6771".repeat(24)).finally(() => {
    state.answered = true;
  });
  let lists = 0;
  while (!state.answered) {
    await listTasks(store, ann, null, readFilter({}), PAGE, NOON);
    lists += 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect((await searching).length).toBeGreaterThan(0);
  expect(lists).toBeGreaterThan(20);
});
