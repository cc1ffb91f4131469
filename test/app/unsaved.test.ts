import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { atEachAddress } from "../support/browser/engines.ts";
import { eventually, saved, useDesk } from "../support/app/desk.ts";

/** The browser fails to write, and does not say that it has no room. */
const BREAK = `IDBObjectStore.prototype.mended = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = () => { throw new Error("The disk is on fire."); };`;
const MEND = "IDBObjectStore.prototype.put = IDBObjectStore.prototype.mended;";

type Field = {
  readonly name: string;
  readonly path: string;
  /** Makes the field appear, where it is not always there. */
  readonly show?: (page: Page) => Promise<unknown>;
  readonly role?: "combobox";
  readonly label: string;
  readonly typed?: string;
  /** What saves it. */
  readonly key?: string;
};

const button = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).click();

const withTrip = (key: string) => async (page: Page) => {
  await page.getByLabel("Select Trip").click({ force: true });
  await page.keyboard.press(key);
};

const fromMenu = (menu: string, item: string) => async (page: Page) => {
  await button(menu)(page);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

const FIELDS: readonly Field[] = [
  { name: "a task", path: "/tasks/open", label: "Add a task" },
  {
    name: "a task in the dialog",
    path: "/tasks/open",
    show: button("New task n"),
    label: "Title, or links",
  },
  {
    name: "a folder",
    path: "/tasks/open",
    show: button("Add a folder"),
    label: "Name of the new folder",
  },
  {
    name: "a folder to move a task to",
    path: "/tasks/open",
    show: withTrip("m"),
    role: "combobox",
    label: "Choose a folder",
  },
  {
    name: "the day on which a task is due",
    path: "/tasks/open",
    show: withTrip("d"),
    role: "combobox",
    label: "Due date",
    typed: "in 3 days",
  },
  {
    name: "a task to move a tab to",
    path: "/tasks/open?task=trip",
    show: fromMenu("More for Boat", "Move to another task m"),
    role: "combobox",
    label: "Choose a task",
  },
  {
    name: "a column",
    path: "/tasks/board",
    show: button("Add a column"),
    label: "Name of the new column",
  },
  {
    name: "a task in a column",
    path: "/tasks/board",
    show: button("Add a task to Later"),
    label: "New task in Later",
  },
  {
    name: "a column's new name",
    path: "/tasks/board",
    show: fromMenu("More for Later", "Rename"),
    label: "Name of the column",
  },
  {
    name: "a tab",
    path: "/tasks/open?task=trip",
    label: "Add tabs",
    typed: "https://porto.example/",
  },
  {
    name: "a tab's new title",
    path: "/tasks/open?task=trip",
    show: fromMenu("More for Boat", "Rename"),
    label: "Title of the tab",
  },
  { name: "a note", path: "/tasks/open?task=trip", label: "Add a note", key: "Control+Enter" },
  {
    name: "a tag",
    path: "/tasks/open?task=trip",
    show: button("Add a tag"),
    role: "combobox",
    label: "Add a tag",
  },
];

atEachAddress("What Ann types and her browser cannot write stays in its field:", (engine) => {
  const desk = useDesk({ engine });

  beforeEach(async () => {
    const updated_at = formatInstant(Date.now());
    const pages = [{ id: "boat", url: "https://boat.example/", title: "Boat" }];
    const trip = { title: "Trip", status: "todo", pages, notes: [], tags: [] };
    await desk.device("POST", "/sync", [
      { table: "sync_tasks", id: "trip", updated_at, payload: trip },
      { table: "sync_buckets", id: "later", updated_at, payload: { name: "Later" } },
    ]);
  });

  for (const field of FIELDS)
    test(field.name, async () => {
      const { page, open } = desk;
      const { show, role = "textbox", label, typed = "Nothing is lost", key = "Enter" } = field;
      await open(field.path);
      await saved(page);
      await show?.(page);
      const input = page.getByRole(role, { name: label, exact: true });
      await input.fill(typed);
      await page.evaluate(BREAK);
      await input.press(key);
      await page.getByRole("alert").getByText("This was not saved.").waitFor();
      expect(await input.inputValue()).toBe(typed);
      expect(await page.getByText("All saved").count()).toBe(0);
      await page.evaluate(MEND);
      await input.press(key);
      await saved(page);
      await eventually(
        async () => (await input.count()) === 0 || (await input.inputValue()) === "",
      );
    });
});
