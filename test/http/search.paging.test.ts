import { expect, test } from "bun:test";
import type { Answer } from "../support/server.ts";
import { expectRefusal, newcomer, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

const search = (query: Record<string, string>, token: string): Promise<Answer> =>
  call("GET", `/tasks?${new URLSearchParams(query)}`, { token });

/** A person with `count` tasks that a search finds, by their title or by a note. */
const withTasks = async (count: number) => {
  const { session: token } = await newcomer(server);
  const ids: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    server.clock.advance(1_000);
    const body =
      at % 2 === 0 ? { title: `even ${at} rust` } : { title: `odd ${at}`, notes: ["rust"] };
    ids.push((await call("POST", "/tasks", { token, body })).json.id as string);
  }
  const pages = async (query: Record<string, string>, between = async (_page: number) => {}) => {
    const answers = [await search(query, token)];
    for (;;) {
      const cursor = answers.at(-1)?.json.next_cursor as string | null;
      if (cursor === null) return answers;
      await between(answers.length);
      answers.push(await search({ ...query, cursor }, token));
    }
  };
  return { token, ids, pages };
};

test("Pages of a search follow one another in order of rank, without gaps or repeats", async () => {
  const { pages } = await withTasks(7);
  const answers = await pages({ q: "rust", limit: "2" });
  expect(answers.map(titlesOf)).toEqual([
    ["even 6 rust", "even 4 rust"],
    ["even 2 rust", "odd 7"],
    ["odd 5", "odd 3"],
    ["odd 1"],
  ]);
  expect(new Set(answers.map(({ json }) => json.server_time as string)).size).toBe(1);
});

test("Nothing is lost from a search whose tasks change meanwhile: it comes with the next since", async () => {
  const { token, ids, pages } = await withTasks(8);
  const answers = await pages({ q: "rust", limit: "2" }, async (page) => {
    server.clock.advance(1_000);
    const body = page % 2 === 0 ? { title: `${page} now rust` } : { title: `${page} plain` };
    for (const at of [page - 1, 8 - page])
      await call("PATCH", `/tasks/${ids[at]}`, { token, body });
  });
  const since = answers[0]?.json.server_time as string;
  const shown = answers.flatMap(({ json }) => json.tasks as { id: string }[]).map(({ id }) => id);
  expect(shown).toHaveLength(new Set(shown).size);
  const later = (await search({ q: "rust", since }, token)).json.tasks as { id: string }[];
  const all = (await search({ q: "rust" }, token)).json.tasks as { id: string }[];
  const known = new Set([...shown, ...later.map(({ id }) => id)]);
  expect(all.every(({ id }) => known.has(id))).toBe(true);
});

const OTHER =
  "Query parameter cursor belongs to other filters. Send the filters it came with, or leave cursor out to start again.";
const NOT_OURS =
  "Query parameter cursor is not valid. Send the next_cursor of the previous page, or leave cursor out to start again.";

test("A search's cursor is bound to its words, and reveals nothing about the account", async () => {
  const one = await withTasks(3);
  const { next_cursor: cursor } = (await search({ q: "rust", limit: "1" }, one.token)).json;
  for (const other of [{}, { q: "rus" }, { q: "rust odd" }, { q: "rust", closed: "true" }])
    expectRefusal(await search({ ...other, cursor }, one.token), 422, OTHER);
  const two = await withTasks(2);
  expect(titlesOf(await search({ q: "rust", cursor }, two.token))).toEqual(["odd 1"]);
  const parts = JSON.parse(Buffer.from(cursor as string, "base64url").toString()) as unknown[];
  const forge = (tier: unknown) =>
    Buffer.from(JSON.stringify(parts.with(4, tier))).toString("base64url");
  for (const tier of [null, "0", 0.5, 1e300, []])
    expectRefusal(await search({ q: "rust", cursor: forge(tier) }, one.token), 422, NOT_OURS);
  expect(titlesOf(await search({ q: "rust", cursor: forge(-5) }, one.token))).toHaveLength(3);
  expect(titlesOf(await search({ q: "rust", cursor: forge(99) }, one.token))).toEqual([]);
});
