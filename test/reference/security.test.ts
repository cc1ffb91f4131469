import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tokens } from "marked";
import { readText, ROOT } from "../support/reference/texts.ts";

/** The sections of OWASP ASVS 5.0.0, each with how many requirements of levels 1 and 2 it has: its first ones. */
const SECTIONS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3
  4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3
  7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4
  10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4
  16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
`;

const REQUIREMENTS = SECTIONS.trim()
  .split(/\s+/)
  .flatMap((word) => {
    const [section, many] = word.split(":");
    return Array.from({ length: Number(many) }, (_, at) => `${section}.${at + 1}`);
  });

const guide = await readText("src/reference/guides/security.md");
const rows = guide.tokens
  .filter((token): token is Tokens.Table => token.type === "table")
  .filter(({ header }) => header[0]?.text === "requirement")
  .flatMap(({ rows: cells }) => cells.map((row) => row.map(({ text }) => text)));

test("The tables answer each requirement of ASVS 5.0.0, levels 1 and 2, exactly once", () => {
  expect(REQUIREMENTS).toHaveLength(253);
  expect(rows.flatMap(([numbers = ""]) => numbers.split(", "))).toEqual(
    expect.arrayContaining(REQUIREMENTS),
  );
  expect(rows.flatMap(([numbers = ""]) => numbers.split(", "))).toHaveLength(253);
});

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|test|\.ci|\.github)\/[\w./-]+|[\w.]+\.(?:json|md))`/g)].map(
    ([, path = ""]) => path,
  );

test("Every file that the guide names exists", () => {
  const named = pathsIn(guide.text);
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

describe.each(rows)("%s", (_numbers, _about, state, where = "") => {
  test("has a known state, and names a file, a guide or a reason", () => {
    expect(["met", "partly", "not met", "yours", "no case"]).toContain(state ?? "");
    if (state === "met") expect(pathsIn(where).length > 0 || /\]\(|^above/.test(where)).toBe(true);
    else expect(where.length).toBeGreaterThan(10);
  });
});
