import { expect, test } from "bun:test";
import { newestVersion, undoKeys } from "../../../src/db/history/undo.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { annsRecords } from "../../support/db/past.ts";
import { BOT } from "../../support/db/store.ts";
import { fileTabs, restoreVersion } from "../../support/rules.ts";

const A = { url: "https://a.example/", title: "A" };
const B = { url: "https://b.example/", title: "B" };
const OWN = { id: "own-a", ...A };

/**
 * ann's phone, and her laptop, which has not pulled what she does on her page. `ids`: what the extension does
 * with the ids of tabs that it pushes.
 */
const world = async (acks = true, ids: Ids = "kept") => {
  const records = await annsRecords();
  const { store, ann, now, device, past, payload } = records;
  const [phone, laptop] = [device("phone"), device("laptop", acks)];
  const pages = async () => FORMS[ids](((await payload("t1"))["pages"] ?? []) as readonly Page[]);
  /** Restores the record to its state before the `nth` last change. */
  const restore = async (nth = 0) => {
    const step = (await past("t1"))[nth];
    return restoreVersion(store, ann, step?.version.id ?? 0, now());
  };
  const undo = async () => {
    const upTo = await newestVersion(store, ann);
    return undoKeys(store, ann, { keyIds: ["key-1"], since: 0, upTo }, now());
  };
  const file = (tab = B) => fileTabs(store, ann, "t1", [tab], BOT, now());
  return { ...records, phone, laptop, pages, restore, undo, file };
};

type Page = { readonly id?: string; readonly url: string; readonly title: string };
type Ids = "dropped" | "kept" | "rewritten";

/** When the device's person made the edit that it pushes: before the restore on the page, or after. */
const edited = (when: "after" | "before", early: Instant) =>
  when === "before" ? { at: early } : {};

/** If the device acks nothing, a tab without its id looks the same as one that was saved again. */
const maySaveAgain = (acks: string, ids: Ids): boolean => acks === "acks nothing" && ids !== "kept";

let count = 0;

const FORMS: Readonly<Record<Ids, (pages: readonly Page[]) => readonly Page[]>> = {
  kept: (pages) => pages,
  dropped: (pages) => pages.map(({ url, title }) => ({ url, title })),
  rewritten: (pages) => pages.map(({ url, title }) => ({ id: `own-${(count += 1)}`, url, title })),
};

const WAYS = [true, false].flatMap((acks) =>
  (["kept", "rewritten", "dropped"] as const).flatMap((ids) =>
    (["before", "after"] as const).map(
      (when) => [acks ? "acks" : "acks nothing", ids, when] as const,
    ),
  ),
);

test.each(WAYS)(
  "Restored tabs are not removed by a device that %s, has ids %s, and edited %s the restore",
  async (acks, ids, when) => {
    const { now, phone, laptop, pages, restore, file, tabs } = await world(acks === "acks", ids);
    await phone.push("t1", { title: "Read", pages: [OWN] });
    await file();
    await phone.pull();
    await phone.push("t1", { title: "Read", pages: await pages() });
    await phone.push("t1", { title: "Read", pages: [] });
    await laptop.pull();
    expect(await tabs("t1")).toEqual([]);
    const early = now();
    await restore();
    // Once it was away, a key's tab is recognised by its id only.
    const both = ["A: person", ids === "kept" ? "B: bot" : "B: person"];
    expect(await tabs("t1")).toEqual(both);
    expect(
      await laptop.push("t1", { title: "Read", mood: 1, pages: [] }, edited(when, early)),
    ).toMatchObject({
      applied: 1,
      [when === "before" ? "rejected" : "merged"]: [{ id: "t1" }],
    });
    expect(await tabs("t1")).toEqual(both);
  },
);

test.each(WAYS)(
  "Tabs that a restore removed are not brought back by a device that %s, has ids %s, and edited %s the restore",
  async (acks, ids, when) => {
    const { now, phone, laptop, pages, restore, file, tabs, payload } = await world(
      acks === "acks",
      ids,
    );
    await phone.push("t1", { title: "Read", pages: [] });
    await file();
    await phone.pull();
    await phone.push("t1", { title: "Read", pages: [OWN, ...(await pages())] });
    await laptop.pull();
    expect(await tabs("t1")).toEqual(["A: person", "B: bot"]);
    const stale = await pages();
    const early = now();
    await restore(1);
    expect(await tabs("t1")).toEqual([]);
    await laptop.push("t1", { title: "Read", mood: 1, pages: stale }, edited(when, early));
    const again = maySaveAgain(acks, ids) ? ["A: person", "B: person"] : [];
    expect([await tabs("t1"), (await payload("t1"))["mood"]]).toEqual([again, 1]);
  },
);

test.each(WAYS)(
  "Tabs whose filing was undone are not brought back by a device that %s, has ids %s, and edited %s the undo",
  async (acks, ids, when) => {
    const { now, phone, laptop, pages, undo, file, tabs } = await world(acks === "acks", ids);
    await phone.push("t1", { title: "Read", pages: [OWN] });
    await file();
    await file();
    await phone.pull();
    await phone.push("t1", { title: "Read", pages: await pages() });
    await laptop.pull();
    const stale = await pages();
    const early = now();
    await undo();
    expect(await tabs("t1")).toEqual(["A: person"]);
    await laptop.push("t1", { title: "Read", mood: 1, pages: stale }, edited(when, early));
    const again = maySaveAgain(acks, ids) ? ["B: person", "B: person"] : [];
    expect(await tabs("t1")).toEqual(["A: person", ...again]);
  },
);

test.each(WAYS)(
  "A person's tab with the URL of an undone one stays: the device %s, has ids %s, and edited %s the undo",
  async (acks, ids, when) => {
    const { now, phone, laptop, pages, undo, file, tabs } = await world(acks === "acks", ids);
    await phone.push("t1", { title: "Read", pages: [{ ...B, id: "own-b" }] });
    await file();
    await phone.pull();
    await phone.push("t1", { title: "Read", pages: (await pages()).toReversed() });
    await laptop.pull();
    const stale = await pages();
    const early = now();
    await undo();
    expect(await tabs("t1")).toHaveLength(1);
    await laptop.push("t1", { title: "Read", mood: 1, pages: stale }, edited(when, early));
    expect(await tabs("t1")).toHaveLength(maySaveAgain(acks, ids) ? 2 : 1);
  },
);

test("A tab that a device knowingly put back is not removed by a device that knows nothing of it", async () => {
  const { device, phone, laptop, restore, tabs } = await world();
  const tablet = device("tablet");
  await phone.push("t1", { title: "Read", pages: [] });
  await phone.push("t1", { title: "Read", pages: [OWN] });
  await laptop.pull();
  await tablet.pull();
  await restore();
  expect(await tabs("t1")).toEqual([]);
  await laptop.pull();
  await laptop.push("t1", { title: "Read", pages: [OWN] });
  expect(await tabs("t1")).toEqual(["A: person"]);
  await tablet.push("t1", { title: "Read", mood: 1, pages: [OWN] });
  expect(await tabs("t1")).toEqual(["A: person"]);
  // From here on only the devices matter: the newest push wins.
  await laptop.push("t1", { title: "Read", mood: 1, pages: [] });
  await tablet.push("t1", { title: "Read", mood: 2, pages: [OWN] });
  expect(await tabs("t1")).toEqual(["A: person"]);
});

test("A device that has pulled a restored tab can remove it again, if its person wants to", async () => {
  const { phone, laptop, restore, tabs, payload } = await world();
  await phone.push("t1", { title: "Read", status: "todo", pages: [OWN] });
  await phone.push("t1", { title: "Read it", status: "done", pages: [] });
  await laptop.pull();
  await restore();
  await laptop.pull();
  await laptop.push("t1", { title: "Read it", status: "done", pages: [] });
  expect([await tabs("t1"), await payload("t1")]).toEqual([
    [],
    { title: "Read it", status: "done", pages: [] },
  ]);
});

test("Restoring a version without a list removes the list, and it does not come back", async () => {
  const { phone, device, restore, file, tabs } = await world();
  await phone.push("t1", { title: "Read" });
  await file();
  await restore();
  expect(await tabs("t1")).toEqual([]);
  await device("old extension", false).push("t1", { title: "Read", mood: 1 });
  expect(await tabs("t1")).toEqual([]);
});

test("A tab whose id was rewritten since is not lost when it is restored under its first id", async () => {
  const { phone, laptop, pages, restore, file, tabs, payload } = await world(true, "rewritten");
  await phone.push("t1", { title: "Read", pages: [] });
  await file();
  await phone.pull();
  await phone.push("t1", { title: "Read", pages: await pages() });
  await laptop.pull();
  const held = { ...(await payload("t1")), mood: 1 };
  await restore();
  expect(await tabs("t1")).toEqual(["B: bot"]);
  await laptop.push("t1", held);
  expect(await tabs("t1")).toEqual(["B: bot"]);
});
