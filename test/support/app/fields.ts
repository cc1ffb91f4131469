import type { Page } from "playwright-core";

// Every field of the app into which people type text, and what becomes of the text.

/** What becomes of a text that is typed and not saved yet. */
export type Outcome =
  /** It is in the field still, and the field is there. */
  | "stays"
  /** Its field is closed. The text is in it when it is opened again. */
  | "kept"
  /** It is saved, and sent to the server. */
  | "saved"
  /** It is thrown away, as people expect of this key. */
  | "dropped";

/** What happens while a text is typed, or when its field is left. */
export const EVENTS = [
  "Enter while composing",
  "Escape while composing",
  "Enter after composing in Safari",
  "leaving by Tab",
  "Escape",
  "a click beside",
  "Back",
  "a reload",
  "a full server",
  "no network",
  "another window",
  "another device",
  "another device that deletes",
  "a store that cannot write",
] as const;
export type Event = (typeof EVENTS)[number];

type Row = Readonly<Record<Event, Outcome>>;

/** Whatever the field is: an input method has its own Enter, and what is saved elsewhere or later loses nothing. */
const ALWAYS = {
  "Enter while composing": "stays",
  "Escape while composing": "stays",
  "Enter after composing in Safari": "stays",
  "a full server": "saved",
  "no network": "saved",
  "another window": "saved",
  "another device": "saved",
  "another device that deletes": "saved",
  "a store that cannot write": "saved",
} as const;

/** A text that is edited where it is read. */
export const IN_PLACE: Row = {
  ...ALWAYS,
  "leaving by Tab": "saved",
  Escape: "dropped",
  "a click beside": "saved",
  Back: "saved",
  "a reload": "saved",
};

/** A line that is always there, for the next new thing. */
const LINE: Row = {
  ...ALWAYS,
  "leaving by Tab": "stays",
  Escape: "stays",
  "a click beside": "stays",
  Back: "kept",
  "a reload": "stays",
};

/** The name of a new thing, in a field that opens for it. */
const NAME: Row = { ...LINE, Escape: "kept", "a reload": "kept" };

/** A text in a dialog. */
const IN_DIALOG: Row = { ...NAME, "a click beside": "kept" };

/** A text that only finds something: there is nothing to save. */
const SAVES_NOTHING = {
  "a full server": "stays",
  "no network": "stays",
  "another window": "stays",
  "another device": "stays",
  "another device that deletes": "stays",
  "a store that cannot write": "stays",
} as const;

type Child = {
  readonly id: string;
  readonly title?: string;
  readonly url?: string;
  readonly text?: string;
};

type Payload = {
  readonly title?: string;
  readonly name?: string;
  readonly due?: string | null;
  readonly pages?: readonly Child[];
  readonly notes?: readonly Child[];
  readonly groups?: readonly Child[];
  readonly tags?: readonly string[];
};

/** The server's records, by their tables. */
export type Records = Readonly<
  Record<string, readonly { readonly id: string; readonly payload: Payload | null }[]>
>;

export type Field = {
  readonly name: string;
  readonly path: string;
  /** Makes the field appear, where it is not always there. */
  readonly show?: (page: Page) => Promise<unknown>;
  readonly role?: "combobox" | "searchbox" | "textbox";
  readonly label: string | RegExp;
  /** Makes a text for it of a word. */
  readonly typed?: (word: string) => string;
  /** What saves it. */
  readonly key?: string;
  /** Returns the texts that the server has of such fields; null if they are never saved. */
  readonly texts: ((records: Records) => readonly (string | undefined)[]) | null;
  readonly row: Row;
};

const button = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).click();

const fromMenu = (menu: RegExp, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

const withTrip = (act: string) => async (page: Page) => {
  const box = page.getByLabel(/^Select start/).first();
  // It shows under the pointer. A forced click would not notice if the list moves meanwhile, and would hit another row.
  await box.hover({ force: true });
  await box.setChecked(true);
  await page
    .getByRole("toolbar", { name: "Selected tasks" })
    .getByRole("button", { name: act })
    .click();
};

/** Each time with another tab: one that is moved twice is moved by one of the two. */
const toMoveTab = async (page: Page) => {
  turn += 1;
  await page.getByRole("button", { name: `More for Move ${turn % 20}`, exact: true }).click();
  await page.getByRole("menuitem", { name: "Move to another task m", exact: true }).click();
};
let turn = 0;

/** What the fields are about. */
export const START = {
  trip: {
    title: "start",
    status: "todo",
    bucket_id: null,
    pages: [
      { id: "p", url: "https://boat.example/", title: "start", group: "g" },
      ...Array.from({ length: 20 }, (_, at) => ({
        id: `m${at}`,
        url: `https://move.example/${at}`,
        title: `Move ${at}`,
      })),
    ],
    groups: [{ id: "g", title: "start", colour: "blue" }],
    notes: [{ id: "n", text: "start" }],
    tags: ["trip"],
  },
  home: { name: "start" },
  later: { name: "start" },
} as const;

const tasks = ({ sync_tasks = [] }: Records): readonly Payload[] =>
  sync_tasks.map(({ payload }) => payload ?? {});
const trip = (records: Records): Payload =>
  tasks(records).find(({ pages = [] }) => pages.some(({ id }) => id === "p")) ?? {};
const titles = (records: Records) => tasks(records).map(({ title }) => title);
const folders = ({ sync_projects = [] }: Records) =>
  sync_projects.map(({ payload }) => payload?.name);
const columns = ({ sync_buckets = [] }: Records) =>
  sync_buckets.map(({ payload }) => payload?.name);

const TRIP = "/tasks/open?task=trip";

export const FIELDS: readonly Field[] = [
  {
    name: "a title",
    path: TRIP,
    label: "Title",
    texts: (records) => [trip(records).title],
    row: IN_PLACE,
  },
  {
    name: "a note",
    path: TRIP,
    label: "Note",
    key: "Control+Enter",
    texts: (records) => [trip(records).notes?.[0]?.text],
    row: IN_PLACE,
  },
  {
    name: "a group's name",
    path: TRIP,
    label: "Name of the group",
    texts: (records) => [trip(records).groups?.[0]?.title],
    row: IN_PLACE,
  },
  {
    name: "a tab's title",
    path: TRIP,
    show: fromMenu(/^More for start/, "Rename"),
    label: "Title of the tab",
    texts: (records) => [trip(records).pages?.[0]?.title],
    row: IN_PLACE,
  },
  {
    name: "a folder's name",
    path: "/tasks/folder/home",
    label: "Folder name",
    texts: folders,
    row: IN_PLACE,
  },
  {
    name: "a column's name",
    path: "/tasks/board",
    show: fromMenu(/^More for start/, "Rename"),
    label: "Name of the column",
    texts: columns,
    row: IN_PLACE,
  },
  { name: "a task", path: "/tasks/open", label: "Add a task", texts: titles, row: LINE },
  { name: "a task for today", path: "/tasks/today", label: "Add a task", texts: titles, row: LINE },
  {
    name: "a task in the dialog",
    path: "/tasks/open",
    show: button("New task n"),
    label: "Title, or links",
    texts: titles,
    row: IN_DIALOG,
  },
  {
    name: "a task in a column",
    path: "/tasks/board",
    show: (page) =>
      page
        .getByRole("button", { name: /^Add a task to (\w+ )?start/ })
        .first()
        .click(),
    label: /^New task in/,
    texts: titles,
    row: { ...NAME, "another device that deletes": "kept" },
  },
  {
    name: "a folder",
    path: "/tasks/open",
    show: button("Add a folder"),
    label: "Name of the new folder",
    texts: folders,
    row: { ...NAME, Back: "stays" },
  },
  {
    name: "a column",
    path: "/tasks/board",
    show: button("Add a column"),
    label: "Name of the new column",
    texts: columns,
    row: NAME,
  },
  {
    name: "a tab",
    path: TRIP,
    label: "Add tabs",
    typed: (word) => `https://${word}.example/`,
    texts: (records) => trip(records).pages?.map(({ url }) => url) ?? [],
    row: LINE,
  },
  {
    name: "a tag",
    path: TRIP,
    show: button("Add a tag"),
    role: "combobox",
    label: "Add a tag",
    texts: (records) => trip(records).tags ?? [],
    row: {
      ...LINE,
      Escape: "dropped",
      "leaving by Tab": "saved",
      "a click beside": "saved",
      Back: "saved",
    },
  },
  {
    name: "a new note",
    path: TRIP,
    label: "Add a note",
    key: "Control+Enter",
    texts: (records) => trip(records).notes?.map(({ text }) => text) ?? [],
    row: {
      ...LINE,
      "leaving by Tab": "saved",
      Escape: "saved",
      "a click beside": "saved",
      Back: "saved",
    },
  },
  {
    name: "a folder to move a task to",
    path: "/tasks/open?tag=trip",
    show: withTrip("Move"),
    role: "combobox",
    label: "Choose a folder",
    texts: folders,
    row: IN_DIALOG,
  },
  {
    name: "the day on which a task is due",
    path: "/tasks/open?tag=trip",
    show: withTrip("Due"),
    role: "combobox",
    label: "Due date",
    typed: (word) => `in ${(Number.parseInt(word.slice(1), 16) % 3_000) + 1} days`,
    texts: (records) => [daysUntil(trip(records).due)],
    row: { ...IN_DIALOG, "another device that deletes": "stays" },
  },
  {
    name: "a task to move a tab to",
    path: TRIP,
    show: toMoveTab,
    role: "combobox",
    label: "Choose a task",
    texts: titles,
    row: { ...IN_DIALOG, "another device that deletes": "stays" },
  },
  {
    name: "a task to save a shared link in",
    path: "/tasks/share?url=https://boat.example/&title=Boat",
    role: "combobox",
    label: "Choose a task",
    texts: titles,
    row: LINE,
  },
  {
    name: "what to find or do",
    path: "/tasks/open",
    show: (page) => page.keyboard.press("Control+k"),
    role: "combobox",
    label: "Find or do anything",
    texts: null,
    row: { ...IN_DIALOG, ...SAVES_NOTHING },
  },
  {
    name: "a search",
    path: "/tasks/search",
    role: "searchbox",
    label: "Search tasks, tabs and notes",
    texts: null,
    row: { ...LINE, ...SAVES_NOTHING, Escape: "dropped" },
  },
];

/** The words that set this day, if they were typed today. */
const daysUntil = (due: string | null | undefined): string | undefined =>
  due
    ? `in ${Math.round((Date.parse(due) - Date.parse(new Date().toDateString())) / 86_400_000)} days`
    : undefined;
