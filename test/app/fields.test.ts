import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { Glob } from "bun";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import ts from "typescript";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { isTried } from "../support/random.ts";
import { eventually, saved, useDesk } from "../support/app/desk.ts";
import {
  EVENTS,
  type Event,
  type Field,
  FIELDS,
  type Outcome,
  type Records,
  START,
} from "../support/app/fields.ts";
import {
  compose,
  drawn,
  fieldIn,
  isInPlace,
  newText,
  open,
  openPage,
  pressEnterOfSafari,
  save,
  type,
  WATCH_KEYS,
} from "../support/app/typing.ts";

/** The browser fails to write, and does not say that it has no room. */
const BREAK = `IDBObjectStore.prototype.mended = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = () => { throw new Error("The disk is on fire."); };`;
const MEND = "IDBObjectStore.prototype.put = IDBObjectStore.prototype.mended;";

const WORDS: Readonly<Record<Outcome, string>> = {
  stays: "stays in the field",
  kept: "is in the field when it opens again",
  saved: "is saved",
  dropped: "is dropped",
};

inBrowser("What Ann types into", () => {
  const desk = useDesk({
    statuses: [401, 422, 507],
    prepare: ({ context }) => context.addInitScript(WATCH_KEYS),
  });
  let other: Page;

  beforeAll(async () => {
    await reset();
    other = await desk.context.newPage();
    for (const page of [other, desk.page]) {
      await page.bringToFront();
      await page.goto("/tasks/done");
      await saved(page);
    }
  });

  beforeEach(() => reset());

  afterEach(async () => {
    await desk.context.unrouteAll();
    await desk.context.setOffline(false);
  });

  /** What another device writes. */
  const write = async (records: readonly object[]) => {
    const updated_at = formatInstant(Date.now());
    const all = records.map((record) => ({ deleted_at: null, updated_at, ...record }));
    expect((await desk.device("POST", "/sync", all)).json).toMatchObject({ invalid: [] });
  };
  const reset = ({ trip, home, later }: Readonly<Record<string, unknown>> = START, more = {}) =>
    write([
      { table: "sync_tasks", id: "trip", payload: trip, ...more },
      { table: "sync_projects", id: "home", payload: home, ...more },
      { table: "sync_buckets", id: "later", payload: later, ...more },
    ]);

  const records = async (): Promise<Records> => (await desk.device("GET", "/sync")).json.changes;

  /** Adds a word to all texts on another device. */
  const changeElsewhere = async (word: string) => {
    const { sync_tasks = [], sync_projects = [], sync_buckets = [] } = await records();
    const added =
      <Key extends string>(key: Key) =>
      <One extends Readonly<Partial<Record<Key, string>>>>(one: One) => ({
        ...one,
        [key]: `${word} ${one[key]}`,
      });
    const payloadIn = (list: typeof sync_tasks, id: string) =>
      list.find((one) => one.id === id)?.payload ?? {};
    const trip = payloadIn(sync_tasks, "trip");
    await reset({
      trip: {
        ...added("title")(trip),
        notes: trip.notes?.map(added("text")),
        pages: trip.pages?.map(added("title")),
        groups: trip.groups?.map(added("title")),
      },
      home: added("name")(payloadIn(sync_projects, "home")),
      later: added("name")(payloadIn(sync_buckets, "later")),
    });
  };

  /** Waits until the page shows what was changed on another device until now. */
  const arrived = async () => {
    const name = newWord();
    await write([{ table: "sync_projects", id: "mark", payload: { name } }]);
    await desk.page.locator(".folders").getByText(name).waitFor();
    await drawn(desk.page);
  };

  const onServer = async ({ texts }: Field, text: string): Promise<boolean> =>
    texts?.(await records()).some((one) => one?.includes(text)) ?? false;

  const says = (words: RegExp) => desk.page.getByText(words).first().waitFor({ state: "attached" });

  const staysIn = async (field: Field, text: string) =>
    expect(await fieldIn(desk.page, field).inputValue()).toContain(text);

  const HAPPENS: Readonly<Record<Event, (field: Field, text: string) => Promise<unknown>>> = {
    "Enter while composing": (field) => compose(desk.page, field, "Enter"),
    "Escape while composing": (field) => compose(desk.page, field, "Escape"),
    "Enter after composing in Safari": () => pressEnterOfSafari(desk.page),
    "leaving by Tab": () => desk.page.keyboard.press("Tab"),
    Escape: () => desk.page.keyboard.press("Escape"),
    "a click beside": () => desk.page.mouse.click(5, 5),
    Back: () => desk.page.goBack(),
    "a reload": async () => {
      await desk.page.reload();
      await desk.page.locator("nav[aria-label='Views']").waitFor({ state: "attached" });
      await saved(desk.page);
    },
    "a full server": async (field, text) => {
      const { page, context } = desk;
      await context.route("**/api/public/v1/sync*", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({ status: 507, json: { error: "The quota of this account is full." } })
          : route.fallback(),
      );
      await save(page, field);
      if (field.texts === null) return;
      await says(/^Not in sync/);
      await page.reload();
      await says(/^Not in sync/);
      expect(await onServer(field, text)).toBe(false);
      await context.unrouteAll();
      await page.locator(".sync").click();
    },
    "no network": async (field) => {
      await desk.context.setOffline(true);
      await save(desk.page, field);
      if (field.texts !== null) await says(/^Offline/);
      await desk.context.setOffline(false);
    },
    "another window": async (field, text) => {
      const theirs = newText(field);
      await other.bringToFront();
      await open(other, field);
      await type(other, field, theirs);
      await save(other, field);
      if (field.texts !== null) await eventually(() => onServer(field, theirs));
      await desk.page.bringToFront();
      await staysIn(field, text);
      await save(desk.page, field);
      if (isInPlace(field)) await eventually(() => onServer(field, theirs));
    },
    "another device": async (field, text) => {
      const word = newWord();
      await changeElsewhere(word);
      await arrived();
      await staysIn(field, text);
      await save(desk.page, field);
      if (isInPlace(field)) await eventually(() => onServer(field, word));
    },
    "another device that deletes": async (field) => {
      await reset(START, { deleted_at: formatInstant(Date.now()) });
      await arrived();
      // The field may go just as the key is pressed, which then meets what has the focus.
      if (field.texts !== null && (await fieldIn(desk.page, field).isVisible()))
        await desk.page.keyboard.press(field.key ?? "Enter");
    },
    "a store that cannot write": async (field, text) => {
      const { page } = desk;
      await page.evaluate(BREAK);
      await save(page, field);
      if (field.texts !== null) {
        await says(/^Last change not saved/);
        await page.getByRole("alert").getByText("This was not saved.").waitFor();
        expect(await page.getByText("All saved").count()).toBe(0);
      }
      await staysIn(field, text);
      await page.evaluate(MEND);
      await save(page, field);
    },
  };

  const BECOMES: Readonly<Record<Outcome, (field: Field, text: string) => Promise<unknown>>> = {
    stays: staysIn,
    kept: async (field, text) => {
      expect(await fieldIn(desk.page, field).isVisible()).toBe(false);
      await reset();
      await arrived();
      await open(desk.page, field);
      await staysIn(field, text);
    },
    saved: (field, text) => eventually(() => onServer(field, text)),
    dropped: async (field, text) => {
      await open(desk.page, field);
      expect(await fieldIn(desk.page, field).inputValue()).not.toContain(text);
      await saved(desk.page);
      expect(await onServer(field, text)).toBe(false);
    },
  };

  for (const [row, field] of FIELDS.entries())
    for (const event of EVENTS.filter((_, column) => isTried(5, row, column)))
      test(`${field.name}, and ${event}: the text ${WORDS[field.row[event]]}`, async () => {
        const text = newText(field);
        await open(desk.page, field);
        await type(desk.page, field, text);
        await HAPPENS[event](field, text);
        await drawn(desk.page);
        await BECOMES[field.row[event]](field, text);
      });

  const newTab = async (): Promise<Page> => {
    const page = await desk.context.newPage();
    await page.goto("/tasks/done");
    await saved(page);
    return page;
  };

  const saving = FIELDS.filter(({ texts }) => texts !== null);
  for (const field of saving.filter((_, row) => isTried(3, row, 0)))
    test(`${field.name}, and the tab is closed: another tab has the text`, async () => {
      const text = newText(field);
      const closed = await newTab();
      await open(closed, field);
      await type(closed, field, text);
      await closed.close();
      const next = await newTab();
      await (isInPlace(field) ? openPage : open)(next, field);
      if (isInPlace(field)) await eventually(() => onServer(field, text));
      else expect(await fieldIn(next, field).inputValue()).toContain(text);
      // It was handed over, and no third tab has it.
      await next.reload();
      await eventually(async () => (await next.evaluate<number>(LEFT)) === 0);
      await next.evaluate("sessionStorage.clear()");
      await next.close();
    });

  const trip = async () =>
    (await records())["sync_tasks"]?.find(({ id }) => id === "trip")?.payload;

  const rename = async (title: string) =>
    write([{ table: "sync_tasks", id: "trip", payload: { ...(await trip()), title } }]);

  test("a title that changes on another device shows that, and the caret stays behind its word", async () => {
    const [field] = FIELDS;
    if (field === undefined) throw new Error("There is no field.");
    const { page } = desk;
    const word = newText(field).trim();
    await open(page, field);
    const input = fieldIn(page, field);
    await input.press("Control+End");
    await rename("Hello start");
    await eventually(async () => (await input.inputValue()) === "Hello start");
    await page.keyboard.type(` ${word}`);
    await rename("AAA Hello start");
    await arrived();
    await save(page, field);
    await eventually(
      async () => (await trip())?.title?.replaceAll(/\s+/g, " ") === `AAA Hello start ${word}`,
    );
  });

  test("a title is saved when the window is left, without waiting for the pause", async () => {
    const field = FIELDS[0];
    if (field === undefined) throw new Error("There is no field.");
    const text = newText(field);
    await open(desk.page, field);
    await desk.page.clock.install();
    await type(desk.page, field, text);
    await desk.page.evaluate(HIDE);
    await eventually(() => onServer(field, text));
  });
});

/** In how many fields closed tabs have left a text. */
const LEFT = `Object.keys(localStorage).filter((key) => key.startsWith("docket-left")).length`;

/** The window is covered, or the phone locked. */
const HIDE = `Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
document.dispatchEvent(new Event("visibilitychange"));`;

const newWord = (): string => `m${randomUUID().slice(0, 8)}`;

test("Every text field of the app is in the table", async () => {
  const missing: string[] = [];
  for await (const path of new Glob("src/ui/**/*.tsx").scan())
    for (const label of labelsIn(path, await Bun.file(path).text()))
      if (!FIELDS.some((field) => label.replace("${name}", "start").match(field.label)))
        missing.push(`${path}: ${label}`);
  expect(missing).toEqual([]);
});

/** What takes text, and the prop that labels it. */
const TAKES_TEXT: Readonly<Record<string, string>> = {
  input: "aria-label",
  textarea: "aria-label",
  Editable: "label",
  OneLine: "label",
  Chooser: "label",
};

/** Returns the labels of the text fields that a file draws. */
const labelsIn = (path: string, text: string): readonly string[] => {
  const labels: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
      const prop = (name: string) =>
        node.attributes.properties
          .find((one) => one.name?.getText() === name)
          ?.getText()
          .replace(/^[^=]*=?[{]?["`]?/, "")
          .replace(/["`]?[}]?$/, "");
      const labelled = TAKES_TEXT[node.tagName.getText()];
      const isText =
        (labelled !== undefined && !/^(checkbox|date)$/.test(prop("type") ?? "")) ||
        prop("contentEditable") !== undefined;
      // What can only be read, and the components themselves: their users say what they are called.
      const isOther = prop("readOnly") === "" || prop(labelled ?? "") === "label";
      if (isText && !isOther) labels.push(prop(labelled ?? "aria-label") ?? "without a label");
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return labels;
};
