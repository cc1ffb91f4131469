import type { Page } from "puppeteer-core";
import { press } from "./chrome.ts";

/**
 * What kind of field it is:
 * - `choice`: it narrows a list down, and is emptied when something is chosen
 * - `new`: its text becomes something new
 * - `saved`: what is typed is saved when the field is left
 * - `setting`: of the options
 * - `code`: works once, for a few minutes
 */
type Kind = "choice" | "code" | "new" | "saved" | "setting";

export type Field = {
  readonly name: string;
  readonly kind: Kind;
  readonly page: "options.html" | "panel.html" | "popup.html";
  /** The place in the panel. */
  readonly at?: string;
  /** Makes the field appear, where it is not always there. */
  readonly show?: (page: Page) => Promise<unknown>;
  readonly selector: string;
  /** What saves it. */
  readonly key?: "Control+Enter" | "Enter";
  /** What is typed, where not any text will do. */
  readonly typed?: (number: number) => string;
};

/** Where the text is afterwards. A test fails with `gone`. */
export type Place = "gone" | "in the field" | "in the field or saved" | "saved";

export type Event =
  | "a click beside it"
  | "another window with the same field"
  | "Back"
  | "closing at once, and opening again"
  | "Enter and Escape while composing, and leaving it"
  | "Enter while offline"
  | "Enter while the server is full";

type Row = Readonly<Partial<Record<Event, Place>>>;

/** A text that nothing saves. */
const KEPT: Row = {
  "a click beside it": "in the field",
  Back: "in the field",
  "closing at once, and opening again": "in the field",
  "Enter and Escape while composing, and leaving it": "in the field",
};
const SENT: Row = {
  ...KEPT,
  "another window with the same field": "saved",
  "Enter while offline": "saved",
  "Enter while the server is full": "saved",
};
/** Closed at once, the page may have no time to save it. */
const SAVED: Row = {
  ...SENT,
  "a click beside it": "saved",
  Back: "saved",
  "closing at once, and opening again": "in the field or saved",
  "Enter and Escape while composing, and leaving it": "saved",
};

const TABLE: Readonly<Record<Kind, Row>> = {
  choice: KEPT,
  setting: KEPT,
  // It works for a few minutes only, so no page keeps it.
  code: {
    "a click beside it": "in the field",
    "Enter and Escape while composing, and leaving it": "in the field",
  },
  new: SENT,
  saved: SAVED,
};

/** The popup has no history, and is closed before another window has one. */
export const cellsOf = ({ page, kind }: Field): readonly (readonly [Event, Place])[] =>
  (Object.entries(TABLE[kind]) as [Event, Place][]).filter(
    ([event]) =>
      page !== "popup.html" || (event !== "Back" && event !== "another window with the same field"),
  );

const named = (label: string): string => `:is(input, textarea)[aria-label="${label}"]`;
const shows = (name: string) => (page: Page) => press(page, name);

const fromMenu = (menu: string, item: string) => async (page: Page) => {
  const button = await page.waitForSelector(`button[aria-label^="${menu}"]`);
  await button?.click();
  await (
    await page.waitForSelector(
      `xpath/.//*[@role='menuitem' and starts-with(normalize-space(), '${item}')]`,
    )
  )?.click();
};

const withTrip = (act: string) => async (page: Page) => {
  const box = await page.waitForSelector("[aria-label='Select Trip']");
  await box?.evaluate(
    (one) => (one as HTMLInputElement).checked || (one as HTMLInputElement).click(),
  );
  await page.waitForSelector(".bulk");
  await press(page, act);
};

/** What is in them appears once they are open. */
const openAll = async (page: Page) => {
  await page.waitForSelector("details");
  await page.$$eval("details", (all) => all.forEach((one) => (one.open = true)));
};

const LIST = { page: "panel.html", at: "/tasks/open" } as const;
const TASK = { page: "panel.html", at: "/tasks/open?task=trip" } as const;
const BOARD = { page: "panel.html", at: "/tasks/board" } as const;

/** Every text field of the extension. */
export const FIELDS: readonly Field[] = [
  { name: "where the popup saves", kind: "new", page: "popup.html", selector: named("Save to") },
  {
    name: "what the popup opens",
    kind: "choice",
    page: "popup.html",
    show: shows("Open"),
    selector: named("Open the tabs of"),
  },
  { ...LIST, name: "a new task", kind: "new", selector: named("Add a task") },
  {
    ...LIST,
    name: "a new task in the dialog",
    kind: "new",
    show: shows("New task"),
    selector: named("Title, or links"),
  },
  {
    ...LIST,
    name: "the task to save an open tab to",
    kind: "new",
    show: (page) => page.click(".open-tab .save"),
    selector: named("Choose a task"),
  },
  {
    ...LIST,
    name: "the folder of a task",
    kind: "choice",
    show: withTrip("Move"),
    selector: named("Choose a folder"),
  },
  {
    ...LIST,
    name: "when a task is due",
    kind: "choice",
    show: withTrip("Due"),
    selector: named("Due date"),
    typed: (number) => `in ${number} days`,
  },
  {
    ...LIST,
    name: "the palette",
    kind: "choice",
    show: async (page) => {
      await page.keyboard.down("Control");
      await page.keyboard.press("k");
      await page.keyboard.up("Control");
    },
    selector: named("Find or do anything"),
  },
  {
    page: "panel.html",
    at: "/tasks/search",
    name: "the search",
    kind: "choice",
    selector: "#search",
  },
  {
    ...LIST,
    name: "a new folder",
    kind: "new",
    show: async (page) => {
      if ((await page.$(".with-drawer")) === null) await press(page, "All views and folders");
      await press(page, "Add a folder");
    },
    selector: named("Name of the new folder"),
  },
  {
    page: "panel.html",
    at: "/tasks/folder/home",
    name: "a folder's name",
    kind: "saved",
    selector: named("Folder name"),
  },
  { ...TASK, name: "a title", kind: "saved", selector: named("Title") },
  { ...TASK, name: "a note", kind: "saved", selector: named("Note"), key: "Control+Enter" },
  {
    ...TASK,
    name: "a new note",
    kind: "saved",
    selector: named("Add a note"),
    key: "Control+Enter",
  },
  { ...TASK, name: "a group's name", kind: "saved", selector: named("Name of the group") },
  {
    ...TASK,
    name: "new tabs",
    kind: "new",
    selector: named("Add tabs"),
    typed: (number) => `https://porto.example/${number}`,
  },
  {
    ...TASK,
    name: "a tab's title",
    kind: "saved",
    show: fromMenu("More for Boat", "Rename"),
    selector: named("Title of the tab"),
  },
  { ...TASK, name: "a tag", kind: "saved", show: shows("Add a tag"), selector: "input.tag-input" },
  {
    ...BOARD,
    name: "a new column",
    kind: "new",
    show: shows("Add a column"),
    selector: named("Name of the new column"),
  },
  {
    ...BOARD,
    name: "a new task in a column",
    kind: "new",
    show: shows("Add a task to Later"),
    selector: named("New task in Later"),
  },
  {
    ...BOARD,
    name: "a column's name",
    kind: "saved",
    show: fromMenu("More for Later", "Rename"),
    selector: named("Name of the column"),
  },
  {
    page: "options.html",
    name: "the server's new address",
    kind: "setting",
    show: openAll,
    selector: "#address",
  },
  {
    page: "options.html",
    name: "a pairing code",
    kind: "code",
    show: async (page) => {
      await openAll(page);
      await page.waitForSelector("#code");
      await openAll(page);
    },
    selector: "#code",
  },
  {
    page: "options.html",
    name: "the name of this device",
    kind: "setting",
    selector: "#device",
  },
];
