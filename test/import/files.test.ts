import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { basename, join } from "node:path";
import { readImport } from "../../src/import/read.ts";
import { summaryOf } from "../support/import/summary.ts";

// Small files with the quirks of the real ones, and beside each what an import must make of it.

const FILES = join(import.meta.dir, "files");
const EXPECTED = ".expected.json";
const all = [...new Glob(`**/*`).scanSync(FILES)];
const cases = all.filter((path) => !path.endsWith(EXPECTED)).toSorted();

test.each(cases)("%s", async (path) => {
  const bytes = readFileSync(join(FILES, path));
  const expected = await Bun.file(join(FILES, path.replace(/\.\w+$/, EXPECTED))).json();
  const skipped = expected.skipped?.map(
    ({ what, reason }: Record<string, string>) => `${reason} ${what}`,
  );
  expect(summaryOf(readImport(basename(path), bytes))).toEqual(
    skipped ? { ...expected, skipped: skipped.toSorted() } : expected,
  );
});
