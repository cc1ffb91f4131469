import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { placeOf } from "../../src/domain/tasks/positions.ts";
import { inChromium } from "../support/browser/engines.ts";
import { drag } from "../support/browser/pointer.ts";
import { afterTyping, eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

/** Waits until something reads so. */
const inOrder = (read: () => Promise<readonly unknown[]>, ...names: readonly string[]) =>
  eventually(async () => (await read()).join() === names.join());

inChromium("Ann arranges folders, columns and cards:", (engine) => {
  const desk = useDesk({ engine });

  const push = (table: string, id: string, payload: object) =>
    desk.device("POST", "/sync", [
      { table, id, updated_at: formatInstant(Date.now() - 60_000), payload },
    ]);
  const folders = () => desk.page.locator(".folders .name").allTextContents();
  const folder = (name: string) => desk.page.locator(".folders li", { hasText: name });
  /** All but the last column, which has what is done. */
  const columns = async () =>
    (
      await desk.page.locator(".column").evaluateAll((all) => all.map((one) => one.ariaLabel))
    ).slice(0, -1);
  type Sent = { readonly payload: { readonly name: string; readonly position?: string } };
  /** The folders in the order that other devices get. */
  const positions = async (): Promise<readonly string[]> => {
    const sent: readonly Sent[] = (await desk.device("GET", "/sync")).json.changes.sync_projects;
    return sent
      .map(({ payload: { name, position = null } }) => ({
        name,
        at: placeOf({ id: name, position }),
      }))
      .toSorted((a, b) => Number(a.at > b.at) - Number(a.at < b.at) || a.name.localeCompare(b.name))
      .map(({ name }) => name);
  };

  beforeAll(async () => {
    for (const name of ["Alpha", "Beta", "Gamma"])
      await push("sync_projects", name.toLowerCase(), { name });
    await push("sync_tasks", "a", { title: "First task", status: "todo" });
    await push("sync_tasks", "b", { title: "Second task", status: "todo" });
  });

  test("a folder is dragged above another, and other devices get the order", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await inOrder(folders, "Alpha", "Beta", "Gamma");
    await drag(engine, folder("Gamma"), folder("Alpha"), { x: 60, y: 3 });
    await inOrder(folders, "Gamma", "Alpha", "Beta");
    await saved(page);
    expect(await positions()).toEqual(["Gamma", "Alpha", "Beta"]);
  });

  test("Alt and an arrow move the folder that has the focus, and the focus stays on it", async () => {
    const { page } = desk;
    await folder("Gamma").getByRole("link").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await inOrder(folders, "Alpha", "Gamma", "Beta");
    await eventually(() =>
      page.evaluate<boolean>("document.activeElement.dataset.folder === 'gamma'"),
    );
    await page.keyboard.press("Alt+ArrowDown");
    await inOrder(folders, "Alpha", "Beta", "Gamma");
    await eventually(() =>
      page.evaluate<boolean>("document.activeElement.dataset.folder === 'gamma'"),
    );
    await page.keyboard.press("Alt+ArrowDown");
    await inOrder(folders, "Alpha", "Beta", "Gamma");
  });

  test("by touch, the folder's own menu moves it", async () => {
    const { page, open } = desk;
    await page.setViewportSize({ width: 390, height: 844 });
    await open("/tasks/folder/beta");
    await page.getByRole("button", { name: "More for this folder" }).click();
    await page.getByRole("menuitem", { name: "Move up" }).click();
    await inOrder(folders, "Beta", "Alpha", "Gamma");
    await page.getByRole("button", { name: "More for this folder" }).click();
    expect(await page.getByRole("menuitem", { name: "Move up" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("the palette moves the folder that is shown, and makes a new one", async () => {
    const { page, open } = desk;
    await open("/tasks/folder/beta");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("folder down");
    await page.keyboard.press("Enter");
    await inOrder(folders, "Alpha", "Beta", "Gamma");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new folder");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Delta");
    await page.keyboard.press("Enter");
    await eventually(async () => (await folders()).includes("Delta"));
  });

  test("by touch, a task's own menu moves it up the list", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).length === 2);
    const [first = "", second = ""] = await titles(page);
    await row(page, second).getByRole("link").click();
    await page.getByRole("button", { name: "More for this task" }).click();
    await page.getByRole("menuitem", { name: "Move up" }).click();
    await inOrder(() => titles(page), second, first);
  });

  test("columns are added, renamed, dragged, moved by their menu and deleted", async () => {
    const { page, open } = desk;
    await open("/tasks/board");
    for (const name of ["Now", "Next", "Some day"]) {
      await page.getByRole("button", { name: "Add a column" }).click();
      await page.getByLabel("Name of the new column").fill(name);
      await page.keyboard.press("Enter");
      await eventually(async () => (await columns()).includes(name));
    }
    const head = (name: string) =>
      page.getByRole("region", { name, exact: true }).getByRole("heading");
    const menu = async (name: string, item: string) => {
      await page.getByRole("button", { name: `More for ${name}` }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await drag(engine, head("Some day"), head("Now"), { x: 10, y: 10 });
    await eventually(
      async () => (await columns()).indexOf("Some day") < (await columns()).indexOf("Now"),
    );
    await menu("Some day", "Rename");
    await page.getByLabel("Name of the column").fill("Later");
    await page.keyboard.press("Enter");
    await eventually(async () => (await columns()).includes("Later"));
    await menu("Later", "Move right");
    await menu("Next", "Delete column");
    await inOrder(columns, "No column", "Now", "Later");
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(async () => (await columns()).includes("Next"));
    await menu("Next", "Delete column");
    await inOrder(columns, "No column", "Now", "Later");
  });

  test("the board by keyboard: j goes from card to card, Alt and arrows move them", async () => {
    const { page } = desk;
    const inColumn = (name: string) =>
      page.getByRole("region", { name, exact: true }).locator(".card .title").allInnerTexts();
    const [first = "", second = ""] = await inColumn("No column");
    await afterTyping(page);
    await page.keyboard.press("j");
    await eventually(
      async () => (await page.evaluate("document.activeElement.textContent")) === first,
    );
    await page.keyboard.press("Alt+ArrowDown");
    await inOrder(() => inColumn("No column"), second, first);
    await page.keyboard.press("Alt+ArrowRight");
    await inOrder(() => inColumn("Now"), first);
    await eventually(
      async () => (await page.evaluate("document.activeElement.textContent")) === first,
    );
    await page.keyboard.press("Alt+ArrowRight");
    await inOrder(() => inColumn("Later"), first);
    await page.keyboard.press("Alt+ArrowLeft");
    await inOrder(() => inColumn("Now"), first);
    expect(desk.faults).toEqual([]);
  });

  test("of many cards that came in one push, dragging one changes its place alone, and a new one is on top", async () => {
    const { page, open } = desk;
    await push("sync_buckets", "many", { name: "Many" });
    const at = formatInstant(Date.now() - 50_000);
    const names = Array.from({ length: 40 }, (_, n) => `Card ${n + 10}`);
    const tasks = names.map((title, n) => ({
      table: "sync_tasks",
      id: `many-${n + 10}`,
      updated_at: at,
      payload: { title, status: "todo", bucket_id: "many" },
    }));
    await desk.device("POST", "/sync", tasks);
    await open("/tasks/board");
    const column = page.getByRole("region", { name: "Many", exact: true });
    const cards = () => column.locator(".card .title").allInnerTexts();
    await inOrder(cards, ...names);
    const card = (name: string) => column.locator(".card", { hasText: name });
    await drag(engine, card("Card 15"), card("Card 12"), { x: 60, y: 3 });
    const moved = names.toSpliced(5, 1).toSpliced(2, 0, "Card 15");
    await inOrder(cards, ...moved);
    await saved(page);
    type Held = { readonly id: string; readonly payload: { readonly position?: string } };
    const held: readonly Held[] = (await desk.device("GET", "/sync")).json.changes.sync_tasks;
    const many = held.filter(({ id }) => id.startsWith("many-"));
    const placed = many.filter(({ payload }) => typeof payload.position === "string");
    expect(placed.map(({ id }) => id)).toEqual(["many-15"]);
    await page.reload();
    await inOrder(cards, ...moved);
    await drag(engine, card("Card 14"), card("Card 10"), { x: 60, y: 3 });
    const topped = ["Card 14", ...moved.filter((name) => name !== "Card 14")];
    await inOrder(cards, ...topped);
    await column.getByRole("button", { name: "Add a task to Many" }).click();
    await page.keyboard.type("Newest");
    await page.keyboard.press("Enter");
    await inOrder(cards, "Newest", ...topped);
    await saved(page);
    await page.reload();
    await inOrder(cards, "Newest", ...topped);
    expect(desk.faults).toEqual([]);
  });
});
