import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { purgeAccount, shutAccount } from "../../src/db/people/deletion.ts";
import { indexFile } from "../../src/db/sqlite/search/index-file.ts";
import { watchIndex } from "../support/db/search.ts";
import { withRestrictedKeys } from "../support/restrictions.ts";
import { change, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });

const found = async (token: string, word: string): Promise<readonly string[]> =>
  titlesOf(await server.call("GET", `/tasks?q=${word}`, { token }));

const later = { updated_at: "2026-03-04T12:00:05.000Z" };

const move = (task: string, project_id: string) => ({
  ...change("sync_tasks", task, { title: task, project_id }),
  ...later,
});

test("A key that is kept to folders finds nothing outside them, also after a task has left", async () => {
  const { ann, some } = await withRestrictedKeys(server);
  expect(await found(some, "inside")).toEqual(["inside"]);
  for (const word of ["hidden", "loose"]) expect(await found(some, word)).toEqual([]);
  const body = [move("inside", "home"), move("hidden", "work")];
  await server.call("POST", "/sync", { token: ann.session, body });
  expect(await found(some, "inside")).toEqual([]);
  expect(await found(some, "hidden")).toEqual(["hidden"]);
});

test("A key that is kept to the inbox finds the inbox alone", async () => {
  const { boxed } = await withRestrictedKeys(server);
  expect(await found(boxed, "unsorted")).toEqual(["Agent unsorted"]);
  for (const word of ["hidden", "inside", "loose"]) expect(await found(boxed, word)).toEqual([]);
});

embeddedTest(
  "The index goes with a deleted account, and is made again for the others",
  async () => {
    const { ann, some } = await withRestrictedKeys(server);
    const { ann: bob } = await withRestrictedKeys(server);
    await found(some, "inside");
    using there = watchIndex(server.store.directory);
    await shutAccount(server.store, ann.account.id, server.clock.wall());
    await purgeAccount(server.store, ann.account.id);
    expect(there.isGone()).toBe(true);
    expect(await found(bob.session, "inside")).toEqual(["inside"]);
    const index = new Database(indexFile(server.store.directory));
    const accounts = index.query("SELECT DISTINCT account FROM task").values().flat();
    index.close();
    // The thread may still have been at what another test has stored.
    expect(accounts).toContain(bob.account.id);
    expect(accounts).not.toContain(ann.account.id);
  },
);
