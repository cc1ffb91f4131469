import { expect, test } from "bun:test";
import { inChromium } from "../support/browser/engines.ts";
import { add, eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

inChromium("A task's history, in the app,", (engine) => {
  const desk = useDesk({ engine });
  const dialog = () => desk.page.getByRole("dialog", { name: "History" });

  test("tells what was changed, and an earlier version is restored without leaving", async () => {
    const { page, open, device, agent } = desk;
    await open("/tasks/open");
    await add(page, "Buy milk");
    await saved(page);
    const [made] = (await device("GET", "/tasks")).json.tasks as { id: string }[];
    await agent("PATCH", `/tasks/${made?.id}`, { title: "Buy oat milk" });
    await row(page, "Buy oat milk").getByRole("link").click();
    await page.locator(".panel-foot").getByRole("link", { name: "History" }).click();
    await dialog().getByText("Changed by the key helper").waitFor();
    expect(await dialog().innerText()).toMatch(/from\s+Buy milk\s+to\s+Buy oat milk/);
    // Times are written as everywhere in the app, for the reader's own place and language.
    expect(await dialog().innerText()).not.toContain("UTC");
    await dialog().getByRole("link", { name: "Restore the version before this" }).click();
    await dialog().getByRole("button", { name: "Restore this version" }).click();
    await dialog().getByText("The version is restored.").waitFor();
    await dialog().getByRole("heading", { name: "Restored by you" }).waitFor();
    await page.keyboard.press("Escape");
    await eventually(async () => (await titles(page)).join() === "Buy milk");
    expect(new URL(page.url()).pathname).toBe("/tasks/open");
    expect(desk.faults).toEqual([]);
  });

  test("and its notes link each address once", async () => {
    const { page } = desk;
    await page.getByLabel("Add a note").fill("https://a.example/x and again https://a.example/x");
    await page.keyboard.press("Control+Enter");
    const links = page.getByRole("list", { name: "Links in the note" }).getByRole("link");
    await eventually(async () => (await links.allInnerTexts()).join() === "a.example/x");
  });

  test("says so if the server cannot be reached", async () => {
    const { page } = desk;
    await desk.stop();
    await page.locator(".panel-foot").getByRole("link", { name: "History" }).click();
    await dialog().getByText("The history is on the server").waitFor();
    await page.keyboard.press("Escape");
    await desk.start();
    await page.locator(".panel-foot").getByRole("link", { name: "History" }).click();
    await dialog().getByText("Restored by you").waitFor();
  });
});
