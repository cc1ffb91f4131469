import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inEachBrowser } from "../support/browser/engines.ts";
import { afterTyping, eventually, saved, titles, useDesk } from "../support/app/desk.ts";

inEachBrowser("Ann works with the keyboard alone:", (engine) => {
  const desk = useDesk({
    engine,
    prepare: async ({ device }) => {
      const updated_at = formatInstant(Date.now() - 60_000);
      const task = (id: string) => ({
        table: "sync_tasks",
        id,
        updated_at,
        payload: { title: id, status: "todo", position: `a${id}` },
      });
      await device("POST", "/sync", ["0", "1", "2", "3"].map(task));
    },
  });

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await desk.page.keyboard.press(key);
  };
  const type = (text: string) => desk.page.keyboard.type(text);
  const heading = (name: string) => desk.page.getByRole("heading", { level: 1, name }).waitFor();
  /** The title of the row that has the focus. */
  const focused = () => desk.page.evaluate("document.activeElement.textContent");

  test("g and a letter go to each view", async () => {
    await desk.open("/tasks");
    for (const [key, name] of [
      ["i", "Inbox"],
      ["b", "Board"],
      ["f", "From agents"],
      ["d", "Done"],
      ["x", "Trash"],
      ["t", "Today"],
      ["a", "All open"],
    ] as const) {
      await press("g", key);
      await heading(name);
    }
  });

  test("j and k move, o opens, Escape closes", async () => {
    await eventually(async () => (await titles(desk.page)).length === 4);
    await press("j", "j");
    await eventually(async () => (await focused()) === "1");
    await press("k");
    await eventually(async () => (await focused()) === "0");
    await press("o");
    await desk.page.getByRole("complementary", { name: "Task: 0" }).waitFor();
    await press("Escape");
    await desk.page.getByRole("complementary").waitFor({ state: "detached" });
  });

  test("n adds a task, with links as its tabs", async () => {
    await press("n");
    await type("From the keyboard https://a.example/");
    await press("Enter");
    await eventually(async () => (await titles(desk.page)).includes("From the keyboard"));
    await saved(desk.page);
    await press("Escape");
    await afterTyping(desk.page);
  });

  test("x selects several, e finishes them, u takes it back", async () => {
    await press("k", "k", "k", "k", "k", "x", "j", "x", "e");
    await eventually(async () => (await titles(desk.page)).length === 3);
    await press("u");
    await eventually(async () => (await titles(desk.page)).length === 5);
  });

  test("Alt and an arrow move a task, as dragging does", async () => {
    await press("k", "k", "k", "k", "k");
    const [first] = await titles(desk.page);
    await press("Alt+ArrowDown");
    await eventually(async () => (await titles(desk.page))[1] === first);
  });

  test("m moves to a folder, also a new one; d sets the day", async () => {
    await press("m");
    await type("Errands");
    await press("Enter");
    await desk.page.getByRole("link", { name: /^Errands/ }).waitFor();
    await afterTyping(desk.page);
    await press("d");
    await type("tomorrow");
    await press("Enter");
    await desk.page.locator(".row .due", { hasText: "Tomorrow" }).waitFor();
    await afterTyping(desk.page);
  });

  test("/ searches, and Down leads to what was found", async () => {
    await press("/");
    await type("keyboard");
    await eventually(async () => (await titles(desk.page)).join() === "From the keyboard");
    const nothing = desk.page.getByRole("heading", { level: 2, name: "Nothing found" });
    expect(await nothing.count()).toBe(0);
    await press("ArrowDown");
    await eventually(async () => (await focused()) === "From the keyboard");
    await press("#");
    await eventually(async () => (await titles(desk.page)).length === 0);
    await nothing.waitFor();
  });

  test("j and k move on the board too; Alt and an arrow move a card in its column, and to the next", async () => {
    const { page, device } = desk;
    const cards = (column: string) =>
      page.getByRole("region", { name: column }).locator(".title").allInnerTexts();
    await press("Escape", "g", "b");
    await heading("Board");
    await eventually(async () => (await cards("To do")).length === 4);
    const [first = "", second = ""] = await cards("To do");
    await press("j");
    await press("k", "k", "k", "k", "k");
    await eventually(async () => (await focused()) === first);
    await press("j");
    await eventually(async () => (await focused()) === second);
    await press("Alt+ArrowUp");
    await eventually(async () => (await cards("To do"))[0] === second);
    await press("Alt+ArrowRight");
    await eventually(async () => (await cards("In progress")).join() === second);
    expect(await focused()).toBe(second);
    await press("Alt+ArrowLeft");
    await eventually(async () => (await cards("To do")).length === 4);
    await saved(page);
    expect((await device("GET", `/tasks/${second}`)).json.status).toBe("todo");
  });

  test("a tab moves to the inbox by m, as by dragging it there", async () => {
    const { page, agent } = desk;
    await agent("POST", "/inbox/tabs", [{ url: "https://one.example/", title: "One" }]);
    await press("g", "i");
    await page.getByText("One", { exact: true }).waitFor();
    await press("j", "m");
    await type("New home");
    await press("Enter");
    await page.getByText("One", { exact: true }).waitFor({ state: "detached" });
    await afterTyping(desk.page);
    await press("/");
    await type("New home");
    await eventually(async () => (await titles(page)).join() === "New home");
    await press("ArrowDown", "Enter");
    await page.locator(".panel .tab .title").focus();
    await press("m");
    await type("inbox");
    await press("Enter");
    await afterTyping(desk.page);
    await press("Escape", "g", "i");
    await page.getByText("One", { exact: true }).waitFor();
  });

  test("without single keys, the palette does the same", async () => {
    const { page } = desk;
    await press("g", "a", "?", "Tab");
    await page.getByLabel(/^Single-key shortcuts/).focus();
    await press("Space", "Escape");
    await press("e", "x");
    expect(await page.getByText("selected").count()).toBe(0);
    await press("ArrowDown", "Control+k");
    await type("select or");
    await press("Enter");
    await page.getByText("1 selected").waitFor();
    await press("Control+k");
    await type("finish");
    await press("Enter");
    await page.getByText("1 task done").waitFor();
    await press("Control+z");
    await page.getByText("Undone: 1 task done").waitFor();
    await press("Control+k");
    await type("keyboard shortcuts");
    await press("Enter");
    await page.getByLabel(/^Single-key shortcuts/).focus();
    await press("Space", "Escape");
    await afterTyping(desk.page);
    await press("g", "t");
    await heading("Today");
  });

  test("Ctrl+K does everything by name, and ? lists the keys", async () => {
    await press("Control+k");
    await type("go to don");
    await press("Enter");
    await heading("Done");
    await afterTyping(desk.page);
    await press("?");
    await desk.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press("Escape");
    await desk.page.getByRole("dialog").waitFor({ state: "detached" });
    expect(desk.faults).toEqual([]);
  });
});
