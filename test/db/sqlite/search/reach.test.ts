import { expect, test } from "bun:test";
import { NOON } from "../../../support/server.ts";
import { finder, searchWorld } from "../../../support/db/search.ts";
import { accountFor, BOT, pushTask } from "../../../support/db/store.ts";
import { fileInbox } from "../../../support/rules.ts";

test("Nobody finds another account's tasks, even under the same id", async () => {
  const { store, device, find } = await searchWorld();
  const bob = await accountFor(store, "bob@example.org");
  await device("phone").push("t1", { title: "rust of ann" });
  await pushTask(store, bob, "t1", NOON, { title: "rust of bob" });
  await pushTask(store, bob, "t2", NOON, { title: "ann" });
  expect([await find("ann"), await find("bob"), await find("rust")]).toEqual([["t1"], [], ["t1"]]);
  const his = finder(store, bob);
  expect([await his("ann"), await his("bob"), await his("rust")]).toEqual([["t2"], ["t1"], ["t1"]]);
});

test("A key finds only what its restriction allows", async () => {
  const { store, ann, now, device, find } = await searchWorld();
  const phone = device("phone");
  await phone.push("in", { title: "rust", project_id: "p1" });
  await phone.push("out", { title: "rust", project_id: "p2" });
  await phone.push("none", { title: "rust" });
  const inbox = await fileInbox(
    store,
    ann,
    [{ url: "https://a.example/", title: "rust" }],
    BOT,
    now(),
  );
  expect(await find("rust")).toEqual(["none", "out", "in", inbox.id]);
  expect(await find("rust", {}, { kind: "folders", folders: ["p1", "p3"] })).toEqual(["in"]);
  expect(await find("rust", {}, { kind: "folders", folders: [] })).toEqual([]);
  expect(await find("rust", {}, { kind: "inbox" })).toEqual([inbox.id]);
});
