import { expect, test } from "bun:test";
import { runImport } from "../../src/db/imports/run.ts";
import { previewDocket, runDocket } from "../../src/db/imports/docket.ts";
import { exportJson, exportTasks } from "../../src/db/records/export.ts";
import { createTask } from "../../src/db/records/edits.ts";
import { createFolder } from "../../src/db/records/folders.ts";
import { SOMEONE } from "../../src/domain/people/account.ts";
import { EXPORT_FORMATS, writeSafeCsv } from "../../src/export/formats.ts";
import { readDocket } from "../../src/import/docket.ts";
import { readImport } from "../../src/import/read.ts";
import { NOON } from "../support/server.ts";
import { accountFor, ask, BOT, openForTest, type TestStore } from "../support/db/store.ts";
import { pushChanges } from "../support/rules.ts";

const ANN = { ...SOMEONE, restriction: null };
const clock = () => NOON;
const ALL = { folderId: null, taskId: null };

const textOf = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
};

const pushed = (store: TestStore, account: number, changes: readonly unknown[], now = NOON) =>
  pushChanges(store, account, null, changes, now);

/** An account with what people, keys and devices store, odd things too. */
const filled = async (): Promise<{ store: TestStore; account: number }> => {
  const store = await openForTest();
  const account = await accountFor(store);
  const make = (title: string, fields = {}, editor: typeof ANN | typeof BOT = ANN) =>
    store.transaction(account, NOON, (tx) =>
      createTask(tx, { title, tabs: [], notes: [], ...fields }, editor),
    );
  const folder = await store.transaction(account, NOON, (tx) =>
    createFolder(tx, { name: "Garden / Trees", colour: "green" }, ANN),
  );
  const inside = { folder: folder.id };
  await make("Plant [two] *oaks* & <one> elm", {
    ...inside,
    position: "a0",
    due: "2026-04-01",
    tags: ["spring", "p1"],
    tabs: [
      { url: 'https://oak.example/a_(b)?x=1&y="2"', title: 'Oak | the [tree], "big"' },
      { url: "https://elm.example/", title: null },
    ],
    notes: ["First line\nsecond line", "=1+1"],
  });
  await make("Prune", { ...inside, position: "a1", status: "done", notes: ["Only\nwords"] });
  await make('Loose, "quoted"', { tabs: [{ url: "https://loose.example/", title: "Loose" }] });
  await make("Filed by an agent", { tabs: [{ url: "https://bot.example/", title: "B" }] }, BOT);
  await pushed(store, account, [
    {
      table: "sync_tasks",
      id: "odd",
      updated_at: "2026-03-04T11:00:00.5Z",
      deleted_at: null,
      payload: { title: 7, pages: "none", mark: { deep: [1, null, "é"] } },
    },
    {
      table: "sync_tasks",
      id: "gone",
      updated_at: "2026-03-04T11:00:00Z",
      deleted_at: "2026-03-04T11:00:00Z",
      payload: {},
    },
  ]);
  return { store, account };
};

const ownExport = (store: TestStore, account: number, withDeleted: boolean): Promise<string> =>
  textOf(exportJson(store, account, {}, { withDeleted }));

const recordsIn = (text: string) => {
  const read = readDocket(Buffer.from(text));
  if (!read || "error" in read) throw new Error("The export cannot be read.");
  return read;
};

const marks = (one: TestStore) =>
  ask(
    one.directory,
    "SELECT id, created_by, created_by_key FROM record WHERE live = 1 ORDER BY id",
  );

test.each([true, false])(
  "Docket's own export comes back as it was, deleted or not: %p",
  async (all) => {
    const { store, account } = await filled();
    const text = await ownExport(store, account, all);
    const { records, leftOut } = recordsIn(text);
    expect(leftOut).toEqual([]);
    const file = { name: "a.json", format: "docket", digest: "1", leftOut: [], records };
    await runDocket(store, account, file, clock);
    expect(await ownExport(store, account, all)).toBe(text);
    const other = await openForTest();
    const bob = await accountFor(other, "bob@example.org");
    await runDocket(other, bob, file, clock);
    expect(await ownExport(other, bob, all)).toBe(text);
    expect(marks(other)).toEqual(marks(store));
  },
);

test("A made-up export can hold no more than a push could, and nothing of another account", async () => {
  const payload = { title: "t" };
  const at = "2026-03-04T11:00:00Z";
  const text = JSON.stringify({
    format: "docket.export/1",
    records: {
      sync_tasks: [
        {
          id: "good",
          updated_at: at,
          payload,
          created_by: "agent",
          created_by_key: "x".repeat(300),
        },
        { id: "..", updated_at: at, payload },
        { id: "late", updated_at: "soon", payload },
        { id: "flat", updated_at: at, payload: 1 },
        { id: "large", updated_at: at, payload: { title: "x".repeat(1_100_000) } },
        {
          id: "marks",
          updated_at: at,
          payload,
          filed: [{ list: "pages", id: 1 }, "x"],
          account_id: 2,
        },
        7,
      ],
    },
  });
  const { records, leftOut } = recordsIn(text);
  expect(records.map(({ change }) => change.id)).toEqual(["good", "marks"]);
  expect(records[0]?.author).toEqual({ created_by: "agent", created_by_key: null });
  expect(records[1]?.filed).toEqual([]);
  expect(leftOut).toHaveLength(4);
});

test("What was deleted since an export comes back; what was changed since stays", async () => {
  const { store, account } = await filled();
  const { records } = recordsIn(await ownExport(store, account, false));
  const file = { name: "a.json", format: "docket", digest: "1", leftOut: [], records };
  const idOf = (title: string): string =>
    ask<{ id: string }>(store.directory, "SELECT id FROM record WHERE title = ?", title)[0]?.id ??
    "";
  const [prune, agent] = [idOf("Prune"), idOf("Filed by an agent")];
  await pushed(store, account, [
    {
      table: "sync_tasks",
      id: prune,
      updated_at: "2026-03-04T13:00:00Z",
      deleted_at: "2026-03-04T13:00:00Z",
      payload: {},
    },
    {
      table: "sync_tasks",
      id: agent,
      updated_at: "2026-03-04T13:00:00Z",
      deleted_at: null,
      payload: { title: "Mine now" },
    },
  ]);
  await runDocket(store, account, file, () => NOON + 7_200_000);
  const titles = ask<{ title: string }>(
    store.directory,
    "SELECT title FROM record WHERE live = 1 AND tbl = 'sync_tasks'",
  ).map(({ title }) => title);
  expect(titles).toContain("Prune");
  expect(titles).toContain("Mine now");
  expect(titles).not.toContain("Filed by an agent");
});

type Shape = readonly (readonly [title: string, tabs: string[][]])[];

/** What formats of other tools keep: titles, tabs and their order. */
const shapeOf = async (store: TestStore, account: number): Promise<Shape> => {
  const tasks: [string, string[][]][] = [];
  for await (const { title, tabs } of exportTasks(store, account, ALL))
    if (tabs.length > 0) tasks.push([title, tabs.map((tab) => [tab.url, tab.title])]);
  return tasks.toSorted();
};

test.each(Object.keys(EXPORT_FORMATS).filter((name) => name !== "todotxt"))(
  "%s comes back with the same titles, tabs and order",
  async (name) => {
    const { store, account } = await filled();
    const write = EXPORT_FORMATS[name]?.write;
    if (!write) throw new Error(name);
    const text = await textOf(write(exportTasks(store, account, ALL)));
    const read = readImport(`docket.${EXPORT_FORMATS[name]?.ending}`, Buffer.from(text));
    if ("error" in read) throw new Error(read.error);
    const other = await openForTest();
    const bob = await accountFor(other, "bob@example.org");
    const { format, tasks } = read;
    await runImport(other, bob, { name, format, digest: "1", leftOut: [], tasks }, clock);
    const before = await shapeOf(store, account);
    const after = await shapeOf(other, bob);
    if (name === "onetab")
      expect(after.map(([, tabs]) => tabs).toSorted()).toEqual(plainTitles(before));
    else if (name === "html") expect(after).toEqual(withoutQuotes(before));
    else expect(after).toEqual(before);
  },
);

test("An export with history comes back with that: what was replaced, refused and made by keys", async () => {
  const { store, account } = await filled();
  const push = (updated_at: string, payload: object, now: number) =>
    pushed(store, account, [{ table: "sync_tasks", id: "odd", updated_at, payload }], now);
  await push(
    "2026-03-04T12:00:01Z",
    { title: "Two", pages: [{ id: "1", url: "https://1.example/" }] },
    NOON + 1_000,
  );
  await push("2026-03-04T11:30:00Z", { title: "Refused" }, NOON + 2_000);
  await push("2027-03-04T11:30:00Z", { title: "Clamped", pages: [] }, NOON + 3_000);
  const text = await textOf(
    exportJson(store, account, {}, { withDeleted: true, withHistory: true }),
  );
  expect(text).toContain('"loss":"stale"');
  expect(text).toContain('"loss":"clamped"');
  expect(text).toContain('"by":"api_key"');
  const { records, leftOut } = recordsIn(text);
  expect(leftOut).toEqual([]);
  const other = await openForTest();
  const bob = await accountFor(other, "bob@example.org");
  const file = { name: "a.json", format: "docket", digest: "1", leftOut: [], records };
  expect((await previewDocket(other, bob, file)).bytes).toBeGreaterThan(0);
  await runDocket(other, bob, file, clock);
  expect(await textOf(exportJson(other, bob, {}, { withDeleted: true, withHistory: true }))).toBe(
    text,
  );
});

/** How many versions of a record are taken over. */
const historyOf = (...history: readonly object[]) => {
  const record = { id: "1", updated_at: "2026-03-04T11:00:00Z", payload: {}, history };
  const text = JSON.stringify({ format: "docket.export/1", records: { sync_tasks: [record] } });
  return recordsIn(text).records[0]?.history.length;
};

test("A history made by hand is taken over as far as somebody could have written it", () => {
  const version = {
    at: "2026-03-04T11:00:00.000Z",
    loss: "edited",
    updated_at: "2026-03-04T10:00:00Z",
    deleted_at: null,
    difference: { set: { title: "Before" } },
  };
  expect(historyOf(version, version)).toBe(2);
  for (const wrong of [
    { at: "yesterday" },
    { loss: "gone" },
    { updated_at: 7 },
    { deleted_at: "never" },
    { difference: { set: [] } },
    { difference: { unset: [1] } },
    { difference: { splice: { pages: { at: -1, remove: 0, items: [] } } } },
    { difference: { splice: { pages: { at: 0, remove: 0, items: {} } } } },
  ])
    // The versions before it are differences from it.
    expect(historyOf(version, { ...version, ...wrong }, version)).toBe(1);
});

/** OneTab's list keeps no titles of tasks, and no ` | ` in those of tabs. */
const plainTitles = (tasks: Shape) =>
  tasks
    .map(([, tabs]) => tabs.map(([url = "", title = ""]) => [url, title.replaceAll(" | ", " ")]))
    .toSorted();

/** A quote in an address ends an attribute, so it is written as `%22`. */
const withoutQuotes = (tasks: Shape): Shape =>
  tasks.map(([title, tabs]) => [
    title,
    tabs.map(([url = "", own = ""]) => [url.replaceAll('"', "%22"), own]),
  ]);

test("A table for spreadsheets holds no formulas, and one for programs the cells as they are", async () => {
  const { store, account } = await filled();
  await store.transaction(account, NOON, (tx) =>
    createTask(tx, { title: "=HYPERLINK(1)", tabs: [], notes: [] }, ANN),
  );
  const plain = await textOf(EXPORT_FORMATS["csv"]!.write(exportTasks(store, account, ALL)));
  const safe = await textOf(writeSafeCsv(exportTasks(store, account, ALL)));
  expect(plain).toContain(",=HYPERLINK(1),");
  expect(safe).toContain(",'=HYPERLINK(1),");
});
