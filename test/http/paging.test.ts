import { expect, test } from "bun:test";
import type { Answer } from "../support/server.ts";
import { change, expectRefusal, newcomer, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const OTHER_FILTERS =
  "Query parameter cursor belongs to other filters. Send the filters it came with, or leave cursor out to start again.";
const NOT_OURS =
  "Query parameter cursor is not valid. Send the next_cursor of the previous page, or leave cursor out to start again.";

/** A person with `count` tasks, called 1 to `count`, the last of them the newest. */
const withTasks = async (count: number) => {
  const { session: token } = await newcomer(server);
  const ids: string[] = [];
  for (let n = 1; n <= count; n++) {
    server.clock.advance(1_000);
    const made = await call("POST", "/tasks", { token, body: { title: String(n) } });
    ids.push(made.json.id as string);
  }
  const list = (query: Record<string, string> = {}) =>
    call("GET", `/tasks?${new URLSearchParams(query)}`, { token });
  /** All pages that follow a first one of `query`, one after the other. */
  const pages = async (
    query: Record<string, string>,
    between: (page: number) => Promise<unknown>,
  ) => {
    const answers: Answer[] = [await list(query)];
    for (;;) {
      const cursor = answers.at(-1)?.json.next_cursor as string | null;
      if (cursor === null) return answers;
      await between(answers.length);
      answers.push(await list({ ...query, cursor }));
    }
  };
  const rename = async (n: number, title: string) => {
    server.clock.advance(1_000);
    await call("PATCH", `/tasks/${ids[n - 1]}`, { token, body: { title } });
  };
  return { token, ids, list, pages, rename };
};

const nothing = async () => {};

test("Pages follow one another without gaps or repeats", async () => {
  const { list, pages } = await withTasks(7);
  const answers = await pages({ limit: "3" }, nothing);
  expect(answers.map(titlesOf)).toEqual([["7", "6", "5"], ["4", "3", "2"], ["1"]]);
  expect((await pages({ limit: "7" }, nothing)).map(titlesOf)).toHaveLength(1);
  expect((await list({ limit: "200" })).json.tasks).toHaveLength(7);
});

test("Tasks of one commit are split between pages, each shown once", async () => {
  const { token, list, pages } = await withTasks(0);
  const titles = Array.from({ length: 10 }, (_, n) => String(n));
  const body = titles.map((title) => change("sync_tasks", `t${title}`, { title }));
  await call("POST", "/sync", { token, body });
  const shown = (await pages({ limit: "3" }, nothing)).flatMap(titlesOf);
  expect(shown).toEqual(titlesOf(await list()));
  expect(shown.toSorted()).toEqual(titles);
});

test("Without a limit, 50 tasks are shown", async () => {
  const { token, list } = await withTasks(0);
  const titles = Array.from({ length: 51 }, (_, n) => String(n));
  const body = titles.map((title) => change("sync_tasks", `t${title}`, { title }));
  await call("POST", "/sync", { token, body });
  const first = await list();
  expect(first.json.tasks).toHaveLength(50);
  const second = await list({ cursor: first.json.next_cursor as string });
  expect([titlesOf(second).length, second.json.next_cursor]).toEqual([1, null]);
});

test("Nothing is lost from a list that changes meanwhile: it comes with the next since", async () => {
  const { token, list, pages, rename } = await withTasks(9);
  const answers = await pages({ limit: "2" }, async (page) => {
    // Moves up a task that was not shown yet and one that was, and adds a new one.
    await rename(page, `${page} changed`);
    await rename(10 - page, `${10 - page} changed`);
    await call("POST", "/tasks", { token, body: { title: `new ${page}` } });
  });
  const times = new Set(answers.map(({ json }) => json.server_time as string));
  expect(times.size).toBe(1);
  const [since = ""] = times;
  const shown = answers.flatMap(titlesOf);
  expect(shown).toHaveLength(new Set(shown).size);
  const later = titlesOf(await list({ since }));
  const known = new Map<string, string>();
  for (const title of [...shown, ...later.toReversed()])
    known.set(title.split(" changed")[0] ?? "", title);
  expect([...known.values()].toSorted()).toEqual(titlesOf(await list()).toSorted());
});

test("The next since to send is server_time", async () => {
  const { token, list } = await withTasks(2);
  const since = (await list()).json.server_time as string;
  expect(titlesOf(await list({ since }))).toEqual([]);
  // Made in the same millisecond as that reply, and still not lost.
  await call("POST", "/tasks", { token, body: { title: "at once" } });
  expect(titlesOf(await list({ since }))).toEqual(["at once"]);
});

test("A cursor is bound to its filters", async () => {
  const { list } = await withTasks(3);
  const { next_cursor: cursor } = (await list({ limit: "1", created_by: "person" })).json;
  const others = [{}, { created_by: "agent" }, { created_by: "person", status: "todo" }];
  for (const filters of others)
    expectRefusal(await list({ ...filters, cursor }), 422, OTHER_FILTERS);
  const another = await list({ created_by: "person", limit: "2", cursor });
  expect(titlesOf(another)).toEqual(["2", "1"]);
});

test("A cursor reveals nothing about its account, and gives nobody another account's tasks", async () => {
  const ann = await withTasks(3);
  const bob = await withTasks(2);
  const { next_cursor: cursor } = (await ann.list({ limit: "1" })).json;
  expect(titlesOf(await bob.list({ cursor }))).toEqual([]);
  const { next_cursor: his } = (await bob.list({ limit: "1" })).json;
  expect(titlesOf(await ann.list({ cursor: his }))).toEqual(["3", "2", "1"]);
});

test("A cursor that was tampered with is refused, or is an ordinary position", async () => {
  const { list } = await withTasks(3);
  const { next_cursor: cursor } = (await list({ limit: "1" })).json;
  const parts = JSON.parse(Buffer.from(cursor as string, "base64url").toString()) as unknown[];
  const forge = (index: number, value: unknown): string =>
    Buffer.from(JSON.stringify(parts.with(index, value))).toString("base64url");
  for (const value of [1e300, -1e300, 1.5, 253402300800000, -62167219200001, null, "x", []]) {
    expectRefusal(await list({ cursor: forge(0, value) }), 422, NOT_OURS);
    expectRefusal(await list({ cursor: forge(2, value) }), 422, NOT_OURS);
  }
  for (const value of [5, null, {}])
    expectRefusal(await list({ cursor: forge(1, value) }), 422, NOT_OURS);
  expect((await list({ cursor: forge(1, "\ud800\0' --") })).status).toBe(200);
});
