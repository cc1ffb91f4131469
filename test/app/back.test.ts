import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inEachBrowser } from "../support/browser/engines.ts";
import { afterTyping, eventually, titles, useDesk } from "../support/app/desk.ts";

type Layer = {
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
  readonly shown: (page: Page) => ReturnType<Page["getByRole"]>;
};

const press = (key: string) => (page: Page) => page.keyboard.press(key);
const click = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).first().click();
const dialog = (name: string) => (page: Page) => page.getByRole("dialog", { name });

const LAYERS: readonly Layer[] = [
  { name: "the dialog for a new task", open: press("n"), shown: dialog("New task") },
  { name: "the palette", open: press("Control+k"), shown: dialog("Find or do anything") },
  { name: "the list of keys", open: press("?"), shown: dialog("Keyboard shortcuts") },
  {
    name: "a menu",
    open: click("More for this task"),
    shown: (page) => page.getByRole("menu", { name: "More for this task" }),
  },
  {
    name: "the choice of a folder",
    open: press("m"),
    shown: (page) => page.getByRole("combobox", { name: "Choose a folder" }),
  },
];

inEachBrowser("Back closes", (engine) => {
  const desk = useDesk({
    engine,
    prepare: async ({ device }) => {
      for (const title of ["first", "second"]) await device("POST", "/tasks", { title });
    },
  });
  const at = () => new URL(desk.page.url()).pathname;
  const panel = () => desk.page.getByRole("complementary", { name: "Task: second" });

  /** In a list that was reached from another, with a task open. */
  const begin = async (): Promise<void> => {
    const { page, open } = desk;
    await open("/tasks/today");
    await page.getByRole("link", { name: /^All open/ }).click();
    await eventually(async () => (await titles(page)).length === 2, "both tasks");
    await page.getByRole("link", { name: "second", exact: true }).click();
    await panel().waitFor();
  };

  for (const { name, open, shown } of LAYERS) {
    test(`${name} and nothing more`, async () => {
      const { page } = desk;
      await begin();
      await open(page);
      await shown(page).waitFor();
      await page.goBack();
      await shown(page).waitFor({ state: "detached" });
      await panel().waitFor();
      await page.goBack();
      await panel().waitFor({ state: "detached" });
      expect(at()).toBe("/tasks/open");
      await page.goBack();
      await eventually(async () => at() === "/tasks/today", "back in the first list");
    });

    test(`the task at once after Escape has closed ${name}`, async () => {
      const { page } = desk;
      await begin();
      await open(page);
      await shown(page).waitFor();
      await page.keyboard.press("Escape");
      await shown(page).waitFor({ state: "detached" });
      await page.goBack();
      await panel().waitFor({ state: "detached" });
      expect(at()).toBe("/tasks/open");
    });
  }

  test("nothing twice: a task that was closed by Escape is not there again", async () => {
    const { page } = desk;
    await begin();
    await page.keyboard.press("?");
    await dialog("Keyboard shortcuts")(page).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await page.goBack();
    await eventually(async () => at() === "/tasks/today", "back in the first list");
    expect(await panel().count()).toBe(0);
  });

  test("a dialog that led to another view, and then leads back to where it was opened", async () => {
    const { page } = desk;
    await begin();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("go to board");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/tasks/board");
    await page.goBack();
    await panel().waitFor();
    expect(at()).toBe("/tasks/open");
    await afterTyping(page);
    expect(desk.faults).toEqual([]);
  });

  test("the list of views on a narrow screen", async () => {
    const { page, open } = desk;
    await page.setViewportSize({ width: 390, height: 844 });
    await open("/tasks/open");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.locator(".with-drawer").waitFor();
    await page.goBack();
    await page.locator(".app:not(.with-drawer)").waitFor();
    expect(at()).toBe("/tasks/open");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menu").waitFor();
    await page.goBack();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.locator(".with-drawer").waitFor();
    await page.goBack();
    await page.locator(".app:not(.with-drawer)").waitFor();
    expect(at()).toBe("/tasks/open");
  });
});
