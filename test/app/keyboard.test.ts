import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser, startBrowser } from "../browser/_browser.ts";
import { type Desk, eventually, saved, startDesk, titles } from "./_app.ts";

inBrowser("Ann works with the keyboard alone:", () => {
  let browser: Browser;
  let desk: Desk;

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await desk.page.keyboard.press(key);
  };
  const type = (text: string) => desk.page.keyboard.type(text);
  const heading = (name: string) => desk.page.getByRole("heading", { level: 1, name }).waitFor();
  /** The title of the row that has the focus. */
  const focused = () => desk.page.evaluate("document.activeElement.textContent");

  beforeAll(async () => {
    browser = await startBrowser();
    desk = await startDesk(browser);
    const updated_at = formatInstant(Date.now() - 60_000);
    const task = (id: string) => ({
      table: "sync_tasks",
      id,
      updated_at,
      payload: { title: id, status: "todo", position: `a${id}` },
    });
    await desk.device("POST", "/sync", ["0", "1", "2", "3"].map(task));
  }, 120_000);

  afterAll(async () => {
    await desk?.end();
    await browser?.close();
  });

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
  }, 60_000);

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
  }, 60_000);

  test("n adds a task, with links as its tabs", async () => {
    await press("n");
    await type("From the keyboard https://a.example/");
    await press("Enter");
    await eventually(async () => (await titles(desk.page)).includes("From the keyboard"));
    await saved(desk.page);
  }, 60_000);

  test("x selects several, e finishes them, u takes it back", async () => {
    await press("k", "k", "k", "k", "k", "x", "j", "x", "e");
    await eventually(async () => (await titles(desk.page)).length === 3);
    await press("u");
    await eventually(async () => (await titles(desk.page)).length === 5);
  }, 60_000);

  test("Alt and an arrow move a task, as dragging does", async () => {
    await press("k", "k", "k", "k", "k");
    const [first] = await titles(desk.page);
    await press("Alt+ArrowDown");
    await eventually(async () => (await titles(desk.page))[1] === first);
  }, 60_000);

  test("m moves to a folder, also a new one; d sets the day", async () => {
    await press("m");
    await type("Errands");
    await press("Enter");
    await desk.page.getByRole("link", { name: /^Errands/ }).waitFor();
    await press("d");
    await type("tomorrow");
    await press("Enter");
    await desk.page.locator(".row .due", { hasText: "Tomorrow" }).waitFor();
  }, 60_000);

  test("/ searches, and Down leads to what was found", async () => {
    await press("/");
    await type("keyboard");
    await eventually(async () => (await titles(desk.page)).join() === "From the keyboard");
    await press("ArrowDown");
    await eventually(async () => (await focused()) === "From the keyboard");
    await press("#");
    await eventually(async () => (await titles(desk.page)).length === 0);
  }, 60_000);

  test("Ctrl+K does everything by name, and ? lists the keys", async () => {
    await press("Control+k");
    await type("go to don");
    await press("Enter");
    await heading("Done");
    await press("?");
    await desk.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press("Escape");
    await desk.page.getByRole("dialog").waitFor({ state: "detached" });
    expect(desk.faults).toEqual([]);
  }, 60_000);
});
