import { expect, test } from "bun:test";
import { inEachBrowser } from "../support/browser/engines.ts";
import { eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

inEachBrowser("Ann, an agent, and a network that goes away:", (engine) => {
  const desk = useDesk({ engine });

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
  });

  test("a half-typed note and the caret in it stay too, while a tab and a note arrive", async () => {
    const { page, agent, device } = desk;
    const [{ id }] = (await agent("GET", "/tasks")).json.tasks;
    const note = page.getByLabel("Add a note");
    await note.click();
    await page.keyboard.type("Ask about ");
    await page.keyboard.press("ArrowLeft");
    await agent("POST", `/tasks/${id}/tabs`, [{ url: "https://sncf.example/", title: "Night" }]);
    await agent("POST", `/tasks/${id}/notes`, { text: "A note of the agent" });
    await page.getByRole("region", { name: "Tabs" }).getByText("Night").waitFor();
    await eventually(async () => (await page.getByRole("article").count()) === 1);
    await page.keyboard.type("the bikes,");
    expect(await note.inputValue()).toBe("Ask aboutthe bikes, ");
    // A note that is being edited is not replaced by what another device makes of it.
    await page.keyboard.press("Control+Enter");
    await eventually(async () => (await page.getByRole("article").count()) === 2);
    await saved(page);
    const mine = page.getByLabel("Note", { exact: true }).last();
    await mine.focus();
    await page.keyboard.press("Home");
    await page.keyboard.type("1. ");
    const { changes } = (await device("GET", "/sync")).json;
    const synced = changes.sync_tasks.find((one: { id: string }) => one.id === id);
    const payload = { ...synced.payload, due: "2031-05-06" };
    const [updated_at, base_updated_at] = [new Date().toISOString(), synced.updated_at];
    await device("POST", "/sync", [
      { table: "sync_tasks", id, updated_at, base_updated_at, payload },
    ]);
    await eventually(
      async () =>
        (await page.getByLabel("Due date", { exact: true }).inputValue()) === "2031-05-06",
    );
    await page.keyboard.type("First, ");
    expect(await mine.inputValue()).toBe("1. First, Ask aboutthe bikes,");
    await page.keyboard.press("Control+Enter");
    await saved(page);
    const { notes, due } = (await agent("GET", `/tasks/${id}`)).json;
    expect([due, notes.map(({ text }: { text: string }) => text)]).toEqual([
      "2031-05-06",
      ["A note of the agent", "1. First, Ask aboutthe bikes,"],
    ]);
  });

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
    await eventually(async () => (await page.locator(".tab").count()) === 0);
    await saved(page);
    const { tasks } = (await agent("GET", "/tasks")).json;
    const counts = tasks.map((task: { title: string; tab_count: number }) => [
      task.title,
      task.tab_count,
    ]);
    expect(Object.fromEntries(counts)).toMatchObject({
      "Plan the trip to Porto in May": 3,
      "Something new": 1,
    });
  });

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
  });

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
  });

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
  });

  test("signing out asks while changes wait, and erases the copy", async () => {
    const { page, open, context } = desk;
    await open("/tasks/open");
    await saved(page);
    await context.setOffline(true);
    await add("Not sent yet");
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out" });
    expect(await dialog.innerText()).toContain("1 change in this browser is not on the server");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await context.setOffline(false);
    await saved(page);
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    const left = "indexedDB.databases().then((all) => all.length)";
    expect([await page.evaluate(left), await page.evaluate("localStorage.length")]).toEqual([0, 0]);
  });

  test("with nobody signed in and the server away, the app says what it needs", async () => {
    const { page, start, stop } = desk;
    await stop("SIGKILL");
    await page.goto("/tasks/open");
    await page.getByText("Docket cannot reach the server to find out who is signed in.").waitFor();
    await start();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL(/\/sign-in/);
  });
});
