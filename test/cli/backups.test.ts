import { expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY, formatInstant } from "../../src/domain/base/instant.ts";
import { nameOfCopy } from "../../src/db/copies.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { NOON, testDirectory } from "../support/server.ts";
import { accountFor, ask, openForTest, pushTask } from "../support/db/store.ts";

/** Data of ann with two tasks, a daily copy with one of them, and one from two days before with none. */
const world = async () => {
  const directory = testDirectory();
  const backups = join(directory, "backups");
  mkdirSync(backups);
  const docket = (...words: readonly string[]) => run(DOCKET, [...words, "--data", directory]);
  const copyOn = async (at: number): Promise<string> => {
    const name = nameOfCopy("daily", at);
    expect((await docket("backup", join(backups, name))).code).toBe(0);
    return name;
  };
  const store = await openForTest({ directory });
  const ann = await accountFor(store);
  const older = await copyOn(NOON - 2 * DAY);
  await pushTask(store, ann, "t1", NOON);
  const newer = await copyOn(NOON);
  await pushTask(store, ann, "t2", NOON + 60_000);
  await store.close();
  return { directory, backups, docket, older, newer };
};

const tasksIn = (directory: string) =>
  ask<{ id: string }>(directory, "SELECT id FROM record WHERE tbl = 'sync_tasks'").length;

test("the copies are listed, newest first, and files of other names are not among them", async () => {
  const { backups, docket, older, newer } = await world();
  writeFileSync(join(backups, "daily-of-mine.db"), "");
  copyFileSync(join(backups, older), join(backups, nameOfCopy("before-restore", NOON - DAY)));
  const { out, code } = await docket("backups", "list", "--json");
  const made = (at: number, because: string) => ({
    made: formatInstant(at),
    because,
    directory: backups,
    bytes: expect.any(Number),
  });
  expect([code, JSON.parse(out)]).toEqual([
    0,
    [
      { name: newer, ...made(NOON, "daily") },
      { name: nameOfCopy("before-restore", NOON - DAY), ...made(NOON - DAY, "before a restore") },
      { name: older, ...made(NOON - 2 * DAY, "daily") },
    ],
  ]);
  expect((await docket("backups", "list")).out).toStartWith("NAME");
});

test.each([
  ["by its name", ({ older }: { older: string }) => older, 0],
  ["by its name alone", ({ newer }: { newer: string }) => newer.replace(".db", ""), 1],
  ["by a day", () => "2026-03-03", 0],
  ["by the day on which it was made", () => "2026-03-04", 1],
  ["by a time", () => "2026-03-04T11:59:00Z", 0],
])("a copy is restored %s", async (_name, word, tasks) => {
  const made = await world();
  const { code, err } = await made.docket("restore", word(made), "--yes");
  expect([code, tasksIn(made.directory)]).toEqual([0, tasks]);
  expect(err).toContain("Restored the backup.");
});

test("what is no copy, and no time from which there is one, is not restored", async () => {
  const { directory, docket } = await world();
  for (const word of ["2026-03-01", "daily-2026.db"]) {
    const { code, err } = await docket("restore", word, "--yes");
    expect([code, tasksIn(directory)]).toEqual([1, 2]);
    expect(err).toContain("There is no file");
  }
});

test("each copy is checked, and a damaged one is named", async () => {
  const { backups, docket, older, newer } = await world();
  expect(await docket("backups", "verify")).toEqual({
    code: 0,
    out:
      `${newer}: sound, 1 account, 1 task, newest change 2026-03-04T12:00:00.000Z\n` +
      `${older}: sound, 1 account, 0 tasks, no change yet\n`,
    err: "",
  });
  const bytes = await Bun.file(join(backups, older)).bytes();
  await Bun.write(join(backups, older), bytes.fill(7, 40_000, 60_000));
  const { code, out } = await docket("backups", "verify");
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`${newer}: sound, .*\n${older}: .*damaged`));
  expect((await docket("backups", "verify", newer)).code).toBe(0);
});

test("those that are not kept are removed, and no others", async () => {
  const { backups, docket, older, newer } = await world();
  const days = Array.from({ length: 20 }, (_, day) => nameOfCopy("daily", NOON + (day + 1) * DAY));
  for (const name of [...days, "my-own.db"])
    copyFileSync(join(backups, newer), join(backups, name));
  const { code, out } = await docket("backups", "prune");
  expect(code).toBe(0);
  const left = readdirSync(backups);
  expect(left).toContain("my-own.db");
  expect(left).toContain(days.at(-1) ?? "");
  expect(out.trim().split("\n")).toEqual(
    [older, newer, ...days].filter((name) => !left.includes(name)).toReversed(),
  );
  // Seven days, two more Sundays, and none more: the last of a month is one of them.
  expect(left).toHaveLength(10);
  expect((await docket("backups", "prune")).err).toBe("Nothing was removed.\n");
});

test("a drill restores the newest copy beside the data, says how long that took, and leaves nothing", async () => {
  const { directory, docket, newer, older } = await world();
  mkdirSync(join(directory, "drill-999999999"));
  const { code, out, err } = await docket("drill");
  expect(code).toBe(0);
  expect(out).toMatch(
    new RegExp(
      `^${newer} can be restored, in \\d+\\.\\d s: 1 account, 1 task, newest change 2026-03-04T12:00:00.000Z.\n$`,
    ),
  );
  expect(err).toMatch(
    /^\d+ tables were compared row by row, and are equal\. The data were not touched\.\n$/,
  );
  expect((await docket("drill", older)).out).toContain("0 tasks");
  expect(readdirSync(directory).filter((name) => name.startsWith("drill"))).toEqual([]);
  expect([tasksIn(directory), existsSync(join(directory, "docket.db"))]).toEqual([2, true]);
});

test("a drill of a damaged copy fails, and leaves nothing", async () => {
  const { directory, backups, docket, newer } = await world();
  const bytes = await Bun.file(join(backups, newer)).bytes();
  await Bun.write(join(backups, newer), bytes.fill(7, 40_000, 60_000));
  const { code, err } = await docket("drill");
  expect([code, err]).toEqual([1, expect.stringContaining("damaged")]);
  expect(readdirSync(directory).filter((name) => name.startsWith("drill"))).toEqual([]);
});

test("without a copy, a drill says what to do", async () => {
  const directory = testDirectory();
  await (await openForTest({ directory })).close();
  expect(await run(DOCKET, ["drill", "--data", directory])).toEqual({
    code: 1,
    out: "",
    err: "docket: There is no copy to try yet. A server makes one every day; `docket backup FILE` makes one now.\n",
  });
});
