import { expect, test } from "bun:test";
import { isoDay } from "../../src/ui/words/dates.ts";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, saved, titles, useDesk } from "../support/app/desk.ts";

inBrowser("Folder, day and search without the browser's own look", () => {
  const desk = useDesk({
    prepare: async ({ device, open, page }) => {
      const updated_at = formatInstant(Date.now() - 60_000);
      await device("POST", "/sync", [
        { table: "sync_projects", id: "work", updated_at, payload: { name: "Work" } },
        { table: "sync_tasks", id: "tea", updated_at, payload: { title: "Tea" } },
        { table: "sync_buckets", id: "next", updated_at, payload: { name: "" } },
      ]);
      await open("/tasks/today");
      await saved(page);
    },
  });

  test("a new task shows its day in words, and gets the folder and no day", async () => {
    const { page, device } = desk;
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New task" });
    await dialog.locator(".chip", { hasText: "Today" }).waitFor();
    await dialog.getByLabel("Title, or links").fill("Cake");
    await dialog.getByLabel("Folder", { exact: true }).selectOption({ label: "Work" });
    await dialog.getByRole("button", { name: "Remove the due date" }).click();
    expect(await dialog.locator(".chip > span").allInnerTexts()).toEqual(["Work", "Due"]);
    await dialog.getByRole("button", { name: "Add task" }).click();
    await saved(page);
    const { json } = await device("GET", "/tasks?q=cake");
    expect(json.tasks).toMatchObject([{ title: "Cake", project_id: "work", due: null }]);
  });

  test("a day and tags that are typed are shown before Enter, and Backspace refuses the last", async () => {
    const { page, device, open } = desk;
    await open("/tasks/open");
    const field = page.getByLabel("Add a task", { exact: true });
    const chips = page.locator(".inline-add .chip");
    await field.click();
    // The day is read once its script has come.
    await field.pressSequentially("Buy milk #errands tomorrow");
    await eventually(
      async () => (await chips.allInnerTexts()).join() === "Tomorrow,errands",
      "the day and the tag are shown",
    );
    await page.keyboard.press("Backspace");
    expect(await field.inputValue()).toBe("Buy milk #errands tomorrow");
    expect(await chips.count()).toBe(0);
    await field.fill("");
    await field.pressSequentially("Buy milk in 3 days #errands");
    await chips.nth(1).waitFor();
    await page.keyboard.press("Enter");
    await saved(page);
    const { json } = await device("GET", "/tasks?q=milk");
    const day = isoDay(new Date(Date.now() + 3 * 86_400_000));
    expect(json.tasks).toMatchObject([{ title: "Buy milk", due: day, tags: ["errands"] }]);
  });

  test("the dialog of a new task shows the day in its chip, and its cross keeps the words", async () => {
    const { page, device, open } = desk;
    await open("/tasks/done");
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New task" });
    const field = dialog.getByLabel("Title, or links");
    await field.pressSequentially("Call Ann on friday");
    await dialog.getByRole("button", { name: "Remove the due date" }).click();
    expect(await dialog.locator(".chip > span").allInnerTexts()).toEqual(["Folder", "Due"]);
    await dialog.getByRole("button", { name: "Add task" }).click();
    await saved(page);
    const { json } = await device("GET", "/tasks?q=call");
    expect(json.tasks).toMatchObject([{ title: "Call Ann on friday", due: null }]);
    await page.keyboard.press("Escape");
  });

  test("a due day can be typed in plain words", async () => {
    const { page, open, device } = desk;
    await open("/tasks/open?task=tea");
    await page.keyboard.press("d");
    await page.getByRole("combobox", { name: "Due date" }).fill("+2w");
    await page.locator("[role=option]").first().waitFor();
    await page.keyboard.press("Enter");
    await saved(page);
    const { json } = await device("GET", "/tasks/tea");
    expect(json.due).toBe(isoDay(new Date(Date.now() + 14 * 86_400_000)));
  });

  test("a column without a name is called so in the task, as on the board", async () => {
    const { page, open } = desk;
    await open("/tasks/open?task=tea");
    const column = page.getByLabel("Column", { exact: true });
    await column.selectOption({ label: "Unnamed column" });
    await page.locator(".chip", { hasText: "Unnamed column" }).waitFor();
  });

  test("the days to choose from are named as people say them", async () => {
    const { page, open } = desk;
    await open("/tasks/open?task=tea");
    await page.keyboard.press("d");
    const today = page.getByRole("option", { name: "Today" });
    const words = new Intl.DateTimeFormat("en-US", {
      weekday: "short",
      day: "numeric",
      month: "short",
    }).format(new Date());
    expect(await today.locator(".soft").innerText()).toBe(words);
    expect(await today.innerText()).not.toContain(isoDay(new Date()));
    await page.keyboard.press("Escape");
  });

  test("one button clears the search, and the field is ready for the next word", async () => {
    const { page, open, faults } = desk;
    await open("/tasks/search");
    await page.getByLabel("Search tasks, tabs and notes").fill("tea");
    await eventually(async () => (await titles(page)).join() === "Tea", "Tea is found");
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.keyboard.type("cake");
    await eventually(async () => (await titles(page)).join() === "Cake", "Cake is found");
    expect(faults).toEqual([]);
  });
});
