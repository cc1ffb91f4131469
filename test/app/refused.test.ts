import { expect, test } from "bun:test";
import { MAX_PAYLOAD } from "../../src/domain/base/payload.ts";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser, lookAt } from "../support/browser/browser.ts";
import { eventually, row, saved, useDesk } from "../support/app/desk.ts";

inBrowser("A change that the server refuses", () => {
  const desk = useDesk({
    prepare: async ({ device, open, page }) => {
      const payload = { title: "Full", status: "todo", filler: "x".repeat(MAX_PAYLOAD - 1_000) };
      const updated_at = formatInstant(Date.now() - 60_000);
      await device("POST", "/sync", [{ table: "sync_tasks", id: "full", updated_at, payload }]);
      await open("/tasks/open");
      await saved(page);
    },
  });

  const add = async (note: string): Promise<void> => {
    await desk.page.getByLabel("Add a note").fill(note);
    await desk.page.keyboard.press("Control+Enter");
  };

  test("is shown with the reason, and does not stop other changes", async () => {
    const { page, device } = desk;
    await row(page, "Full").getByRole("link").click();
    await add("y".repeat(2_000));
    await page.getByText("The server refused 1 change.").waitFor();
    await page.getByText("The server refused the last change:").waitFor();
    await page.getByLabel("Add a task", { exact: true }).fill("Another");
    await page.keyboard.press("Enter");
    await eventually(async () => (await device("GET", "/tasks")).json.tasks.length === 2);
    await page.getByRole("link", { name: "See why" }).click();
    await page.getByRole("button", { name: "Throw the change away" }).waitFor();
    expect(await lookAt(page, "app-refused-change")).toEqual([]);
  });

  test("is asked about before signing out, also on the account pages", async () => {
    const other = await desk.context.newPage();
    await other.goto("/account");
    const asked = await other.locator("form[action='/sign-out']").getAttribute("data-confirm");
    expect(asked).toBe(
      "1 change in this browser is not on the server. If you sign out now, you lose it. Sign out?",
    );
    await other.close();
  });

  test("is accepted once it is corrected", async () => {
    const { page } = desk;
    await page.getByRole("link", { name: "Correct it" }).click();
    await page.getByRole("button", { name: "Remove the note" }).click();
    await page.getByText("The server has accepted all of your changes.").waitFor();
  });

  test("can be thrown away, and then the server's version is back", async () => {
    const { page, faults } = desk;
    await add("z".repeat(2_000));
    await page.getByRole("button", { name: "Throw the change away" }).click();
    await page.getByText("The server has accepted all of your changes.").waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
