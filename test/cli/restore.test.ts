import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { plainEnvironment, run } from "../support/program.ts";
import { NOON, testDirectory } from "../support/server.ts";
import { accountFor, databaseFile, openForTest, pushTask } from "../support/db/store.ts";

/** Data of ann with two tasks, and a backup from when she had one. */
const world = async () => {
  const directory = testDirectory();
  const store = await openForTest({ directory });
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const backup = join(testDirectory(), "copy.db");
  const docket = (...words: readonly string[]) => run(DOCKET, [...words, "--data", directory]);
  expect((await docket("backup", backup)).code).toBe(0);
  await pushTask(store, ann, "t2", NOON + 60_000);
  await store.close();
  const says =
    `This replaces the data in ${directory}, and keeps them under backups/ there.\n` +
    "  Now:    1 account, 2 tasks, newest change 2026-03-04T12:01:00.000Z\n" +
    `  Backup: 1 account, 1 task, newest change 2026-03-04T12:00:00.000Z (${backup})\n`;
  return { directory, backup, docket, says };
};

/** The names and bytes of all files of a directory. */
const contentsOf = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "latin1")]),
  );

test("without a terminal and without --yes nothing is restored", async () => {
  const { directory, backup, docket } = await world();
  const before = contentsOf(directory);
  expect(await docket("restore", backup)).toEqual({
    code: 2,
    out: "",
    err:
      `docket: A restore replaces the data in ${directory}, and there is no terminal to ask you on. ` +
      "Nothing was changed. To restore anyway, add --yes.\n",
  });
  expect(contentsOf(directory)).toEqual(before);
});

test("what is piped in is no answer", async () => {
  const { directory, backup } = await world();
  const before = contentsOf(directory);
  const words = ["restore", backup, "--data", directory];
  expect((await run(DOCKET, words, { input: "yes\n" })).code).toBe(2);
  expect(contentsOf(directory)).toEqual(before);
});

test("with --yes it says what it replaces, and does", async () => {
  const { directory, backup, docket, says } = await world();
  const { code, out, err } = await docket("restore", backup, "--yes");
  expect([code, out]).toEqual([0, ""]);
  expect(err).toStartWith(`${says}Restored the backup. `);
  const kept = readdirSync(join(directory, "backups"));
  expect(kept.filter((name) => name.endsWith(".db"))).toHaveLength(1);
});

test("it says where there are no data yet, or none that can be read", async () => {
  const { backup } = await world();
  const empty = join(testDirectory(), "new");
  const restore = (directory: string) =>
    run(DOCKET, ["restore", backup, "--yes", "--data", directory]);
  expect((await restore(empty)).err).toStartWith(
    `There are no data in ${empty} yet. The backup will be placed there.\n  Backup: 1 account, `,
  );
  const damaged = testDirectory();
  await Bun.write(databaseFile(damaged), "x".repeat(10_000));
  const { code, err } = await restore(damaged);
  expect(code).toBe(0);
  expect(err).toContain("\n  Now:    cannot be counted\n");
});

test("--yes does not make a restore of what is not there, or no database", async () => {
  const { directory, docket } = await world();
  const before = readFileSync(databaseFile(directory));
  expect(await docket("restore", "/nowhere/copy.db", "--yes")).toEqual({
    code: 1,
    out: "",
    err: "docket: There is no file /nowhere/copy.db. Check the path.\n",
  });
  expect(readFileSync(databaseFile(directory)).equals(before)).toBe(true);
});

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** Restores on a terminal of its own, where a person types. Returns what the terminal showed, and the exit code. */
const onTerminal = async (words: readonly string[], typed: string) => {
  const child = Bun.spawn(["script", "-qec", quoted([...DOCKET, ...words]), "/dev/null"], {
    env: plainEnvironment(),
    stdin: "pipe",
    stdout: "pipe",
  });
  let shown = "";
  for await (const chunk of child.stdout) {
    shown += new TextDecoder().decode(chunk);
    if (shown.endsWith("to continue: ")) child.stdin.write(typed);
  }
  return { code: await child.exited, shown: shown.replaceAll("\r\n", "\n") };
};

describe.skipIf(Bun.which("script") === null)("on a terminal", () => {
  test("it asks, and restores once yes is typed", async () => {
    const { directory, backup, says } = await world();
    const { code, shown } = await onTerminal(["restore", backup, "--data", directory], "yes\n");
    expect(code).toBe(0);
    expect(shown).toStartWith(`${says}Type "yes" to continue: yes\nRestored the backup. `);
    expect(existsSync(join(directory, "backups"))).toBe(true);
  });

  test.each([
    ["no", "no\n"],
    ["y", "y\n"],
    ["YES", "YES\n"],
    ["nothing", "\n"],
    ["the end of the input", "\u0004"],
  ])("%s changes nothing", async (_what, typed) => {
    const { directory, backup } = await world();
    const before = readFileSync(databaseFile(directory));
    const { code, shown } = await onTerminal(["restore", backup, "--data", directory], typed);
    expect([code, shown.trim().endsWith("Nothing was changed.")]).toEqual([1, true]);
    expect(readFileSync(databaseFile(directory)).equals(before)).toBe(true);
    expect(existsSync(join(directory, "backups"))).toBe(false);
  });

  test("it does not ask with --yes", async () => {
    const { directory, backup } = await world();
    const words = ["restore", backup, "--yes", "--data", directory];
    const { code, shown } = await onTerminal(words, "");
    expect([code, shown.includes("Type")]).toEqual([0, false]);
  });
});
