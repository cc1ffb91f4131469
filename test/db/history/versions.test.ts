import { expect, test } from "bun:test";
import { undoKeys } from "../../../src/db/history/undo.ts";
import type { Step } from "../../../src/domain/history/event.ts";
import { listHistory } from "../../../src/db/history/history.ts";
import { formatInstant, HOUR, MINUTE } from "../../../src/domain/base/instant.ts";
import { listField } from "../../../src/domain/base/payload.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { annsRecords, historySizes } from "../../support/db/past.ts";
import { accountFor, BOT, PHONE } from "../../support/db/store.ts";
import {
  createFolder,
  createTask,
  fileTabs,
  patchTask,
  restoreDeleted,
  restoreVersion,
} from "../../support/rules.ts";

const DRAFT = { title: "Buy milk", tabs: [], notes: [] };
const patch = (title: string) => ({ patch: { title }, ifMatch: null });
const title = (step: Step | undefined) => step?.before?.payload["title"];

/** One line for a step: the minute, who did what to whose version, and the titles before and after. */
const summaryOf = ({ version, refused: isRefused, before, after }: Step): string => {
  const minute = (version.at - NOON) / MINUTE;
  const [by, wrote] = [version.byId ?? version.byKind, version.writerId ?? version.writerKind];
  const titles = `${before?.payload["title"]} ${isRefused ? "against" : "to"} ${after?.payload["title"]}`;
  return `${minute} ${version.loss} by ${by}, written by ${wrote}: ${titles}`;
};

test("History says for each change to a task who made it, whose version it replaced, and when", async () => {
  const { store, ann, now, device, past } = await annsRecords();
  const [phone, laptop] = [device("phone"), device("laptop")];
  const { id } = await createTask(store, ann, { ...DRAFT, title: "a" }, BOT, now());
  await phone.pull();
  await phone.push(id, { title: "b" });
  await patchTask(store, ann, id, patch("c"), PHONE, now());
  await laptop.push(id, { title: "old" }, { at: NOON });
  await patchTask(store, ann, id, patch("d"), BOT, now());
  await phone.push(id, { title: "d" }, { deleted_at: formatInstant(NOON) });
  await restoreDeleted(store, ann, "sync_tasks", id, now());
  await undoKeys(store, ann, { keyIds: ["key-1"], since: 0, upTo: 10 }, now());
  const [phoneId, laptopId] = [phone.sessionId, laptop.sessionId];
  expect((await past(id)).map(summaryOf)).toEqual([
    "9 undone by person, written by person: d to c",
    `8 restored by person, written by ${phoneId}: d to d`,
    `7 deleted by ${phoneId}, written by key-1: d to d`,
    "6 edited by key-1, written by session-1: c to d",
    `5 stale by session-1, written by ${laptopId}: old against c`,
    `4 edited by session-1, written by ${phoneId}: b to c`,
    `3 edited by ${phoneId}, written by key-1: a to b`,
    "1 made by key-1, written by null: undefined to a",
  ]);
});

test("A version that a device sends again and again is stored once, however it is refused", async () => {
  const { store, ann, device, past } = await annsRecords();
  const phone = device("phone");
  await phone.push("t1", { title: "new" });
  const stale = { at: NOON - HOUR };
  const ahead = { at: NOON + 10 * HOUR };
  for (const more of [stale, ahead, stale, ahead, stale])
    await phone.push("t1", { title: "x" }, more);
  await phone.push("t1", { title: "y" }, stale);
  const losses = (await past("t1")).map((step) => [step.version.loss, title(step)]);
  expect(losses).toEqual([
    ["stale", "y"],
    ["clamped", "x"],
    ["edited", "new"],
    ["stale", "x"],
  ]);
  const { counted, kept } = await historySizes(store, ann);
  expect(counted).toBe(kept);
});

test("A change that changes nothing adds no version: the same push, the same title, the same version", async () => {
  const { store, ann, now, device, past } = await annsRecords();
  const phone = device("phone");
  await phone.push("t1", { title: "a" }, { at: NOON });
  await phone.push("t1", { title: "b" }, { at: NOON + 1 });
  const [first] = await past("t1");
  const before = { steps: await past("t1"), sizes: await historySizes(store, ann) };
  await phone.push("t1", { title: "b" }, { at: NOON + 1 });
  await phone.push("t1", { title: "b" }, { at: NOON + 2 });
  await patchTask(store, ann, "t1", patch("b"), BOT, now());
  expect({ steps: await past("t1"), sizes: await historySizes(store, ann) }).toEqual(before);
  await restoreVersion(store, ann, first?.version.id ?? 0, now());
  const once = await past("t1");
  await restoreVersion(store, ann, first?.version.id ?? 0, now());
  expect([once.length, await past("t1")]).toEqual([2, once]);
});

test("An old version that is like the current one is not listed, but stored: the device may have edited it", async () => {
  const { store, ann, device, past } = await annsRecords();
  const phone = device("phone");
  await phone.push("t1", { title: "b" }, { at: NOON + 1 });
  const before = await historySizes(store, ann);
  await phone.push("t1", { title: "b" }, { at: NOON });
  expect(await past("t1")).toEqual([]);
  expect(await historySizes(store, ann)).not.toEqual(before);
});

test("History shows a task and a folder that a key created, but not those that a person created", async () => {
  const { store, ann, now, past } = await annsRecords();
  const folder = { name: "Home", colour: null };
  const made = {
    task: await createTask(store, ann, DRAFT, BOT, now()),
    folder: await createFolder(store, ann, folder, BOT, now()),
    own: await createTask(store, ann, DRAFT, PHONE, now()),
    ownFolder: await createFolder(store, ann, folder, PHONE, now()),
  };
  const losses = async (id: string, table?: "sync_projects") =>
    (await past(id, table)).map(({ version, before }) => [version.loss, before]);
  expect(await losses(made.task.id)).toEqual([["made", null]]);
  expect(await losses(made.folder.id, "sync_projects")).toEqual([["made", null]]);
  expect(await losses(made.own.id)).toEqual([]);
  expect(await losses(made.ownFolder.id, "sync_projects")).toEqual([]);
});

test("Filing a tab into a task of 2,000 tabs, or changing its title, costs a few hundred bytes", async () => {
  const { store, ann, now, device, past } = await annsRecords();
  const phone = device("phone");
  const pages = Array.from({ length: 2_000 }, (_, at) => ({ id: `p${at}`, url: `https://${at}/` }));
  await phone.push("t1", { title: "Read", pages });
  const sizes: number[] = [];
  const grown = async (act: () => Promise<unknown>): Promise<void> => {
    const before = (await historySizes(store, ann)).kept ?? 0;
    await act();
    sizes.push(((await historySizes(store, ann)).kept ?? 0) - before);
  };
  const tab = { url: "https://a.example/", title: "A" };
  await grown(() => fileTabs(store, ann, "t1", [tab], BOT, now()));
  await grown(() => patchTask(store, ann, "t1", patch("Read these"), BOT, now()));
  await grown(() => phone.push("t1", { title: "x", pages: pages.toSpliced(1_000, 1) }));
  // The push is merged, so what the phone sent is stored too.
  const [filing, renaming, merging = 0] = sizes;
  for (const size of [filing, renaming, merging / 2]) expect(size).toBeLessThan(700);
  expect(
    (await past("t1")).map(({ before }) => listField(before?.payload ?? {}, "pages").length),
  ).toEqual([2_001, 2_001, 2_000]);
});

test("Pages of a long history join without a gap, even while more happens", async () => {
  const { store, ann, now, past } = await annsRecords();
  const { id } = await createTask(store, ann, { ...DRAFT, title: "0" }, BOT, now());
  for (let at = 1; at <= 250; at += 1)
    await patchTask(store, ann, id, patch(String(at)), at % 2 === 0 ? BOT : PHONE, now());
  const titles: unknown[] = [];
  let after: number | null = null;
  do {
    const page = await listHistory(store, ann, "sync_tasks", id, { after, limit: 40 });
    titles.push(...page.steps.map(title));
    after = page.next;
    await patchTask(store, ann, id, patch("more"), BOT, now());
    await patchTask(store, ann, id, patch("and more"), BOT, now());
  } while (after !== null);
  expect(titles).toEqual([...Array.from({ length: 250 }, (_, at) => String(249 - at)), undefined]);
  expect((await past(id)).length).toBeGreaterThan(251);
});

test("A record that the account never had has no history, and neither has another account's", async () => {
  const { store, ann, now } = await annsRecords();
  const { id } = await createTask(store, ann, DRAFT, BOT, now());
  const bob = await accountFor(store, "bob@example.org");
  const page = { after: null, limit: 10 };
  for (const [account, one] of [
    [ann, "t9"],
    [bob, id],
  ] as const)
    expect(await refused(() => listHistory(store, account, "sync_tasks", one, page))).toEqual({
      reason: "not_found",
      message: "Task not found. It may have been deleted.",
      headers: {},
    });
});
