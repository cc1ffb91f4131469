import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { drag } from "../support/browser/pointer.ts";
import { add, eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

const DAY = 24 * 60 * 60 * 1_000;

const day = (from: number): string => formatInstant(Date.now() + from * DAY).slice(0, 10);

const task = (id: string, ago: number, payload: object) => ({
  table: "sync_tasks",
  id,
  updated_at: formatInstant(Date.now() - ago),
  payload,
});

inChromium("Lists have sections:", (engine) => {
  const desk = useDesk({ engine });

  /** What is read from top to bottom: headings and titles. */
  const lines = (): Promise<readonly string[]> =>
    desk.page.locator("main :is(.section-head h2, .list-heading, .row .title)").allInnerTexts();
  const reads = (...wanted: readonly string[]) =>
    eventually(async () => (await lines()).join("|") === wanted.join("|"));

  beforeAll(async () => {
    await desk.device("POST", "/sync", [
      task("a", 60_000, { title: "Long late", due: day(-9) }),
      task("b", 60_000, { title: "Late", due: day(-1) }),
      task("c", 60_000, { title: "Now", due: day(0) }),
      task("d", 3 * DAY, { title: "Done before", status: "done" }),
      task("e", 3 * DAY + 1_000, { title: "Cancelled before", status: "cancelled" }),
      task("f", 2_000, { title: "Done today", status: "done" }),
    ]);
  });

  test("Today tells the overdue from the rest, and a new task is first where it was typed", async () => {
    await desk.open("/tasks/today");
    await reads("Overdue", "Long late", "Late", "Today", "Now");
    await add(desk.page, "New");
    await reads("Overdue", "Long late", "Late", "Today", "New", "Now");
  });

  test("the keyboard goes through both", async () => {
    const { page } = desk;
    await row(page, "Late").first().locator(".title").focus();
    for (const _step of [1, 2]) await page.keyboard.press("ArrowDown");
    await eventually(() =>
      page.evaluate<boolean>("document.activeElement.innerText.trim() === 'New'"),
    );
  });

  test("an overdue task that is dropped among those of today is due today", async () => {
    const { page } = desk;
    await drag(engine, row(page, "Long late"), row(page, "Now"), { x: 60, y: 30 });
    await reads("Overdue", "Late", "Today", "New", "Now", "Long late");
  });

  test("the overdue ones move to today together, and come back with Undo", async () => {
    const { page } = desk;
    await page.getByRole("button", { name: "Move all to today" }).click();
    await eventually(async () => !(await lines()).includes("Overdue"));
    expect((await titles(page)).toSorted()).toEqual(["Late", "Long late", "New", "Now"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(async () => (await lines())[1] === "Late");
    await saved(page);
  });

  test("Done has a heading for each day", async () => {
    await desk.open("/tasks/done");
    await eventually(async () => (await lines()).length === 5);
    const [first, second, third, ...rest] = await lines();
    expect([first, second, rest]).toEqual([
      "Today",
      "Done today",
      ["Done before", "Cancelled before"],
    ]);
    expect(third).toMatch(/\d/);
  });
});
