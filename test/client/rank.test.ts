import { describe, expect, test } from "bun:test";
import { rankName, rankTasks } from "../../src/client/rank.ts";
import { EMPTY_SCREEN, showRows } from "../../src/client/shown.ts";
import { newRow } from "../../src/client/store/row.ts";

/** A task that was changed on a day of March. */
const row = (title: string, day: number, more: Readonly<Record<string, unknown>> = {}) => ({
  ...newRow("sync_tasks", `${title} ${day}`),
  server: {
    payload: { title, ...more },
    updatedAt: `2026-03-${String(day).padStart(2, "0")}T12:00:00.000Z`,
    deletedAt: null,
  },
});
const DONE = { status: "done" };
const pages = [{ url: "https://report.example/", title: "Report of the year" }];

const { tasks } = showRows(EMPTY_SCREEN, [
  row("Misreported hours", 9),
  row("Annual report", 8),
  row("Reporter", 7),
  row("Report: May", 1),
  row("Report – June", 2),
  row("Report", 3),
  row("Old numbers", 10, { pages }),
  row("Report", 20, DONE),
  row("Report for April", 21, DONE),
  row("Yearly report", 22, DONE),
  row("Agent unsorted", 28, { pages }),
]);

const ranked = (query: string, used: Readonly<Record<string, string>> = {}, most = 20) =>
  rankTasks([...tasks.values()], query, { usedAt: ({ id }) => used[id] ?? "", most }).map(
    ({ task }) => task.id,
  );

describe("what some words find is ranked:", () => {
  test("all of a name, its beginning, beginnings of its words, then the rest, with closed tasks a step lower", () => {
    expect(ranked("Report")).toEqual([
      "Report 3",
      "Reporter 7",
      "Report – June 2",
      "Report: May 1",
      "Report 20",
      "Annual report 8",
      "Report for April 21",
      "Old numbers 10",
      "Misreported hours 9",
      "Yearly report 22",
      "Agent unsorted 28",
    ]);
  });

  test("words in another order are found at their beginnings", () => {
    expect(ranked("may rep")).toEqual(["Report: May 1"]);
    expect(ranked("june  report")).toEqual(["Report – June 2"]);
  });

  test("case, accents and signs do not matter", () => {
    expect(ranked("REPORT-MAY")).toEqual(["Report: May 1"]);
  });

  test("the inbox is ranked by its name, and found by its title", () => {
    expect(ranked("inbox")).toEqual(["Agent unsorted 28"]);
    expect(ranked("unsorted")).toEqual(["Agent unsorted 28"]);
  });

  test("of those that fit equally well, the one used last comes first", () => {
    const used = { "Report: May 1": "2026-03-30T12:00:00.000Z" };
    expect(ranked("report", used, 3)).toEqual(["Report 3", "Report: May 1", "Reporter 7"]);
  });

  test("without any words, the tasks used or changed last come first, and closed ones last", () => {
    const [first, second] = ["Report 3", "Report: May 1"];
    const used = { [first]: "2026-03-31T12:00:00.000Z", [second]: "2026-03-30T12:00:00.000Z" };
    expect(ranked("", used, 4)).toEqual([first, second, "Agent unsorted 28", "Old numbers 10"]);
    expect(ranked(" ").slice(-3)).toEqual(["Yearly report 22", "Report for April 21", "Report 20"]);
  });
});

test("a name is ranked as the name of a task, and not at all without each word", () => {
  const ranks = ["New task", "New task list", "A new task", "Renew tasks", "Task"].map((name) =>
    rankName(name, "new task"),
  );
  expect(ranks).toEqual([0, 2, 4, 6, null]);
});
