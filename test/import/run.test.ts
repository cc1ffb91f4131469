import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { basename, join } from "node:path";
import { previewImport, runImport, type ToImport } from "../../src/db/imports/run.ts";
import { undoImport } from "../../src/db/imports/undo.ts";
import type { Store } from "../../src/db/store.ts";
import { readImport } from "../../src/import/read.ts";
import { NOON } from "../support/server.ts";
import { accountFor, ask, openForTest, type TestStore } from "../support/db/store.ts";
import { heldBy } from "../support/import/held.ts";

const FILES = join(import.meta.dir, "files");
const EXPECTED = ".expected.json";
const paths = [...new Glob("**/*").scanSync(FILES)]
  .filter((path) => !path.endsWith(EXPECTED) && !path.startsWith("unrecognised"))
  .toSorted();

const clock = () => NOON;

const fileAt = (path: string): ToImport => planned(basename(path), readFileSync(join(FILES, path)));

const planned = (name: string, bytes: Uint8Array): ToImport => {
  const read = readImport(name, bytes);
  if ("error" in read) throw new Error(`${name}: ${read.error}`);
  const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return { name, format: read.format, digest, leftOut: read.skipped, tasks: read.tasks };
};

const text = (name: string, words: string): ToImport => planned(name, Buffer.from(words));

const start = async (): Promise<{ store: TestStore; account: number }> => {
  const store = await openForTest();
  return { store, account: await accountFor(store) };
};

const NOTHING = { folders: 0, tasks: 0, tabs: 0, notes: 0 };

test.each(paths)("%s is held as expected, and a second time makes nothing", async (path) => {
  const { store, account } = await start();
  const expected = await Bun.file(join(FILES, path.replace(/\.\w+$/, EXPECTED))).json();
  const file = fileAt(path);
  const { bytes: _, known, ...preview } = await previewImport(store, account, file);
  await runImport(store, account, file, clock);
  const held = heldBy(store.directory);
  const placeOf = ({ folder }: { folder: string }): number =>
    held.folders.findIndex(({ name }) => name === folder);
  const tasks = expected.tasks.toSorted(
    (a: { folder: string }, b: { folder: string }) => placeOf(a) - placeOf(b),
  );
  expect(held).toEqual({ folders: expected.folders, tasks });
  const { skipped: __, ...counts } = expected.counts;
  expect({ ...preview, known }).toEqual({ ...counts, known: 0 });
  expect(await previewImport(store, account, file)).toMatchObject({
    ...NOTHING,
    known: file.tasks.length,
  });
  await runImport(store, account, file, clock);
  expect(heldBy(store.directory)).toEqual(held);
});

/** All that is live, byte for byte, and in which folders. */
const digest = (store: TestStore): unknown =>
  ask(store.directory, "SELECT tbl, id, payload FROM record WHERE live = 1 ORDER BY tbl, id");

const LIST = "https://a.example/ | A\nhttps://b.example/ | B\n\nhttps://c.example/ | C\n";

test("An import is taken back, and what it added to others, except what was changed since", async () => {
  const { store, account } = await start();
  await runImport(store, account, text("one.txt", LIST), clock);
  const before = digest(store);
  const longer = `${LIST.replace("B\n", "B\nhttps://d.example/ | D\n")}\nhttps://e.example/ | E\n`;
  const second = await runImport(store, account, text("two.txt", longer), clock);
  expect(heldBy(store.directory).tasks.map(({ tabs }) => tabs.map(({ title }) => title))).toEqual([
    ["A", "B", "D"],
    ["C"],
    ["E"],
  ]);
  expect(await undoImport(store, account, second, clock)).toEqual({
    folders: 0,
    tasks: 1,
    shortened: 1,
    kept: [],
  });
  expect(digest(store)).toEqual(before);
});

test("What somebody has changed since stays, and is named; what they deleted is made again", async () => {
  const { store, account } = await start();
  const id = await runImport(store, account, text("one.txt", LIST), clock);
  await rename(store, account, "C", "Mine");
  expect(await undoImport(store, account, id, clock)).toMatchObject({
    folders: 0,
    tasks: 1,
    kept: ["Mine", "OneTab"],
  });
  await runImport(store, account, text("one.txt", LIST), clock);
  expect(heldBy(store.directory).tasks.map(({ title }) => title)).toEqual(["Mine", "A (+1)"]);
});

const rename = async (store: Store, account: number, from: string, to: string): Promise<void> => {
  const { patchTask } = await import("../../src/db/records/edits.ts");
  const { SOMEONE } = await import("../../src/domain/people/account.ts");
  await store.transaction(account, NOON + 1_000, async (tx) => {
    const row = ask<{ id: string }>(
      (store as TestStore).directory,
      "SELECT id FROM record WHERE title = ?",
      from,
    )[0];
    const change = { patch: { title: to }, ifMatch: null };
    await patchTask(tx, row?.id ?? "", change, { ...SOMEONE, restriction: null });
  });
};

const list = (count: number): string =>
  Array.from({ length: count }, (_, at) => `https://a.example/${at} | ${at}`).join("\n");

test("More than a task may hold goes on in others, and a longer file fills them up", async () => {
  const { store, account } = await start();
  await runImport(store, account, text("one.txt", list(1_200)), clock);
  const shape = () =>
    heldBy(store.directory).tasks.map(({ title, tabs }) => [title, tabs.length] as const);
  expect(shape()).toEqual([
    ["0 (+1199)", 500],
    ["0 (+1199) (2)", 500],
    ["0 (+1199) (3)", 200],
  ]);
  await runImport(store, account, text("two.txt", list(1_600)), clock);
  expect(shape().map(([, tabs]) => tabs)).toEqual([500, 500, 500, 100]);
});

test("An account without room for a file gets none of it", async () => {
  const store = await openForTest({ quota: 20_000 });
  const account = await accountFor(store);
  const links = Array.from({ length: 200 }, (_, at) => `https://a.example/${at} | ${at}\n\n`);
  const run = runImport(store, account, text("one.txt", links.join("")), clock);
  expect(run).rejects.toThrow("This account may take up");
  await run.catch(() => {});
  expect(heldBy(store.directory)).toEqual({ folders: [], tasks: [] });
});
