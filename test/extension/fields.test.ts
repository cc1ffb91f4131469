import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Glob } from "bun";
import { randomUUID } from "node:crypto";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../support/browser/browser.ts";
import { isTried } from "../support/random.ts";
import { ask } from "../support/extension/ask.ts";
import { useChrome } from "../support/extension/chrome.ts";
import {
  cellsOf,
  type Event,
  type Field,
  FIELDS,
  type Place,
} from "../support/extension/fields.ts";
import { type Gate, startGate } from "../support/extension/gate.ts";
import { record, until, useHome } from "../support/extension/home.ts";

// Every text field of popup, panel and options, and what happens to a text in it. Composing is driven by Chromium's own
// protocol. Firefox's driver has no input method: what fields do with its keys is decided in the same place for both
// browsers (`ui/keys/meaning.ts`).

const DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

const FULL = '{"error": "This account may take up 1 MiB on this server, and is full."}';

inBrowser("In the extension, what Ann types is not lost:", () => {
  const home = useHome();
  let gate: Gate;
  const chrome = useChrome();
  /** A page that stays open. */
  let options: Page;
  let typed = "";
  let tests = 0;
  afterAll(() => gate.stop());

  beforeAll(async () => {
    gate = startGate(home.url);
    await home.signIn(chrome, gate.url);
    options = await chrome.open("options.html");
    await chrome.visit(new URL("Voss", home.web).href);
  });

  beforeEach(async () => {
    tests += 1;
    await home.api("POST", "/sync", [
      record("sync_projects", "home", { name: "Home" }),
      record("sync_buckets", "later", { name: "Later" }),
      record("sync_tasks", "trip", {
        title: "Trip",
        status: "todo",
        pages: [{ id: "p", url: "https://boat.example/", title: "Boat", group: "g" }],
        groups: [{ id: "g", title: "Group", colour: "blue" }],
        notes: [{ id: "n", text: "Note" }],
        tags: [],
      }),
    ]);
    await ask(options, "sync");
    // Whatever an earlier test has left in a field.
    await options.evaluate(
      "Object.keys(localStorage).filter((key) => key.startsWith('docket-typed')).forEach((key) => localStorage.removeItem(key))",
    );
  });

  /** Whether the server has the text. */
  const isSaved = async (): Promise<boolean> =>
    JSON.stringify((await home.api("GET", "/sync")).changes).includes(typed);

  const openAt = async ({ page: name, at }: Field): Promise<Page> => {
    const page = name === "popup.html" ? await chrome.popup() : await chrome.open(name);
    if (name !== "panel.html") return page;
    await page.waitForSelector(".panel-nav");
    await page.evaluate("location.hash = '#/tasks/today'");
    await page.evaluate((hash) => (location.hash = hash), `#${at}`);
    return page;
  };

  /** Opens the field, with the caret at the end of it. */
  const enter = async (field: Field): Promise<Page> => {
    const page = await openAt(field);
    // What the record was is shown by now.
    if (field.at?.includes("trip")) await page.waitForSelector(".panel-title");
    await show(page, field);
    await page.focus(field.selector);
    await page.$eval(field.selector, (one) => {
      const input = one as HTMLInputElement;
      input.setSelectionRange(input.value.length, input.value.length);
    });
    return page;
  };

  const type = async (page: Page, field: Field): Promise<void> => {
    // One that is much like another finds the task of that.
    typed = field.typed?.(tests) ?? ` w${randomUUID().slice(0, 8)}`;
    await page.keyboard.type(typed);
    typed = typed.trim();
  };

  /** Both keys are the input method's. */
  const compose = async (page: Page): Promise<void> => {
    typed = `のじゅんび${tests}`;
    const input = await page.createCDPSession();
    const at = typed.length;
    await input.send("Input.imeSetComposition", {
      text: typed,
      selectionStart: at,
      selectionEnd: at,
    });
    for (const [key, windowsVirtualKeyCode] of [
      ["Enter", 13],
      ["Escape", 27],
    ] as const)
      for (const kind of ["rawKeyDown", "keyUp"] as const) {
        const pressed = { type: kind, key, code: key, windowsVirtualKeyCode };
        await input.send("Input.dispatchKeyEvent", pressed);
      }
    await input.detach();
  };

  /** Types and presses Enter while the server takes nothing, until the extension says that the change waits. */
  const sendInVain = async (page: Page, field: Field): Promise<void> => {
    await type(page, field);
    await pressKey(page, field);
    await until(
      () => options.$eval(".facts-list", (facts) => facts.textContent),
      (text) => / waits? for it\./.test(text),
    );
    expect(await isSaved()).toBe(false);
    await page.close();
  };

  const EVENTS: Readonly<Record<Event, (page: Page, field: Field) => Promise<Page | void>>> = {
    "Enter and Escape while composing, and leaving it": async (page, field) => {
      await compose(page);
      expect(await isIn(page, field)).toBe(true);
      expect(await isSaved()).toBe(false);
      await page.evaluate("document.activeElement.blur()");
    },
    "a click beside it": async (page, field) => {
      await type(page, field);
      await page.mouse.click(2, 2);
    },
    Back: async (page, field) => {
      await type(page, field);
      if (field.page === "options.html") {
        await page.goBack();
        await page.goForward();
        return;
      }
      await page.evaluate(
        "new Promise((done) => { addEventListener('popstate', done, { once: true }); history.back(); })",
      );
      await page.evaluate((hash) => (location.hash = hash), `#${field.at}`);
      await page.evaluate(DRAWN);
    },
    "closing at once, and opening again": async (page, field) => {
      await type(page, field);
      // The options keep their fields for a reload.
      if (field.page === "options.html") {
        await page.reload();
        return;
      }
      await page.close();
      return openAt(field);
    },
    "another window with the same field": async (page, field) => {
      await type(page, field);
      const other = await enter(field);
      await other.close();
      await page.bringToFront();
      if (field.kind !== "saved") {
        expect(await valueIn(page, field)).toContain(typed);
        await pressKey(page, field);
      }
    },
    "Enter while the server is full": async (page, field) => {
      gate.answer(507, FULL);
      await sendInVain(page, field);
      gate.open();
      await ask(options, "sync");
    },
    "Enter while offline": async (page, field) => {
      const port = Number(new URL(gate.url).port);
      await gate.stop();
      await sendInVain(page, field);
      gate = startGate(home.url, port);
      await ask(options, "sync");
    },
  };

  const placeOf = async (page: Page, field: Field, wanted: Place): Promise<Place> => {
    if (wanted === "saved") {
      await until(isSaved, (is) => is);
      return "saved";
    }
    if (wanted === "in the field or saved") {
      // What was kept is saved when its field appears again.
      await page.evaluate(DRAWN);
      await ask(options, "sync");
      if (await isSaved()) return wanted;
    }
    await show(page, field);
    return (await valueIn(page, field))?.includes(typed) ? wanted : "gone";
  };

  for (const [row, field] of FIELDS.entries())
    for (const [event, wanted] of cellsOf(field).filter((_, at) => isTried(5, row, at)))
      test(`${field.name}, after ${event}: ${wanted}`, async () => {
        const page = await enter(field);
        const after = (await EVENTS[event](page, field)) ?? page;
        try {
          expect(await placeOf(after, field, wanted)).toBe(wanted);
        } finally {
          if (!after.isClosed()) await after.close();
        }
      });
});

const show = async (page: Page, field: Field): Promise<void> => {
  if ((await page.$(field.selector)) === null) await field.show?.(page);
  await page.waitForSelector(field.selector);
};

const valueIn = (page: Page, { selector }: Field): Promise<string | null> =>
  page.$eval(selector, (field) => (field as HTMLInputElement).value).catch(() => null);

const pressKey = async (page: Page, { key = "Enter" }: Field): Promise<void> => {
  if (key === "Control+Enter") await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  if (key === "Control+Enter") await page.keyboard.up("Control");
};

const isIn = (page: Page, { selector }: Field): Promise<boolean> =>
  page.$eval(selector, (field) => field === document.activeElement);

test("Every text field of the extension's own pages is in the table", async () => {
  const missing: string[] = [];
  for await (const path of new Glob("src/extension/**/*.tsx").scan())
    for (const [tag] of (await Bun.file(path).text()).matchAll(
      /<(input|textarea|Chooser|Editable|OneLine)\s(?![^/]*type="(?:checkbox|radio)")[^/]*/g,
    )) {
      const [, name = ""] = /(?:id|label)="([^"]*)"/.exec(tag) ?? [];
      if (!FIELDS.some(({ selector }) => selector === `#${name}` || selector.includes(`"${name}"`)))
        missing.push(`${path}: ${name}`);
    }
  expect(missing).toEqual([]);
});
