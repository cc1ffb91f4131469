import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, titles, useDesk } from "../support/app/desk.ts";

const MANY = Array.from({ length: 120 }, (_, at) => `Task ${at}`);
const TABS = Array.from({ length: 150 }, (_, at) => ({
  id: `p${at}`,
  url: `https://${at}.example/`,
  title: `Tab ${at}`,
}));
const TEXT = Array.from({ length: 90 }, (_, at) => `Line ${at} of a note.`).join("\n");

inBrowser("On paper,", () => {
  const desk = useDesk({});

  beforeAll(async () => {
    const updated_at = formatInstant(Date.now() - 60_000);
    const record = (id: string, payload: object) => ({
      table: "sync_tasks",
      id,
      updated_at,
      payload,
    });
    const notes = [{ id: "n", text: TEXT }];
    await desk.device("POST", "/sync", [
      ...MANY.map((title) => record(title, { title, status: "todo" })),
      record("long", { title: "A long task", status: "todo", pages: TABS, notes }),
    ]);
  });

  /** How many pages a sheet of paper each the browser prints. */
  const sheets = async (): Promise<number> => {
    const pdf = await desk.page.pdf({ format: "A4" });
    return pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
  };

  test("a list has all its rows, in a dark scheme too, and no buttons", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).length > 10);
    expect((await titles(page)).length).toBeLessThan(MANY.length);
    expect(await sheets()).toBeGreaterThan(2);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await eventually(async () => (await titles(page)).length === MANY.length + 1);
    expect(await page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(27, 29, 33)");
    expect(await page.getByLabel("Add a task").isVisible()).toBe(false);
    expect(await page.locator(".sidebar").isVisible()).toBe(false);
    await page.emulateMedia({ media: null, colorScheme: null });
    await eventually(async () => (await titles(page)).length < MANY.length);
  });

  test("an open task has all its tabs and the whole of its notes, without the list", async () => {
    const { page, open } = desk;
    await open("/tasks/open?task=long");
    await page.locator(".panel .tab").nth(149).waitFor({ state: "attached" });
    expect(await sheets()).toBeGreaterThan(4);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("main").isVisible()).toBe(false);
    const note = page.getByLabel("Note", { exact: true });
    const cut = await note.evaluate((area) => area.scrollHeight - area.clientHeight);
    expect(cut).toBeLessThanOrEqual(1);
    await page.emulateMedia({ media: null });
  });
});
