import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expectClosed, largeData, modeOf, modesDuring, openly } from "../support/modes.ts";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const OPEN = openly(DOCKET);

test("nobody else can read a backup, also while it is being written", async () => {
  const data = await largeData(DOCKET);
  const target = testDirectory();
  const seen = await modesDuring(OPEN, ["backup", join(target, "copy.db"), "--data", data], target);
  expect([...seen.keys()]).toContain("copy.db.partial");
  expectClosed(seen);
});

test("nobody else can read what a restore makes, also while it runs", async () => {
  const data = await largeData(DOCKET);
  const backup = join(testDirectory(), "copy.db");
  await run(DOCKET, ["backup", backup, "--data", data]);
  const target = testDirectory();
  const seen = await modesDuring(OPEN, ["restore", backup, "--yes", "--data", target], target);
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
      await run(DOCKET, ["account", "add", "ann@example.org", "--data", directory]);
      await run(DOCKET, ["backup", backup, "--data", directory]);
      const lock = join(directory, "docket.lock");
      rmSync(lock, { force: true });
      symlinkSync(elsewhere, lock);
      const words = name === "serve" ? ["serve", "--port", "0"] : ["restore", backup, "--yes"];
      expect(await run(DOCKET, [...words, "--data", directory])).toEqual({
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
