import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { isoDay } from "../../src/ui/words/dates.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

inBrowser("The inbox, wherever Ann meets it", () => {
  const desk = useDesk({
    prepare: async ({ agent, device, open, page }) => {
      const url = "https://museum.example/";
      await agent("POST", "/inbox/tabs", [{ url, title: "Museum" }]);
      const [{ id }] = (await device("GET", "/tasks")).json.tasks;
      await device("PATCH", `/tasks/${id}`, { due: isoDay(new Date()) });
      const payload = { title: "Trip", pages: [{ id: "boat", url: "https://boat.example/" }] };
      const updated_at = formatInstant(Date.now() - 60_000);
      await device("POST", "/sync", [{ table: "sync_tasks", id: "trip", updated_at, payload }]);
      await open("/tasks/today");
      await saved(page);
    },
  });

  test("is called Inbox in a list, and in its own panel", async () => {
    const { page } = desk;
    await row(page, "Inbox").waitFor();
    expect(await titles(page)).toEqual(["Inbox"]);
    await row(page, "Inbox").getByRole("link").click();
    await page.getByRole("complementary", { name: "Task: Inbox" }).waitFor();
    await page.getByRole("heading", { name: "Inbox", exact: true }).waitFor();
    expect(await page.getByText("Agent unsorted").count()).toBe(0);
  });

  test("is found by that name in the search", async () => {
    const { page, open } = desk;
    await open("/tasks/search");
    await page.getByLabel("Search tasks, tabs and notes").fill("inbox");
    await eventually(async () => (await titles(page)).join() === "Inbox", "the inbox is found");
  });

  test("is called Inbox when a tab moves there, and keeps its title for agents", async () => {
    const { page, open, agent } = desk;
    await open("/tasks/open?task=trip");
    await page.getByLabel("Select https://boat.example/").click();
    await page.getByRole("toolbar").getByRole("button", { name: "Move", exact: true }).click();
    await page.getByRole("combobox", { name: "Choose a task" }).fill("inbox");
    await page.getByRole("option", { name: "Inbox", exact: true }).click();
    await page.getByText("1 tab moved to “Inbox”").waitFor();
    await saved(page);
    const { json } = await agent("GET", "/tasks?q=boat");
    expect(json.tasks).toMatchObject([{ title: "Agent unsorted", tab_count: 2 }]);
  });
});

inBrowser("What an agent made", () => {
  const desk = useDesk({
    prepare: async ({ agent, open, page }) => {
      const url = "https://museum.example/";
      const { json } = await agent("POST", "/tasks", { title: "Visit", tabs: [{ url }] });
      await agent("POST", `/tasks/${json.id}/notes`, { text: "Closed on Mondays" });
      await open("/tasks/open");
      await saved(page);
    },
  });

  test("names the agent's key: the task, its tab, and its note", async () => {
    const { page } = desk;
    await row(page, "Visit").getByRole("link").click();
    await page.getByText("Made by helper").waitFor();
    await page.locator(".tab .fact.by").getByText("helper").waitFor();
    await page.locator(".note").getByText("helper").waitFor();
    expect(await row(page, "Visit").getByTitle("Made by helper").count()).toBe(1);
  });

  test("still names the key after Ann has changed the task", async () => {
    const { page, open } = desk;
    await page.getByLabel("Status", { exact: true }).selectOption("in_progress");
    await saved(page);
    await open(page.url());
    await page.getByText("Made by helper").waitFor();
  });
});

inBrowser("A folder whose name shows nothing", () => {
  const desk = useDesk({
    prepare: async ({ device, open }) => {
      const updated_at = formatInstant(Date.now() - 60_000);
      await device("POST", "/sync", [
        { table: "sync_projects", id: "f", updated_at, payload: { name: "\u200B\u3164" } },
        { table: "sync_buckets", id: "b", updated_at, payload: { name: "\u200B" } },
        { table: "sync_tasks", id: "t", updated_at, payload: { title: "Trip", project_id: "f" } },
      ]);
      await open("/tasks/open");
    },
  });

  test("is called Unnamed folder at the side, in a row, and where a folder is chosen", async () => {
    const { page } = desk;
    await row(page, "Trip").getByText("Unnamed folder", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Unnamed folder" }).waitFor();
    await row(page, "Trip").getByRole("link").click();
    const panel = page.getByRole("complementary", { name: "Task: Trip" });
    await panel.locator(".chip", { hasText: "Unnamed folder" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("unnamed");
    await page.getByRole("option", { name: "Unnamed folder Folder" }).waitFor();
  });

  test("has an empty field for its name, as a column has, and gets the name that is typed there", async () => {
    const { page, open, device } = desk;
    await open("/tasks/folder/f");
    const folder = page.getByRole("textbox", { name: "Folder name" });
    await eventually(async () => (await folder.inputValue()) === "", "the field is empty");
    expect(await folder.getAttribute("placeholder")).toBe("Unnamed folder");
    await folder.fill("Home");
    await folder.press("Enter");
    const names = async () => {
      const { sync_projects, sync_buckets } = (await device("GET", "/sync")).json.changes;
      return [sync_projects[0].payload.name, sync_buckets[0].payload.name];
    };
    await eventually(async () => (await names())[0] === "Home", "the folder is renamed");
    await open("/tasks/board");
    await page.getByRole("button", { name: "More for Unnamed column" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    const column = page.getByRole("textbox", { name: "Name of the column" });
    expect(await column.inputValue()).toBe("");
    await column.fill("Later");
    await column.press("Enter");
    await page.getByRole("region", { name: "Later" }).waitFor();
    expect(await page.getByText("Someone else changed this too").count()).toBe(0);
    await eventually(async () => (await names())[1] === "Later", "the column is renamed");
  });
});

inBrowser("A name that is too long", () => {
  const desk = useDesk({
    prepare: async ({ device, open, page }) => {
      const updated_at = formatInstant(Date.now() - 60_000);
      const payload = { title: "Trip", status: "todo" };
      await device("POST", "/sync", [{ table: "sync_tasks", id: "t", updated_at, payload }]);
      await open("/tasks/open");
      await saved(page);
    },
  });

  test.each([
    ["a tag", "/tasks/open?task=t", "Add a tag", "Add a tag", "combobox"],
    ["a new folder", "/tasks/open", "Add a folder", "Name of the new folder", "textbox"],
    ["a new column", "/tasks/board", "Add a column", "Name of the new column", "textbox"],
    ["a folder to move to", "/tasks/open", "Move", "Choose a folder", "combobox"],
  ] as const)(
    "for %s stays in its field, also after a reload, which says to shorten it",
    async (_name, path, button, label, role) => {
      const { page, open, device } = desk;
      const name = "n".repeat(300);
      const field = page.getByRole(role, { name: label, exact: true });
      const show = async () => {
        if (button === "Move")
          await page.getByLabel("Select Trip").setChecked(true, { force: true });
        const opener = page.getByRole("button", { name: button, exact: true });
        if (!(await field.isVisible())) await opener.click();
        await page.getByText(/^\d+ characters too long\. Shorten/).waitFor();
        expect(await field.inputValue()).toBe(name);
      };
      await open(path);
      if (button === "Move") await page.getByLabel("Select Trip").setChecked(true, { force: true });
      await page.getByRole("button", { name: button, exact: true }).click();
      await field.fill(name);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await show();
      await open(path);
      await page.getByText("All saved").first().waitFor();
      await show();
      const { json } = await device("GET", "/sync");
      expect(JSON.stringify(json)).not.toContain(name);
      await field.fill("");
      await page.keyboard.press("Escape");
    },
  );
});
