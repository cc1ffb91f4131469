import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { purgeAccount, shutAccount } from "../../src/db/people/deletion.ts";
import { scopeName } from "../../src/db/sqlite/search/follow.ts";
import type { Restriction } from "../../src/domain/people/restriction.ts";
import { withRestrictedKeys, RESTRICTIONS } from "../support/restrictions.ts";
import { change, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });

/** Every word in the index of a restriction. */
const wordsIn = (accountId: number, restriction: Restriction): readonly string[] => {
  const name = scopeName({ accountId, restriction });
  const index = new Database(join(server.store.directory, "search", `${name}.db`));
  try {
    index.run("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, row)");
    return index
      .query<{ term: string }, []>("SELECT term FROM temp.words")
      .all()
      .map(({ term }) => term);
  } finally {
    index.close();
  }
};

const found = async (token: string, word: string): Promise<readonly string[]> =>
  titlesOf(await server.call("GET", `/tasks?q=${word}`, { token }));

const later = { updated_at: "2026-03-04T12:00:05.000Z" };

const move = (task: string, project_id: string) => ({
  ...change("sync_tasks", task, { title: task, project_id }),
  ...later,
});

test("The index of a key that is kept to folders holds no word from outside them, also after a task has left", async () => {
  const { ann, some } = await withRestrictedKeys(server);
  expect(await found(some, "inside")).toEqual(["inside"]);
  expect(await found(some, "hidden")).toEqual([]);
  const { id } = ann.account;
  expect(wordsIn(id, RESTRICTIONS.folders)).toContain("inside");
  for (const word of ["hidden", "loose"])
    expect(wordsIn(id, RESTRICTIONS.folders)).not.toContain(word);
  const body = [move("inside", "home"), move("hidden", "work")];
  await server.call("POST", "/sync", { token: ann.session, body });
  expect(await found(some, "inside")).toEqual([]);
  expect(await found(some, "hidden")).toEqual(["hidden"]);
  expect(wordsIn(id, RESTRICTIONS.folders)).toContain("hidden");
  expect(wordsIn(id, RESTRICTIONS.folders)).not.toContain("inside");
});

test("The index of a key that is kept to the inbox holds the inbox alone", async () => {
  const { ann, boxed } = await withRestrictedKeys(server);
  expect(await found(boxed, "unsorted")).toEqual(["Agent unsorted"]);
  expect(await found(boxed, "hidden")).toEqual([]);
  expect(wordsIn(ann.account.id, RESTRICTIONS.inbox)).toContain("unsorted");
  for (const word of ["hidden", "inside", "loose"])
    expect(wordsIn(ann.account.id, RESTRICTIONS.inbox)).not.toContain(word);
});

test("A deleted account's indexes all go", async () => {
  const { ann, some, boxed } = await withRestrictedKeys(server);
  await found(some, "inside");
  await found(boxed, "inside");
  await found(ann.session, "inside");
  const own = () =>
    readdirSync(join(server.store.directory, "search")).filter((file) =>
      new RegExp(`^${ann.account.id}[-.]`).test(file),
    );
  expect(own().filter((file) => file.endsWith(".db"))).toHaveLength(3);
  await shutAccount(server.store, ann.account.id, server.clock.wall());
  await purgeAccount(server.store, ann.account.id);
  expect(own()).toEqual([]);
});
