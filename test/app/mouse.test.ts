import { expect, test } from "bun:test";
import { inEachBrowser } from "../support/browser/engines.ts";
import { drag } from "../support/browser/pointer.ts";
import { eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

/** Each transaction of the page's database is complete a second late. */
const SLOW_DISK = `const listen = EventTarget.prototype.addEventListener;
IDBTransaction.prototype.addEventListener = function (type, done, ...rest) {
  const late = (event) => setTimeout(() => done.call(this, event), 1_000);
  listen.call(this, type, type === "complete" ? late : done, ...rest);
};`;

inEachBrowser("Ann works with a mouse:", (engine) => {
  const desk = useDesk({ engine });

  const task = async (title: string) =>
    (await desk.device("GET", "/tasks")).json.tasks.find(
      (one: { readonly title: string }) => one.title === title,
    );

  test("her first task has three tabs, from one line with pasted links", async () => {
    const { page, open } = desk;
    await open("/tasks");
    await page.getByRole("heading", { name: "Welcome to Docket" }).waitFor();
    await page
      .getByLabel("Add a task")
      .fill("Compare the three https://a.example/one https://b.example/two https://c.example/");
    await page.keyboard.press("Enter");
    await eventually(async () => (await titles(page)).includes("Compare the three"));
    await row(page, "Compare the three").getByRole("link").click();
    const tabs = page.getByRole("region", { name: "Tabs" });
    expect(await tabs.locator("a.title").allInnerTexts()).toHaveLength(3);
    expect(await tabs.locator("a.title").first().getAttribute("rel")).toBe("noopener noreferrer");
    await saved(page);
    expect(await task("Compare the three")).toMatchObject({ tab_count: 3, created_by: "person" });
  });

  test("she edits title, status, due date, folder and tags where she reads them", async () => {
    const { page } = desk;
    await page.getByRole("button", { name: "Add a folder" }).click();
    await page.getByLabel("Name of the new folder").fill("Work");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^Today/ }).click();
    await row(page, "Compare the three").getByRole("link").click();
    await page.getByRole("textbox", { name: "Title" }).fill("Choose one of three");
    await page.keyboard.press("Enter");
    await page.getByLabel("Status", { exact: true }).selectOption("in_progress");
    await page.getByLabel("Folder", { exact: true }).selectOption({ label: "Work" });
    await page.getByRole("button", { name: "Add a tag" }).click();
    await page.getByLabel("Add a tag").fill("Home");
    await page.keyboard.press("Enter");
    await page.getByLabel("Add a tag").fill("hOME, \u200B, HOME");
    await page.keyboard.press("Enter");
    await page.getByLabel("Due date", { exact: true }).fill("2030-01-31");
    await page.getByLabel("Add a note").fill("Ask for the price");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByLabel("Note", { exact: true }).waitFor();
    await eventually(async () => (await task("Choose one of three"))?.note_count === 1);
    expect(await task("Choose one of three")).toMatchObject({
      status: "in_progress",
      folder: expect.any(String),
      tags: ["Home"],
      due: "2030-01-31",
    });
  });

  test("she goes elsewhere while a new folder is saved, and stays there", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await page.evaluate(SLOW_DISK);
    await page.getByRole("button", { name: "Add a folder" }).click();
    await page.getByLabel("Name of the new folder").fill("Garden");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^Done/ }).click();
    await page.getByRole("link", { name: /^Garden/ }).waitFor();
    await saved(page);
    expect(new URL(page.url()).pathname).toBe("/tasks/done");
  });

  test("she looks into another window for a name, and the empty field is still there", async () => {
    const { page, open } = desk;
    await open("/tasks/board");
    for (const [button, label] of [
      ["Add a folder", "Name of the new folder"],
      ["Add a column", "Name of the new column"],
    ] as const) {
      await page.getByRole("button", { name: button }).click();
      const field = page.getByLabel(label);
      // What browsers do then: the field has no focus, and is still the one that would have it.
      await field.evaluate("(field) => field.dispatchEvent(new FocusEvent('blur'))");
      await Bun.sleep(50);
      expect(await field.isVisible()).toBe(true);
      await page.keyboard.press("Tab");
      await field.waitFor({ state: "detached" });
    }
  });

  test("she finishes a task, and takes that back", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await row(page, "Choose one of three").getByRole("button", { name: /^Mark/ }).click();
    await eventually(async () => (await titles(page)).length === 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(async () => (await titles(page)).length === 1);
    await eventually(async () => (await task("Choose one of three"))?.status === "in_progress");
  });

  test("she deletes a task, and restores it from the trash", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await row(page, "Choose one of three").getByRole("link").click();
    await page.getByRole("button", { name: "More for this task" }).click();
    await page.getByRole("menuitem", { name: "Delete task" }).click();
    await eventually(async () => (await titles(page)).length === 0);
    await page.getByRole("link", { name: "Trash" }).click();
    await row(page, "Choose one of three")
      .getByRole("button", { name: /^Restore/ })
      .click();
    await page.getByRole("link", { name: "All open" }).click();
    await eventually(async () => (await task("Choose one of three"))?.tab_count === 3);
  });

  test("she drags a task up the list, and onto a folder", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    for (const title of ["Second", "Third"]) {
      await page.getByLabel("Add a task").fill(title);
      await page.keyboard.press("Enter");
    }
    await eventually(async () => (await titles(page)).length === 3);
    const [first = "", , last = ""] = await titles(page);
    await drag(engine, row(page, last), row(page, first), { x: 200, y: 4 });
    await eventually(async () => (await titles(page))[0] === last);
    await drag(engine, row(page, "Second"), page.getByRole("link", { name: /^Work/ }));
    await saved(page);
    await eventually(async () => (await task("Second")).folder !== null);
  });

  test("she moves a tab to another task by dragging it there", async () => {
    const { page } = desk;
    await row(page, "Choose one of three").getByRole("link").click();
    const tabs = page.getByRole("region", { name: "Tabs" });
    await drag(engine, tabs.locator(".tab").first(), row(page, "Third"));
    await eventually(async () => (await tabs.locator(".tab").count()) === 2);
    await saved(page);
    expect([
      (await task("Third")).tab_count,
      (await task("Choose one of three")).tab_count,
    ]).toEqual([1, 2]);
    expect(desk.faults).toEqual([]);
  });

  test("she opens a task's tabs at once; more than 10 only after she says so", async () => {
    const { page, context, open, url } = desk;
    const links = (most: number) =>
      Array.from({ length: most }, (_, at) => `${url}/healthz?${at}`).join(" ");
    await open("/tasks/open");
    for (const [title, most] of [
      ["A few", 3],
      ["Many", 11],
    ] as const) {
      await page.getByLabel("Add a task").fill(`${title} ${links(most)}`);
      await page.keyboard.press("Enter");
      await eventually(async () => (await titles(page)).includes(title));
    }
    const before = context.pages().length;
    await row(page, "A few").getByRole("link").click();
    await page.getByRole("button", { name: "Open all" }).click();
    await eventually(async () => context.pages().length === before + 3);
    await row(page, "Many").getByRole("link").click();
    await page.getByRole("region", { name: "Tabs" }).getByText("healthz?10").first().waitFor();
    await page.getByRole("button", { name: "Open all" }).click();
    const dialog = page.getByRole("dialog", { name: "Open many tabs" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(context.pages()).toHaveLength(before + 3);
    await page.getByRole("button", { name: "Open all" }).click();
    // The click ends once the browser has begun to open them all.
    await dialog.getByRole("button", { name: "Open 11 tabs" }).click({ timeout: 60_000 });
    await eventually(async () => context.pages().length === before + 14);
  });
});
