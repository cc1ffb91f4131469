import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { inBrowser, startBrowser } from "../browser/_browser.ts";
import { type Desk, eventually, row, saved, startDesk, titles } from "./_app.ts";

inBrowser("Ann, an agent, and a network that goes away:", () => {
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    browser = await startBrowser();
    desk = await startDesk(browser);
  }, 120_000);

  afterAll(async () => {
    await desk?.end();
    await browser?.close();
  });

  const add = async (title: string): Promise<void> => {
    await desk.page.getByLabel("Add a task").fill(title);
    await desk.page.keyboard.press("Enter");
    await eventually(async () => (await titles(desk.page)).includes(title));
  };

  test("an agent's tab appears while she edits the same task, and what she types stays", async () => {
    const { page, open, agent } = desk;
    await open("/tasks/open");
    await add("Plan the trip");
    await saved(page);
    const [{ id }] = (await agent("GET", "/tasks")).json.tasks;
    await row(page, "Plan the trip").getByRole("link").click();
    await page.getByRole("textbox", { name: "Title" }).click();
    await page.keyboard.type(" to Porto");
    await agent("POST", `/tasks/${id}/tabs`, [{ url: "https://cp.example/", title: "Trains" }]);
    await page.getByRole("region", { name: "Tabs" }).getByText("Trains").waitFor();
    await page.keyboard.type(" in May");
    await page.keyboard.press("Enter");
    const task = async () => (await agent("GET", `/tasks/${id}`)).json;
    await eventually(async () => (await task()).title === "Plan the trip to Porto in May");
    expect((await task()).tab_count).toBe(1);
  }, 60_000);

  test("she sorts the inbox that the agent filled", async () => {
    const { page, agent } = desk;
    await agent("POST", "/inbox/tabs", [
      { url: "https://one.example/", title: "One" },
      { url: "https://two.example/", title: "Two" },
    ]);
    await page.getByRole("link", { name: /^Inbox/ }).click();
    await page.getByRole("button", { name: "Move to… (One)" }).click();
    await page.keyboard.type("Plan the trip");
    await page.keyboard.press("Enter");
    await eventually(async () => (await page.locator(".tab").count()) === 1);
    await page.getByRole("button", { name: "Move to… (Two)" }).click();
    await page.keyboard.type("Something new");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your inbox is empty" }).waitFor();
    await saved(page);
    const { tasks } = (await agent("GET", "/tasks")).json;
    const counts = tasks.map((task: { title: string; tab_count: number }) => [
      task.title,
      task.tab_count,
    ]);
    expect(Object.fromEntries(counts)).toMatchObject({
      "Plan the trip to Porto in May": 2,
      "Something new": 1,
    });
  }, 60_000);

  test("she keeps one thing that an agent did, and takes others back", async () => {
    const { page, agent } = desk;
    await page.getByRole("link", { name: /^From agents/ }).click();
    await page.getByRole("button", { name: "Keep all" }).click();
    await agent("POST", "/tasks", { title: "A good idea" });
    await agent("POST", "/tasks", { title: "A bad idea" });
    const { tasks } = (await agent("GET", "/tasks")).json;
    const trip = tasks.find(({ title }: { title: string }) => title.startsWith("Plan the trip"));
    await agent("POST", `/tasks/${trip.id}/tabs`, [{ url: "https://ad.example/", title: "Ad" }]);
    await page.getByRole("button", { name: "Undo A bad idea" }).click();
    await page.getByText("Task deleted").waitFor();
    await page.getByRole("button", { name: "Undo Plan the trip to Porto in May" }).click();
    await page.getByText("1 tab removed").waitFor();
    await page.getByRole("button", { name: "Keep A good idea" }).click();
    await eventually(async () => (await page.locator(".row-acts").count()) === 0);
    expect(await titles(page)).toContain("A good idea");
    await page.reload();
    await eventually(async () => (await titles(page)).includes("A good idea"));
    expect(await page.locator(".row-acts").count()).toBe(0);
    await saved(page);
    const left = (await agent("GET", "/tasks")).json.tasks.map(
      (task: { title: string }) => task.title,
    );
    expect([left.includes("A good idea"), left.includes("A bad idea")]).toEqual([true, false]);
    expect((await agent("GET", `/tasks/${trip.id}`)).json.tab_count).toBe(trip.tab_count);
  }, 60_000);

  test("text of pages and agents is text, and only web addresses are links", async () => {
    const { page, open, device } = desk;
    const title = `<img src=x onerror="document.title='ran'"> ${"W".repeat(300)}`;
    const payload = {
      title,
      status: "todo",
      pages: [{ id: "p", url: "javascript:document.title='ran'", title: "<b>press me</b>" }],
      notes: [{ id: "n", text: "<script>document.title='ran'</script>" }],
    };
    const updated_at = new Date(Date.now() - 1_000).toISOString();
    await device("POST", "/sync", [{ table: "sync_tasks", id: "odd", updated_at, payload }]);
    await open("/tasks/open?task=odd");
    await page.getByText("<b>press me</b>").click();
    expect(await page.locator(".tab a").count()).toBe(0);
    expect(await page.title()).toBe("All open · Docket");
    const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await page.evaluate(wide)).toBe(false);
  }, 60_000);

  test("offline she reloads and works on; later everything arrives", async () => {
    const { page, open, context, device } = desk;
    await open("/tasks/open");
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await page.reload();
    await saved(page);
    await context.setOffline(true);
    await page.reload();
    await add("Written on the train");
    await row(page, "Something new").getByRole("button", { name: /^Mark/ }).click();
    await eventually(async () => !(await titles(page)).includes("Something new"));
    await page.reload();
    await eventually(async () => (await titles(page)).includes("Written on the train"));
    expect(await titles(page)).not.toContain("Something new");
    await context.setOffline(false);
    await saved(page);
    const { tasks } = (await device("GET", "/tasks")).json;
    expect(tasks.map((task: { title: string }) => task.title)).toContain("Written on the train");
  }, 60_000);

  test("signing out asks while changes wait, and erases the copy", async () => {
    const { page, open, context } = desk;
    await open("/tasks/open");
    await saved(page);
    await context.setOffline(true);
    await add("Not sent yet");
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out" });
    expect(await dialog.innerText()).toContain(
      "1 change in this browser has not reached the server",
    );
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await context.setOffline(false);
    await saved(page);
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    const left = "indexedDB.databases().then((all) => all.length)";
    expect([await page.evaluate(left), await page.evaluate("localStorage.length")]).toEqual([0, 0]);
  }, 60_000);
});
