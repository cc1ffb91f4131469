import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import puppeteer, { type Browser, type Page, type Target, type WebWorker } from "puppeteer-core";
import { CHROMIUM } from "../browser/_browser.ts";
import { packageName } from "../../src/extension/packages/build.ts";
import type { Target as Package } from "../../src/extension/packages/manifest.ts";
import { unzip } from "./_unzip.ts";

const DIST = join(import.meta.dir, "../../dist");

/** The id that the manifest's key gives the extension. */
const ID = "dcgnibpkcoiddldikgfmmjoahjpkjphp";

/** In ms. Well below a test's own limit, so that a failure says what was missing. */
const LONGEST = 8_000;

/** A Chromium with the packed extension, as a person has it. */
export type Chrome = {
  readonly browser: Browser;
  /** Opens one of the extension's pages in a tab. */
  readonly open: (page: "options.html" | "popup.html") => Promise<Page>;
  /** Opens the popup of the extension's button, over the tab in front. */
  readonly popup: () => Promise<Page>;
  /** Opens a web page in a new tab in front. */
  readonly visit: (url: string) => Promise<Page>;
  /** Runs code in the extension's worker, which must run. */
  readonly inWorker: <T>(code: string) => Promise<T>;
  /** Stops the worker, as the browser does after half a minute without work. */
  readonly stopWorker: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Unpacks the built zip into a folder. The browser asks for permission to reach a server in a window that tests cannot
 * control, so the manifest for Chrome grants it from the start, for this computer only.
 */
export const unpack = (folder: string, target: Package = "chrome"): void => {
  const archive = readFileSync(join(DIST, packageName(target)));
  for (const { name, data } of unzip(archive)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isManifest = target === "chrome" && name === "manifest.json";
    writeFileSync(join(folder, name), isManifest ? grantedManifest(data) : data);
  }
};

const grantedManifest = (data: Uint8Array): string =>
  JSON.stringify({
    ...(JSON.parse(Buffer.from(data).toString()) as Record<string, unknown>),
    host_permissions: ["http://127.0.0.1/*", "https://127.0.0.1/*"],
  });

/** Starts a browser with the extension. `folder` holds it, `profile` is empty or that of an earlier start. */
export const startChrome = async (folder: string, profile: string): Promise<Chrome> => {
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM ?? "",
    headless: true,
    userDataDir: profile,
    enableExtensions: true,
    args: [
      "--no-sandbox",
      `--load-extension=${folder}`,
      `--disable-extensions-except=${folder}`,
      "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ],
  });
  await workerOf(browser);
  const extension = `chrome-extension://${ID}`;
  return {
    browser,
    open: async (name) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(LONGEST);
      await page.goto(`${extension}/${name}`);
      return page;
    },
    popup: async () => {
      const worker = await workerOf(browser);
      const shown = browser.waitForTarget((target) => target.url() === `${extension}/popup.html`);
      await worker.evaluate("chrome.action.openPopup()");
      const page = await (await shown).asPage();
      page.setDefaultTimeout(LONGEST);
      await page.waitForSelector(".popup-head");
      return page;
    },
    visit: async (url) => {
      const page = await browser.newPage();
      await page.goto(url);
      return page;
    },
    inWorker: async <T>(code: string) => (await workerOf(browser)).evaluate(code) as Promise<T>,
    stopWorker: () => stopWorker(browser),
    close: () => browser.close(),
  };
};

/** Presses a button by its name. */
export const press = async (page: Page, name: string): Promise<void> => {
  const button = await page.waitForSelector(
    `xpath/.//button[normalize-space()="${name}" or @aria-label="${name}"]`,
  );
  await button?.click();
};

const isWorker = (target: Target): boolean =>
  target.type() === "service_worker" && target.url().includes(ID);

/** Returns the running worker. One that was just stopped, or has only begun to start, does not know `chrome`. */
const workerOf = async (browser: Browser): Promise<WebWorker> => {
  for (let tries = 0; tries < 80; tries += 1) {
    const worker = await browser.targets().find(isWorker)?.worker();
    const isReady = await worker?.evaluate("!!globalThis.chrome?.storage").catch(() => false);
    if (worker && isReady) return worker;
    await Bun.sleep(100);
  }
  throw new Error("The extension's worker does not run.");
};

const stopWorker = async (browser: Browser): Promise<void> => {
  const worker = await workerOf(browser);
  const gone = new Promise<void>((resolve) => {
    const onGone = (target: Target): void => {
      if (!isWorker(target)) return;
      browser.off("targetdestroyed", onGone);
      resolve();
    };
    browser.on("targetdestroyed", onGone);
  });
  await worker.close();
  await gone;
};
