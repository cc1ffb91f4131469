import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tokens } from "marked";
import { COMMANDS } from "../../src/cli/commands.ts";
import { readConfig } from "../../src/config/config.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { codeOf, readText, ROOT, TEXTS } from "../support/reference/texts.ts";

const README = await readText("README.md");

/** Returns the cells, as written, of the README's table whose first column has this heading. */
const rowsUnder = (head: string): readonly (readonly string[])[] => {
  const tables = README.tokens.filter((token): token is Tokens.Table => token.type === "table");
  const rows = tables.find(({ header }) => header[0]?.text === head)?.rows ?? [];
  return rows.map((row) => row.map(({ text }) => text));
};

test("The README has at most 200 lines", () => {
  expect(README.text.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
});

describe("The README's settings", () => {
  const documented = rowsUnder("setting").map(([flags = "", value = ""]) => ({
    names: [...flags.matchAll(/`--([\w-]+)`/g)].map(([, name]) => name ?? ""),
    value,
  }));

  test("are those of the program, in its order", () => {
    expect(documented.flatMap(({ names }) => names)).toEqual(Object.keys(SETTINGS));
  });

  test("have the program's defaults", () => {
    const config = readConfig({}, { HOME: "/home/ann" }, () => "");
    const defaults = {
      host: config.host,
      port: config.port,
      "default-plan": config.defaultPlan,
      "rate-per-minute": config.ratePerMinute,
      "rate-per-hour": config.ratePerHour,
      "account-quota": config.accountQuota ?? 0,
      "body-memory": config.bodyMemory,
    };
    for (const [name, value] of Object.entries(defaults))
      expect([name, documented.find(({ names }) => names.includes(name))?.value]).toEqual([
        name,
        `\`${value}\``,
      ]);
  });
});

/** Returns the commands in a line: what follows `docket`, up to the command's end. */
const commandsIn = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|[\s($])docket ([a-z][^#|&;)]*)/g)].map(
    ([, words]) => words?.trim() ?? "",
  );

describe.each(TEXTS)("%s", (path) => {
  test("names no command or flag that the program does not have", async () => {
    for (const words of codeOf(await readText(path)).flatMap(commandsIn)) {
      const command = COMMANDS.find(({ name }) => `${words} `.startsWith(`${name} `));
      expect([words, command?.name]).toEqual([words, expect.any(String)]);
      const flags = [...words.matchAll(/--([\w-]+)/g)].map(([, flag]) => flag ?? "");
      const known = [...Object.keys(command?.flags ?? {}), "data", "database"];
      expect([words, flags.filter((flag) => !known.includes(flag))]).toEqual([words, []]);
    }
  });

  test("names no variable that the program does not have", async () => {
    const { text } = await readText(path);
    for (const [name] of text.matchAll(/DOCKET_[A-Z_\d]*[A-Z\d]/g))
      expect(() => readConfig({}, { [name]: "" }, () => "")).not.toThrow();
  });

  test("names no test, and no script of package.json, that does not exist", async () => {
    const { text } = await readText(path);
    const { scripts } = (await Bun.file(join(ROOT, "package.json")).json()) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const [, named = ""] of text.matchAll(/(?:`| )(test\/[\w./-]*[\w/])/g))
      expect([named, existsSync(join(ROOT, named))]).toEqual([named, true]);
    for (const [, name = ""] of text.matchAll(/bun@1\.4\.5 run (\w+)/g))
      expect(Object.keys(scripts)).toContain(name);
  });
});

test("The texts name commands at all", async () => {
  const named = await Promise.all(TEXTS.map(async (path) => codeOf(await readText(path))));
  expect(named.flat().flatMap(commandsIn).length).toBeGreaterThan(25);
});
