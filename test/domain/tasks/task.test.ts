import { expect, test } from "bun:test";
import { CLOSED_STATUSES, isClosed, isStatus, splitTitle } from "../../../src/domain/tasks/task.ts";

test("A task is closed by exactly the closed statuses", () => {
  expect(CLOSED_STATUSES.every(isClosed)).toBe(true);
  const closed = ["done", "completed", "closed", "cancelled", "canceled", "archived"];
  expect(CLOSED_STATUSES.toSorted()).toEqual(closed.toSorted());
  const open = ["todo", "in_progress", "blocked", "in_review", "Done", "done ", "waiting", ""];
  expect(open.some(isClosed)).toBe(false);
});

test.each([
  ["a known status", "todo", true],
  ["one of the extension's own", "wartet auf Ann 🥛", true],
  ["64 characters", "x".repeat(64), true],
  ["65 characters", "x".repeat(65), false],
  ["nothing", "", false],
  ["a line break", "to\ndo", false],
  ["a line separator", "to\u2028do", false],
])("Whether %s may be a status", (_name, text, taken) => {
  expect(isStatus(text)).toBe(taken);
});

const WORDS = "word ".repeat(118);

test.each([
  ["a title", "Buy milk", { title: "Buy milk", rest: [] }],
  ["one of the greatest length", "x".repeat(500), { title: "x".repeat(500), rest: [] }],
  [
    "words",
    `${WORDS}IMPORTANT END`,
    { title: `${WORDS.slice(0, 499).trim()}…`, rest: [`${WORDS.slice(500)}IMPORTANT END`] },
  ],
  [
    "an emoji at the limit",
    `${"x".repeat(498)}🥛🥛`,
    { title: `${"x".repeat(498)}…`, rest: ["🥛🥛"] },
  ],
  [
    "more than fits into a note",
    "x".repeat(20_600),
    { title: `${"x".repeat(499)}…`, rest: ["x".repeat(20_000), "x".repeat(101)] },
  ],
])("Of %s that was typed as a title, nothing is lost", (_name, text, split) => {
  expect(splitTitle(text)).toEqual(split);
});
