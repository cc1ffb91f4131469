import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, saved, useDesk } from "../support/app/desk.ts";

// Every text that is edited in its place, while the server is full, the network is gone, or another window or device
// changes the same text.

const button = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).click();

const fromMenu = (menu: string, item: string) => async (page: Page) => {
  await button(menu)(page);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

type Field = {
  readonly name: string;
  readonly path: string;
  readonly show?: (page: Page) => Promise<unknown>;
  readonly label: string;
  readonly table: "sync_buckets" | "sync_projects" | "sync_tasks";
  readonly id: string;
  /** Where the text is in the payload. */
  readonly at: readonly (number | string)[];
  /** What saves it, where Enter does not. */
  readonly key?: string;
};

const TASK = { path: "/tasks/open?task=trip", table: "sync_tasks", id: "trip" } as const;

const FIELDS: readonly Field[] = [
  { ...TASK, name: "a title", label: "Title", at: ["title"] },
  { ...TASK, name: "a note", label: "Note", at: ["notes", 0, "text"], key: "Control+Enter" },
  { ...TASK, name: "a group's name", label: "Name of the group", at: ["groups", 0, "title"] },
  {
    ...TASK,
    name: "a tab's title",
    show: fromMenu("More for start", "Rename"),
    label: "Title of the tab",
    at: ["pages", 0, "title"],
  },
  {
    name: "a folder's name",
    path: "/tasks/folder/home",
    label: "Folder name",
    table: "sync_projects",
    id: "home",
    at: ["name"],
  },
  {
    name: "a column's name",
    path: "/tasks/board",
    show: fromMenu("More for start", "Rename"),
    label: "Name of the column",
    table: "sync_buckets",
    id: "later",
    at: ["name"],
  },
];

const START = {
  trip: {
    title: "start",
    status: "todo",
    bucket_id: null,
    pages: [{ id: "p", url: "https://boat.example/", title: "start", group: "g" }],
    groups: [{ id: "g", title: "start", colour: "blue" }],
    notes: [{ id: "n", text: "start" }],
    tags: [],
  },
  home: { name: "start" },
  later: { name: "start" },
} as const;

const holdsBoth = (text: string): boolean => text.includes("AAA") && text.includes("BBB");

inBrowser("What Ann types in its place, and what happens elsewhere:", () => {
  const desk = useDesk({ statuses: [401, 422, 507] });

  const push = (table: string, id: string, payload: unknown, deleted_at: string | null = null) =>
    desk.device("POST", "/sync", [
      { table, id, payload, deleted_at, updated_at: formatInstant(Date.now()) },
    ]);

  beforeEach(async () => {
    await push("sync_tasks", "trip", START.trip);
    await push("sync_projects", "home", START.home);
    await push("sync_buckets", "later", START.later);
  }, 60_000);

  afterEach(async () => {
    await desk.page.unrouteAll();
    await desk.context.setOffline(false);
  });

  const payloadOf = async ({ table, id }: Field) => {
    const { changes } = (await desk.device("GET", "/sync")).json;
    return changes[table].find((one: { readonly id: string }) => one.id === id).payload;
  };

  const textOf = async (field: Field): Promise<string> =>
    field.at.reduce((part, key) => part[key], await payloadOf(field));

  /** Changes the text on another device. */
  const changeElsewhere = async (field: Field, text: string): Promise<void> => {
    const payload = structuredClone(await payloadOf(field));
    const last = field.at.at(-1) ?? "";
    field.at.slice(0, -1).reduce((part, key) => part[key], payload)[last] = text;
    await push(field.table, field.id, payload);
  };

  /** Opens the field and puts the caret at the end of it. */
  const enter = async (page: Page, { path, show, label }: Field) => {
    await page.goto(path);
    await saved(page);
    await show?.(page);
    const input = page.getByRole("textbox", { name: label, exact: true });
    await input.click();
    await input.press("Control+End");
    return input;
  };

  for (const field of FIELDS) {
    const { name, key = "Enter" } = field;

    test(`${name}, while the server is full: it stays, after a reload too, and is sent later`, async () => {
      const { page } = desk;
      const input = await enter(page, field);
      await page.route("**/api/public/v1/sync*", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({ status: 507, json: { error: "The quota of this account is full." } })
          : route.fallback(),
      );
      await page.keyboard.type(" AAA");
      await input.press(key);
      await page
        .getByText(/^Not in sync/)
        .first()
        .waitFor({ state: "attached" });
      await page.reload();
      // In the field, or as text where the field is not open after a reload.
      const values = () =>
        page
          .getByLabel(field.label, { exact: true })
          .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
      const shown = page.locator(`text="start AAA"`).first();
      await eventually(
        async () => (await shown.count()) > 0 || (await values()).includes("start AAA"),
      );
      expect(await textOf(field)).toBe("start");
      await page.unrouteAll();
      await page.reload();
      await eventually(async () => (await textOf(field)) === "start AAA");
    }, 60_000);

    test(`${name}, without a network: it stays, and is sent later`, async () => {
      const { page, context } = desk;
      const input = await enter(page, field);
      await context.setOffline(true);
      await page.keyboard.type(" AAA");
      await input.press(key);
      await page
        .getByText(/^Offline/)
        .first()
        .waitFor({ state: "attached" });
      await context.setOffline(false);
      await eventually(async () => (await textOf(field)) === "start AAA");
    }, 60_000);

    test(`${name}, with the focus in two windows: each shows the other's text, and both stay`, async () => {
      const { page, context } = desk;
      const input = await enter(page, field);
      const other = await context.newPage();
      const its = await enter(other, field);
      await other.keyboard.type(" AAA");
      await its.press(key);
      await eventually(async () => (await input.inputValue()) === "start AAA");
      await page.bringToFront();
      await page.keyboard.type(" BBB");
      await input.press(key);
      await eventually(async () => holdsBoth(await textOf(field)));
      await other.close();
    }, 60_000);

    test(`${name}, changed on another device: it shows that, and while Ann types both stay`, async () => {
      const { page } = desk;
      const input = await enter(page, field);
      await changeElsewhere(field, "Hello start");
      await eventually(async () => (await input.inputValue()) === "Hello start");
      // The caret has stayed behind the word, and not moved to where the text was changed.
      await page.keyboard.type(" BBB");
      await changeElsewhere(field, "AAA Hello start");
      await eventually(async () => (await textOf(field)).includes("AAA"));
      await input.press(key);
      await eventually(async () => holdsBoth(await textOf(field)));
      expect((await textOf(field)).replaceAll(/\s+/g, " ")).toBe("AAA Hello start BBB");
    }, 60_000);
  }

  const ELSEWHERE_DELETED: readonly Field[] = FIELDS.slice(0, 2);
  for (const field of ELSEWHERE_DELETED)
    test(`${field.name} of a task that another device deletes meanwhile: the task comes back`, async () => {
      const { page } = desk;
      const input = await enter(page, field);
      await page.keyboard.type(" AAA");
      await push("sync_tasks", "trip", await payloadOf(field), formatInstant(Date.now()));
      await page.getByText("This task is deleted.").waitFor();
      await input.press("End");
      await page.keyboard.type(" BBB");
      await input.press(field.key ?? "Enter");
      await eventually(async () => (await textOf(field)) === "start AAA BBB");
      const tasks = async () => (await desk.device("GET", "/tasks")).json.tasks;
      await eventually(async () => (await tasks()).length === 1);
    }, 60_000);
});
