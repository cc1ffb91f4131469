import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { zipSync } from "fflate";
import { basename, join } from "node:path";
import { readImport } from "../../src/import/read.ts";
import { dice, seed } from "../support/random.ts";

// A file that was cut off or damaged gets an answer: what can be read of it, or why nothing can.

const FILES = join(import.meta.dir, "files");
const paths = [...new Glob("**/*").scanSync(FILES)]
  .filter((path) => !path.endsWith(".expected.json"))
  .toSorted();

const expectAnswer = (name: string, bytes: Uint8Array): void => {
  const read = readImport(name, bytes);
  if ("error" in read) expect(["broken", "empty", "unrecognised"]).toContain(read.error);
  else
    for (const { url } of read.tasks.flatMap(({ tabs }) => tabs)) expect(url).toMatch(/^https?:/i);
};

test.each(paths)("%s, cut and with changed bytes", (path) => {
  const whole = new Uint8Array(readFileSync(join(FILES, path)));
  const name = basename(path);
  const next = dice(seed);
  for (let turn = 0; turn < 50; turn += 1) {
    expectAnswer(name, whole.slice(0, next(whole.length)));
    const changed = whole.slice();
    for (let count = 0; count < 50; count += 1) changed[next(changed.length)] = next(256);
    expectAnswer(name, changed);
  }
});

test("What is nested deeper than a program can follow is broken", () => {
  const deep = `{"type":"text/x-moz-place-container","children":[`.repeat(100_000);
  expect(readImport("a.json", Buffer.from(deep))).toEqual({ error: "broken" });
  const shelves = "<DL><H3>a</H3>".repeat(200_000);
  expect(readImport("a.html", Buffer.from(`${shelves}<A HREF="https://a.example/">A</A>`))).toEqual(
    {
      error: "broken",
    },
  );
});

test("An archive that says it unpacks to more than can be read is broken, and so is one that unpacks to more than it says", () => {
  const text = new Uint8Array(1024 * 1024).fill(0x20);
  for (const said of [600 * 1024 * 1024, 1_000]) {
    const archive = Buffer.from(zipSync({ "part_000000.csv": text }));
    const directory = archive.lastIndexOf(Buffer.from("PK\u0001\u0002"));
    archive.writeUInt32LE(said, directory + 24);
    expect(readImport("a.zip", archive)).toEqual({
      error: said > 1_000 ? "broken" : "unrecognised",
    });
  }
});
