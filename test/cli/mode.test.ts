import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { FROM_SOURCE, plainEnvironment, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { databaseFile } from "../db/_store.ts";

/** The program under a umask that lets everybody read what it makes. */
const OPEN = ["sh", "-c", 'umask 0; exec "$@"', "sh", ...FROM_SOURCE];

/** Data of 40 MB, so that a copy of them takes a while. */
const largeData = async (): Promise<string> => {
  const directory = testDirectory();
  await run(FROM_SOURCE, ["account", "add", "ann@example.org", "--data", directory]);
  const database = new Database(databaseFile(directory));
  const grow = database.query("UPDATE account SET email = email || hex(randomblob(20000000))");
  grow.run();
  database.close();
  return directory;
};

/** The mode of every file that was seen in a directory while the program ran. */
const modesDuring = async (
  words: readonly string[],
  directory: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const child = Bun.spawn([...OPEN, ...words], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const seen = new Map<string, Set<string>>();
  while (child.exitCode === null) {
    for (const name of readdirSync(directory)) {
      const mode = modeOf(join(directory, name));
      if (mode !== null) seen.set(name, (seen.get(name) ?? new Set()).add(mode));
    }
    await Bun.sleep(1);
  }
  expect(child.exitCode).toBe(0);
  return seen;
};

const expectClosed = (seen: ReadonlyMap<string, ReadonlySet<string>>): void => {
  const open = [...seen].flatMap(([name, modes]) => [...modes].map((mode) => `${name} ${mode}`));
  expect(open.filter((line) => !line.endsWith(" 600"))).toEqual([]);
};

const modeOf = (file: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? (found.mode & 0o777).toString(8) : null;
};

test("nobody else can read a backup, also while it is being written", async () => {
  const data = await largeData();
  const target = testDirectory();
  const seen = await modesDuring(["backup", join(target, "copy.db"), "--data", data], target);
  expect([...seen.keys()]).toContain("copy.db.partial");
  expectClosed(seen);
});

test("nobody else can read what a restore makes, also while it runs", async () => {
  const data = await largeData();
  const backup = join(testDirectory(), "copy.db");
  await run(FROM_SOURCE, ["backup", backup, "--data", data]);
  const target = testDirectory();
  const seen = await modesDuring(["restore", backup, "--yes", "--data", target], target);
  expect([...seen.keys()]).toContain("docket.db.restoring.partial");
  expectClosed(seen);
});

test("nobody else can read what a server makes", async () => {
  const directory = testDirectory();
  const server = await serve(OPEN, ["--data", directory, "--log", "off"]);
  const modes = readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]);
  expect(modes.length).toBeGreaterThan(3);
  expect(modes.filter(([, mode]) => mode !== "600")).toEqual([]);
  expect(await server.stop()).toBe(0);
});

describe("a link in the data directory leads Docket to no other file", () => {
  test("docket.pid is written anew, and what a link of that name points to stays", async () => {
    const [directory, diary] = [testDirectory(), join(testDirectory(), "diary")];
    writeFileSync(diary, "Dear diary");
    symlinkSync(diary, join(directory, "docket.pid"));
    const server = await serve(OPEN, ["--data", directory, "--log", "off"]);
    expect(await server.stop()).toBe(0);
    expect(readFileSync(diary, "utf8")).toBe("Dear diary");
    expect(lstatSync(join(directory, "docket.pid")).isFile()).toBe(true);
  });

  test.each(["serve", "restore"])(
    "docket %s refuses a docket.lock that is a link",
    async (name) => {
      const [directory, elsewhere] = [testDirectory(), join(testDirectory(), "made")];
      const backup = join(testDirectory(), "copy.db");
      await run(FROM_SOURCE, ["account", "add", "ann@example.org", "--data", directory]);
      await run(FROM_SOURCE, ["backup", backup, "--data", directory]);
      const lock = join(directory, "docket.lock");
      rmSync(lock, { force: true });
      symlinkSync(elsewhere, lock);
      const words = name === "serve" ? ["serve", "--port", "0"] : ["restore", backup, "--yes"];
      expect(await run(FROM_SOURCE, [...words, "--data", directory])).toEqual({
        code: 1,
        out: "",
        err: `docket: ${lock} is not a plain file, so Docket does not use it. Nothing was changed. Remove it, then start again.\n`,
      });
      expect(existsSync(elsewhere)).toBe(false);
    },
  );

  test("a lock that others could read and so hold is closed to them", async () => {
    const directory = testDirectory();
    writeFileSync(join(directory, "docket.lock"), "", { mode: 0o644 });
    const server = await serve(OPEN, ["--data", directory, "--log", "off"]);
    expect(modeOf(join(directory, "docket.lock"))).toBe("600");
    expect(await server.stop()).toBe(0);
  });
});
