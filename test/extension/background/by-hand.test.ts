import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { FIREFOX } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Display, onDisplay, startDisplay } from "../../support/extension/display.ts";
import { startFirefox } from "../../support/extension/firefox.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

/** A browser in a window on a screen. */
type Shown = {
  /** A page of the extension, behind the one in front. */
  readonly page: Page;
  /** Opens a web page in front. */
  readonly visit: (url: string) => Promise<void>;
  readonly pages: () => Promise<readonly Page[]>;
  readonly close: () => Promise<void>;
};

type Show = (display: Display, folder: string, profile: string) => Promise<Shown>;

const showChromium: Show = async ({ name }, folder, profile) => {
  unpack(folder);
  const chrome = await startChrome(folder, profile, [], name);
  return {
    page: await chrome.open("options.html"),
    visit: async (url) => (await chrome.visit(url)).bringToFront(),
    pages: () => chrome.browser.pages(),
    close: chrome.close,
  };
};

const showFirefox: Show = async ({ name }, folder, profile) => {
  unpack(folder, "firefox");
  const firefox = await startFirefox(folder, profile, name);
  return {
    page: await firefox.open("options.html", "#address"),
    visit: async (url) => {
      const front = await firefox.browser.newPage();
      await front.goto(url);
      await front.bringToFront();
    },
    pages: () => firefox.browser.pages(),
    close: () => firefox.browser.close(),
  };
};

for (const [name, executable, show] of [
  ["In Chromium", CHROMIUM, showChromium],
  ["In Firefox", FIREFOX, showFirefox],
] as const)
  onDisplay.skipIf(executable === null)(`${name}, with the keyboard of the computer,`, () => {
    let home: Home;
    let display: Display;
    let browser: Shown;
    afterAll(async () => {
      await browser.close();
      await display.end();
      await home.end();
    });
    const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

    beforeAll(async () => {
      home = await startHome(data);
      display = await startDisplay();
      browser = await show(display, folder, profile);
      // Long before anything is typed: Firefox takes note of a listener a while after it has been told.
      await browser.page.evaluate(HEAR);
      await browser.visit(at("Oslo"));
      await display.focus();
    });

    const at = (path: string): string => new URL(path, home.web).href;
    const open = async (): Promise<readonly string[]> =>
      ((await browser.page.evaluate(OPEN)) as readonly string[]).map((url) =>
        new URL(url).pathname.slice(1),
      );
    const titles = async (): Promise<readonly unknown[]> =>
      (await storedTasks(browser.page)).map(({ payload }) => payload["title"]);
    /** Whether what is typed goes to a page. Firefox lets nobody ask its own. */
    const isInPage = async (): Promise<boolean> => {
      const pages = await browser.pages();
      const asked = pages.map((page) => page.evaluate("document.hasFocus()").catch(() => false));
      return (await Promise.all(asked)).includes(true);
    };
    /** Types into the address bar, and presses a key once the extension has had time to answer. */
    const inAddressBar = async (text: string, key: string): Promise<void> => {
      await display.press("ctrl+l");
      // The page hears of the keys first, and passes them on once it has time.
      await until(isInPage, (is) => !is);
      await display.type(text);
      // The browser has asked the extension for suggestions.
      await until(
        () => browser.page.evaluate("globalThis.heard"),
        (heard) => `dk ${String(heard)}` === text,
      );
      await Bun.sleep(500);
      await display.press(key);
    };

    test("one keystroke saves the tab, and the button says so", async () => {
      await display.press("alt+shift+q");
      await until(titles, (all) => all.includes("Agent unsorted"));
      const badge = await until(
        () => browser.page.evaluate(BADGE) as Promise<readonly string[]>,
        ([text]) => text === "✓",
      );
      expect([
        "1 tab saved to “Inbox”. Open Docket to undo.",
        "Docket: saved in the inbox",
      ]).toContain(badge[1] ?? "");
    });

    test("and all that are selected", async () => {
      for (const path of ["Lom", "Molde"]) await browser.visit(at(path));
      await browser.page.evaluate(SELECT);
      await display.press("alt+shift+q");
      const inbox = async () => JSON.stringify(await storedTasks(browser.page));
      await until(inbox, (all) => all.includes("/Lom") && all.includes("/Molde"));
      await browser.page.evaluate(CLOSE_OTHERS);
    });

    test("a line of the context menu saves the page", async () => {
      await browser.visit(at("Narvik"));
      // The first line, or in Firefox the second: its menu begins on the first one.
      await display.choose(500, 500, ["d", "Down"]);
      await display.press("Return");
      const inbox = async () => JSON.stringify(await storedTasks(browser.page));
      await until(inbox, (all) => all.includes("/Narvik"));
      await browser.page.evaluate(CLOSE_OTHERS);
    });

    test("another key saves it to the task used last", async () => {
      await ask(browser.page, "save", {
        saved: { kind: "link", url: "https://example.org/", title: "A page" },
        place: { kind: "new", title: "Read" },
        close: false,
      });
      await display.press("alt+shift+period");
      const read = async () => JSON.stringify(await storedTasks(browser.page));
      await until(read, (all) => all.split("/Oslo").length === 3);
    });

    test("another opens the popup", async () => {
      const popups = () => browser.page.evaluate(POPUPS) as Promise<number>;
      await display.press("alt+shift+j");
      await until(popups, (count) => count === 1);
      await browser.page.evaluate(CLOSE_POPUPS);
      await until(popups, (count) => count === 0);
    });

    test("another saves all tabs of the window as a task", async () => {
      await display.press("alt+shift+y");
      expect(await until(titles, (all) => all.length === 3)).toContainEqual(
        expect.stringContaining("Oslo"),
      );
    });

    test("`dk` in the address bar opens a saved page in this tab", async () => {
      await saveLink(browser.page, at("Bergen"), "The train to Bergen");
      await inAddressBar("dk bergen train", "Return");
      expect(await until(open, (all) => all.includes("Bergen"))).toEqual(["Bergen"]);
    });

    test("and with Alt in a new one", async () => {
      await inAddressBar("dk oslo", "alt+Return");
      expect(await until(open, (all) => all.includes("Oslo"))).toEqual(["Bergen", "Oslo"]);
    });

    test("and all tabs of a task that has the name", async () => {
      for (const path of ["Flam", "Voss"])
        await ask(browser.page, "save", {
          saved: { kind: "link", url: at(path), title: path },
          place: path === "Flam" ? { kind: "new", title: "Fjords" } : { kind: "last" },
          close: false,
        });
      await inAddressBar("dk fjords", "Return");
      await until(open, (all) => all.includes("Flam") && all.includes("Voss"));
    });
  });

/** Lets a page of the extension hear what is typed after its keyword. */
const HEAR = `globalThis.heard = "";
  chrome.omnibox.onInputChanged.addListener((text) => void (globalThis.heard = text)), 0`;

/** Selects the two tabs that were opened last. */
const SELECT = `chrome.tabs.query({ currentWindow: true }).then((tabs) =>
  chrome.tabs.highlight({ tabs: tabs.slice(-2).map(({ index }) => index) })).then(() => 0)`;

const CLOSE_OTHERS = `chrome.tabs.query({ url: "http://127.0.0.1/*" }).then(([first, ...others]) =>
  chrome.tabs.remove(others.map(({ id }) => id)))`;

const POPUPS = `chrome.extension.getViews({ type: "popup" }).length`;

const CLOSE_POPUPS = `chrome.extension.getViews({ type: "popup" }).forEach((view) => view.close())`;

const OPEN = `chrome.tabs.query({}).then((tabs) =>
  tabs.map(({ url }) => url).filter((url) => url.startsWith("http:")))`;

const BADGE = `chrome.tabs.query({ url: "http://127.0.0.1/*" }).then(async ([{ id }]) => [
  await chrome.action.getBadgeText({ tabId: id }),
  await chrome.action.getTitle({ tabId: id }),
])`;
