import { expect, test } from "bun:test";
import { printList } from "../../src/cli/terminal.ts";
import type { Run } from "../../src/cli/command.ts";

test("A list of a million rows, as an undo of ten keys may have, is printed whole", () => {
  let lines = 0;
  const run = { has: () => false, print: () => void (lines += 1) } as Partial<Run> as Run;
  printList(
    run,
    Array.from({ length: 1_000_000 }, (_, at) => ({ id: at })),
    "Nothing.",
  );
  expect(lines).toBe(1_000_001);
});
