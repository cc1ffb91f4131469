import { expect, test } from "bun:test";
import { inEachBrowser } from "../support/browser/engines.ts";
import { longPress } from "../support/browser/pointer.ts";
import { eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

inEachBrowser("Ann works on a phone, by touch alone:", (engine) => {
  const desk = useDesk({ engine, screen: PHONE });

  const button = (name: string | RegExp) => desk.page.getByRole("button", { name });
  const more = () => desk.page.getByRole("button", { name: "More", exact: true }).tap();
  const back = () => button("Close the task").tap();
  const tasks = async () => (await desk.device("GET", "/tasks")).json.tasks;
  const task = async (title: string) =>
    (await tasks()).find((one: { readonly title: string }) => one.title === title);
  const fromMenu = async (menu: string | RegExp, line: string): Promise<void> => {
    await button(menu).tap();
    await desk.page.getByRole("menuitem", { name: line }).tap();
  };
  const openTask = async (title: string): Promise<void> => {
    await row(desk.page, title).getByRole("link").tap();
    await button("Close the task").waitFor();
  };
  const view = async (name: string | RegExp): Promise<void> => {
    await more();
    await desk.page
      .getByRole("navigation", { name: "Views", exact: true })
      .getByRole("link", { name })
      .tap();
  };

  test("she creates tasks, one of them with a tab", async () => {
    await desk.open("/tasks/open");
    await desk.page.getByRole("button", { name: "New task", exact: true }).last().tap();
    const field = desk.page.getByLabel("Title, or links");
    for (const title of ["Milk", "Bread", "Trip https://a.example/"]) {
      await field.fill(title);
      await button("Add task").tap();
      await eventually(async () => (await field.inputValue()) === "");
    }
    await button("Close").tap();
    await eventually(async () => (await titles(desk.page)).length === 3);
    await saved(desk.page);
    expect((await task("Trip")).tab_count).toBe(1);
  });

  test("she opens a task, and adds a note, a tab, a tag, a day and a status", async () => {
    const { page } = desk;
    await openTask("Trip");
    await page.getByLabel("Add a note").tap();
    await page.getByLabel("Add a note").fill("Ask Bob");
    await page.getByRole("heading", { name: "Tabs" }).tap();
    await page.getByRole("article").getByLabel("Note", { exact: true }).waitFor();
    await page.getByLabel("Add tabs").fill("https://b.example/ https://c.example/");
    await page.keyboard.press("Enter");
    await button("Add a tag").tap();
    await page.getByLabel("Add a tag").fill("fun,");
    await page.getByRole("heading", { name: "Tabs" }).tap();
    await page.getByLabel("Due date", { exact: true }).fill("2031-05-06");
    await page.getByLabel("Status", { exact: true }).selectOption("blocked");
    await eventually(async () => (await task("Trip")).status === "blocked");
    expect(await task("Trip")).toMatchObject({
      tab_count: 3,
      note_count: 1,
      tags: ["fun"],
      due: "2031-05-06",
    });
  });

  test("she orders the tabs, makes a task of one, moves one, and removes one", async () => {
    const { page } = desk;
    const urls = async () =>
      (await desk.device("GET", `/tasks/${(await task("Trip")).id}`)).json.tabs.map(
        ({ url }: { url: string }) => new URL(url).host[0],
      );
    await fromMenu("More for https://c.example/", "Move up");
    await eventually(async () => (await urls()).join("") === "acb");
    await fromMenu("More for https://c.example/", "Move to another task");
    await page.getByRole("option", { name: "Milk" }).tap();
    await eventually(async () => (await task("Milk")).tab_count === 1);
    await fromMenu("More for https://b.example/", "Remove");
    await eventually(async () => (await urls()).join("") === "a");
    await button("Undo").tap();
    await eventually(async () => (await urls()).join("") === "ab");
    await back();
  });

  test("she ticks a task off, and takes that back, also when the notice is gone", async () => {
    const { page } = desk;
    for (const undo of [
      () => button("Undo").tap(),
      async () => {
        await button("Dismiss").tap();
        await more();
        await fromMenu(/account menu$/, "Undo the last change");
        await page.locator(".scrim").tap({ position: { x: 370, y: 400 } });
      },
    ]) {
      await row(page, "Bread").getByRole("button", { name: /^Mark/ }).tap();
      await eventually(async () => !(await titles(page)).includes("Bread"));
      await undo();
      await eventually(async () => (await titles(page)).includes("Bread"));
    }
  });

  test("she makes a folder, and moves a task into it", async () => {
    const { page } = desk;
    await more();
    await button("Add a folder").tap();
    await page.getByLabel("Name of the new folder").fill("Errands");
    await page.keyboard.press("Enter");
    // She is where the folder's tasks go, and the list of views is out of the way.
    await page.getByRole("textbox", { name: "Folder name" }).tap();
    await view("All open");
    await openTask("Bread");
    await page.getByLabel("Folder", { exact: true }).selectOption({ label: "Errands" });
    await back();
    await view(/^Errands/);
    await eventually(async () => (await titles(page)).join() === "Bread");
    await eventually(async () => (await task("Bread")).folder !== null);
  });

  test("a long press selects several, to finish or move them at once", async () => {
    const { page } = desk;
    await view("All open");
    await longPress(engine, row(page, "Milk").locator(".title"));
    await page.getByText("1 selected").waitFor();
    await row(page, "Bread").getByRole("checkbox").tap();
    await page.getByText("2 selected").waitFor();
    await button("Done").last().tap();
    await eventually(async () => (await titles(page)).join() === "Trip");
    await button("Undo").tap();
    await eventually(async () => (await titles(page)).length === 3);
    expect(await page.getByRole("complementary").count()).toBe(0);
  });

  test("she changes the order of tasks", async () => {
    const [first = "", second = "", third = ""] = await titles(desk.page);
    await openTask(third);
    await fromMenu("More for this task", "Move up");
    await back();
    await eventually(
      async () => (await titles(desk.page)).join() === [first, third, second].join(),
    );
  });

  test("she searches, deletes what she finds, and restores it from the trash", async () => {
    const { page } = desk;
    await page.getByRole("navigation", { name: "Main views" }).getByText("Search").tap();
    await page.getByLabel("Search tasks, tabs and notes").fill("bob");
    await eventually(async () => (await titles(page)).join() === "Trip");
    await openTask("Trip");
    await fromMenu("More for this task", "Delete task");
    await eventually(async () => (await titles(page)).length === 0);
    await view("Trash");
    await row(page, "Trip").getByRole("button", { name: "Restore Trip" }).tap();
    await view("All open");
    await eventually(async () => (await titles(page)).includes("Trip"));
  });

  test("she sorts the inbox, and puts a tab back into it", async () => {
    const { page, agent } = desk;
    await agent("POST", "/inbox/tabs", [{ url: "https://one.example/", title: "One" }]);
    await page.getByRole("navigation", { name: "Main views" }).getByText("Inbox").tap();
    await button("Move to… (One)").tap();
    await page.getByRole("option", { name: "Milk" }).tap();
    await button("Move to… (One)").waitFor({ state: "detached" });
    await view("All open");
    await openTask("Milk");
    await fromMenu("More for One", "Move to another task");
    await page.getByRole("option", { name: "Inbox" }).tap();
    await back();
    await page.getByRole("navigation", { name: "Main views" }).getByText("Inbox").tap();
    await button("Move to… (One)").waitFor();
  });

  test("every view is one tap or two away, and none is wider than the screen", async () => {
    const { page, faults } = desk;
    const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    for (const name of ["Today", "All open", "Board", "From agents", "Done", "Trash"]) {
      await view(new RegExp(`^${name}`));
      await page.getByRole("heading", { level: 1, name }).waitFor();
      expect([name, await page.evaluate(wide)]).toEqual([name, false]);
    }
    expect(faults).toEqual([]);
  });
});
