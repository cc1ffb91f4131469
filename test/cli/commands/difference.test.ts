import { expect, test } from "bun:test";
import { oneLine } from "../../../src/cli/commands/history.ts";
import { compare } from "../../../src/domain/history/comparison.ts";

test("a date, tags and a position are told on one line, by their names", () => {
  const before = { payload: { due: "2026-03-04", tags: ["home", "work"] }, deletedAt: null };
  const after = { payload: { tags: ["home"], position: "a0" }, deletedAt: null };
  expect(oneLine(compare(before, after))).toBe(
    "Due: - 2026-03-04; Tags: home, work -> home; Position: + a0",
  );
});
