import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

const task = (id: string, payload: object, isDeleted = false) => ({
  table: "sync_tasks",
  id,
  updated_at: formatInstant(Date.now() - 60_000 - id.length),
  ...(isDeleted ? { deleted_at: formatInstant(Date.now() - 60_000) } : {}),
  payload,
});

inChromium("The trash", (engine) => {
  const desk = useDesk({ engine });
  const reads = (...wanted: readonly string[]) =>
    eventually(async () => (await titles(desk.page)).join("|") === wanted.join("|"));

  beforeAll(async () => {
    await desk.device("POST", "/sync", [
      task("a", { title: "Deleted" }, true),
      task("bb", { title: "Thrown away", bucket_id: "trash" }),
      task("ccc", { title: "Another" }, true),
      task("dddd", { title: "Kept" }),
    ]);
  });

  test("says of an open task that it is there, and its menu gets rid of that alone", async () => {
    const { page, open } = desk;
    await open("/tasks/trash");
    await reads("Deleted", "Thrown away", "Another");
    await row(page, "Thrown away").getByRole("link").click();
    await page.getByText("This task is in the trash.").waitFor();
    await page.getByRole("button", { name: "More for this task" }).click();
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
      "Copy as Markdown\nCtrl C",
      "Copy a link to this task",
      "Export",
      "History",
      "Restore",
      "Delete for good",
    ]);
    await page.getByRole("menuitem", { name: "Delete for good" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete for good" });
    expect(await dialog.innerText()).toContain("It leaves the trash on all your devices.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await reads("Deleted", "Thrown away", "Another");
    await page.getByRole("button", { name: "More for this task" }).click();
    await page.getByRole("menuitem", { name: "Delete for good" }).click();
    await dialog.getByRole("button", { name: "Delete 1 task" }).click();
    await reads("Deleted", "Another");
    await page.getByRole("complementary", { name: /^Task: / }).waitFor({ state: "detached" });
  });

  test("is emptied at once, and Undo brings all of that back", async () => {
    const { page } = desk;
    await page.getByRole("button", { name: "Empty the trash" }).click();
    await page.getByRole("button", { name: "Delete 2 tasks" }).click();
    await page.getByText("The trash is empty").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await reads("Deleted", "Another");
  });

  test("what was deleted for good is still under all deleted items, to be restored", async () => {
    const { page, open } = desk;
    await page.getByRole("button", { name: "Empty the trash" }).click();
    await page.getByRole("button", { name: "Delete 2 tasks" }).click();
    await page.getByText("The trash is empty").waitFor();
    await saved(page);
    await page.getByRole("link", { name: "All deleted items" }).click();
    await page.getByRole("button", { name: "Restore Deleted", exact: true }).click();
    await page.getByText("The task Deleted is restored.").waitFor();
    await open("/tasks/open");
    await reads("Deleted", "Kept");
  });
});
