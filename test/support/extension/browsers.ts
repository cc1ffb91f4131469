import { afterAll, beforeAll } from "bun:test";
import { buildBinary } from "../program.ts";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../browser/browser.ts";
import { inFirefox } from "../browser/firefox.ts";
import { times } from "../random.ts";
import { testDirectory } from "../server.ts";
import { startChrome, unpack } from "./chrome.ts";
import { EVICT, grant, startFirefox } from "./firefox.ts";
import type { Home } from "./home.ts";
import { holdAt, type Step } from "./steps.ts";

/** A browser with the extension, of either kind. */
export type Extended = {
  /** A page of the extension that stays open. */
  readonly page: Page;
  readonly signIn: (home: Home, server?: string) => Promise<void>;
  /** Makes the worker halt at a step, counted from now. */
  readonly holdAt: (step: Step) => Promise<void>;
  /** At which steps the worker is stopped: some of them, for the time they take, and each one with a high `HISTORIES`. */
  readonly stride: number;
  /** Stops the worker, as the browser itself does. It starts again for the next event. */
  readonly stop: () => Promise<void>;
  /** Opens an address in a new tab in front. */
  readonly visit: (url: string) => Promise<void>;
  /** Opens a web page in a new tab in front. */
  readonly newTab: (url: string) => Promise<Page>;
  /** The address of a page of the browser's own. */
  readonly ownPage: string;
  /** Opens the popup as a page, which shows an element once it is ready. */
  readonly popup: () => Promise<Page>;
  /** Withdraws the permission to reach the server, by the browser's own page about the extension, or gives it back. */
  readonly allow: (mayReach: boolean) => Promise<void>;
  /** Gives the permission to read bookmarks, which the browser asks for in a window of its own. */
  readonly allowBookmarks: () => Promise<void>;
  /** Removes what the extension has stored in its database, as the browser does when the disk is nearly full. */
  readonly evict: () => Promise<void>;
  /** Puts what is downloaded from now on into a directory, without a question. */
  readonly downloadTo: (directory: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const strideOf = (some: number): number => Math.max(1, Math.floor(some / times(1)));

const startInChromium = async (folder: string, profile: string): Promise<Extended> => {
  await buildBinary();
  unpack(folder);
  const chrome = await startChrome(folder, profile);
  const page = await chrome.open("options.html");
  return {
    page,
    signIn: (home, server) => home.signIn(chrome, server),
    holdAt: (step) => chrome.inWorker(`${holdAt(step, true)}(globalThis)`),
    stop: chrome.stopWorker,
    stride: strideOf(20),
    visit: async (url) => {
      await chrome.visit(url);
    },
    newTab: chrome.visit,
    ownPage: "chrome://version/",
    popup: () => chrome.open("popup.html"),
    allow: chrome.allow,
    // The manifest of the tests has it.
    allowBookmarks: async () => {},
    evict: async () => {
      const session = await page.createCDPSession();
      const origin = new URL(page.url()).origin;
      await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
      await session.detach();
    },
    downloadTo: async (downloadPath) => {
      const session = await chrome.browser.target().createCDPSession();
      await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath });
    },
    close: chrome.close,
  };
};

const startInFirefox = async (folder: string, profile: string): Promise<Extended> => {
  await buildBinary();
  unpack(folder, "firefox");
  const firefox = await startFirefox(folder, profile);
  const page = await firefox.open("options.html", "#address");
  return {
    page,
    signIn: (home, server) => home.signIn(firefox.asChrome(page), server),
    // Extension pages share one thread there, this one among them.
    holdAt: async (step) => {
      await page.evaluate(
        `browser.runtime.getBackgroundPage().then((scope) => ${holdAt(step, false)}(scope))`,
      );
    },
    stop: firefox.stopEventPage,
    stride: strideOf(32),
    visit: async (url) => {
      const tab = await firefox.browser.newPage();
      // Firefox reports the loading of some pages to nobody.
      void tab.goto(url).catch(() => null);
      await page.waitForFunction(
        `browser.tabs.query({}).then((tabs) => tabs.some((tab) => tab.url === ${JSON.stringify(url)}))`,
      );
    },
    newTab: firefox.newTab,
    ownPage: "about:license",
    popup: () => firefox.open("popup.html", ".popup-head"),
    allow: async (mayReach) => {
      await firefox.inBrowser(grant(mayReach ? "add" : "remove"));
    },
    allowBookmarks: async () => {
      await firefox.inBrowser(grant("add", ["bookmarks"]));
    },
    evict: async () => {
      await firefox.inBrowser(EVICT);
    },
    downloadTo: async (directory) => {
      await firefox.inBrowser(`Services.prefs.setIntPref("browser.download.folderList", 2);
        Services.prefs.setStringPref("browser.download.dir", ${JSON.stringify(directory)})`);
    },
    close: () => firefox.browser.close(),
  };
};

type Start = (folder: string, profile: string) => Promise<Extended>;
type Tests = (start: Start) => void;

/** A browser for the tests of one `describe`: there when the first of them begins, and gone after the last. */
export const useBrowser = (start: Start): Extended => {
  const browser: Partial<Extended> = {};
  const [folder, profile] = [testDirectory(), testDirectory()];
  beforeAll(async () => void Object.assign(browser, await start(folder, profile)));
  afterAll(async () => await browser.close?.());
  return browser as Extended;
};

/** `describe` for Chromium alone: for what the extension's own code does, without the browser. */
export const inChromium = (what: string, tests: Tests): void =>
  inBrowser(`In Chromium, ${what}`, () => tests(startInChromium));

/** `describe` for each browser. Those that this machine lacks count as skipped. */
export const inEachBrowser = (what: string, tests: Tests): void => {
  inChromium(what, tests);
  inFirefox(`In Firefox, ${what}`, () => tests(startInFirefox));
};
