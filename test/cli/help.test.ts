import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { runCommand } from "../../src/cli/run.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const refuse = (): never => {
  throw new Error("Nothing may be read or asked.");
};

/** Runs the command line in this process, where nothing can be read, asked or looked up. */
const typed = async (...words: readonly string[]) => {
  const [printed, said]: [string[], string[]] = [[], []];
  const terminal = {
    print: (line: string) => void printed.push(line),
    say: (line: string) => void said.push(line),
    write: refuse,
    input: refuse,
    readSecret: refuse,
    canAsk: refuse,
    ask: refuse,
    isTerminal: true,
    now: refuse,
  };
  const environment = { DOCKET_NO_SUCH_SETTING: "1", DOCKET_PORT: "no port" };
  const code = await runCommand(words, { terminal, environment, readFile: refuse });
  return { code, printed: printed.join("\n"), said };
};

const usageOf = (name: string): string => {
  const command = COMMANDS.find((one) => one.name === name);
  return `  docket ${name} ${command?.usage}`.trimEnd();
};

describe("help on one command", () => {
  const names = COMMANDS.map(({ name }) => name);

  test.each(names)("docket %s --help prints its own, and does nothing", async (name) => {
    for (const help of ["--help", "-h"]) {
      const { code, printed, said } = await typed(...name.split(" "), help);
      expect([code, said]).toEqual([0, []]);
      expect(printed.split("\n").slice(0, 2)).toEqual([
        "Usage (every command accepts --data DIR and --database URL):",
        usageOf(name),
      ]);
    }
  });

  test.each([
    ["before the command", "--help backup", "backup"],
    ["within its name", "key --help create", "key create"],
    ["behind a file", "restore copy.db --help", "restore"],
    ["before a file", "restore --help copy.db", "restore"],
    ["behind --yes", "restore copy.db --yes --help", "restore"],
    ["behind other flags", "key create --name bot --scopes read --help", "key create"],
    ["in a value's place", "key create --name --help", "key create"],
    ["behind a wrong flag", "backup --colour --help", "backup"],
    ["before a wrong flag", "backup -h --colour", "backup"],
    ["behind a wrong flag before the command", "--colour backup --help", "backup"],
    ["behind a wrong value", "serve --port none --help", "serve"],
    ["behind too many words", "backup a b c --help", "backup"],
    ["behind the data directory", "--data /nowhere backup --help", "backup"],
    ["in the data directory's place", "backup --data --help", "backup"],
    ["behind a double dash", "backup -- --help", "backup"],
    ["twice", "backup -h --help", "backup"],
    ["by the command help", "help key create", "key create"],
  ])("is printed where it is asked for %s", async (_where, line, name) => {
    const words = line.split(" ");
    const { code, out, err } = await run(DOCKET, words, { cwd: testDirectory() });
    expect([code, err, out.split("\n")[1]]).toEqual([0, "", usageOf(name)]);
  });

  test("has the settings where the command takes them", async () => {
    expect((await typed("serve", "--help")).printed).toContain("--public-url URL");
    expect((await typed("backup", "--help")).printed).not.toContain("--public-url URL");
  });
});

describe("help on several", () => {
  test("a group's name alone gives the group", async () => {
    const { code, printed } = await typed("key", "--help");
    expect(code).toBe(0);
    expect(printed).toContain(usageOf("key create"));
    expect(printed).toContain(usageOf("key revoke"));
    expect(printed).not.toContain(usageOf("backup"));
  });

  test.each([["--help"], ["-h"], ["--help --colour"], ["no such command --help"]])(
    "docket %s gives all",
    async (line) => {
      const { code, printed, said } = await typed(...line.split(" "));
      expect([code, said]).toEqual([0, []]);
      for (const { name } of COMMANDS) expect(printed).toContain(usageOf(name));
    },
  );
});

describe("what looks like an option is never taken for a file", () => {
  const HINT = "If a file's name begins with a dash, write ./-name.";

  test("docket backup --help writes no file, and docket restore --help replaces nothing", async () => {
    const [directory, cwd] = [testDirectory(), testDirectory()];
    const data = ["--data", directory];
    await run(DOCKET, ["account", "add", "ann@example.org", ...data]);
    await run(DOCKET, ["backup", "help", ...data], { cwd });
    await run(DOCKET, ["account", "add", "bob@example.org", ...data]);
    for (const words of [
      ["restore", "--help"],
      ["restore", "-h"],
      ["backup", "--help"],
    ]) {
      const { code, err } = await run(DOCKET, [...words, ...data], { cwd });
      expect([code, err]).toEqual([0, ""]);
    }
    expect(readdirSync(cwd)).toEqual(["help"]);
    const { out } = await run(DOCKET, ["account", "list", "--json", ...data]);
    expect(JSON.parse(out)).toHaveLength(2);
    expect(existsSync(join(directory, "backups"))).toBe(false);
  });

  test.each([
    ["backup --version", "Unknown option '--version'."],
    ["backup -copy.db", "Unknown option '-copy.db'."],
    ["backup -- -copy.db", `"-copy.db" looks like an option.`],
    ["backup -- --copy.db", `"--copy.db" looks like an option.`],
    ["backup -", `"-" looks like an option.`],
    ["restore --yes -- -copy.db", `"-copy.db" looks like an option.`],
    ["restore -copy.db --yes", "Unknown option '-copy.db'."],
  ])("docket %s is wrong usage", async (line, message) => {
    const [directory, cwd] = [join(testDirectory(), "data"), testDirectory()];
    const words = ["--data", directory, ...line.split(" ")];
    const { code, out, err } = await run(DOCKET, words, { cwd });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toStartWith(`docket: ${message} ${HINT}`);
    expect([readdirSync(cwd), existsSync(directory)]).toEqual([[], false]);
  });

  test("a file whose name begins with a dash is taken as ./-name", async () => {
    const [directory, cwd] = [testDirectory(), testDirectory()];
    const data = ["--data", directory];
    await run(DOCKET, ["account", "add", "ann@example.org", ...data]);
    expect((await run(DOCKET, ["backup", "./-copy.db", ...data], { cwd })).code).toBe(0);
    writeFileSync(join(directory, "docket.db"), "");
    const restored = await run(DOCKET, ["restore", "./-copy.db", "--yes", ...data], { cwd });
    expect(restored.code).toBe(0);
    expect((await run(DOCKET, ["account", "list", ...data])).out).toContain("ann@");
  });
});
