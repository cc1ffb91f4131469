import { describe, expect, test } from "bun:test";
import { zip } from "../../../src/extension/packages/zip.ts";
import { unzip } from "../../support/extension/unzip.ts";

describe("A zip", () => {
  const text = new TextEncoder();
  const files = [
    { name: "b.txt", data: text.encode("b".repeat(1000)) },
    { name: "a/empty", data: new Uint8Array() },
    { name: "a/random", data: crypto.getRandomValues(new Uint8Array(500)) },
  ];

  test("holds the files as they were, sorted by name", () => {
    const entries = unzip(zip(files));
    expect(entries.map(({ name }) => name)).toEqual(["a/empty", "a/random", "b.txt"]);
    for (const { name, data } of files)
      expect(Buffer.from(entries.find((entry) => entry.name === name)?.data ?? [])).toEqual(
        Buffer.from(data),
      );
  });

  test("is smaller than what compresses well", () => {
    expect(zip(files.slice(0, 1)).length).toBeLessThan(200);
  });

  test("does not depend on the order of the files, nor on the time", () => {
    expect(zip(files.toReversed())).toEqual(zip(files));
    for (const { time } of unzip(zip(files))) expect(time).toBe(0x21 << 16);
  });
});
