import { afterAll, beforeAll } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import puppeteer, { type Browser, type Page, type Target, type WebWorker } from "puppeteer-core";
import { CHROMIUM } from "../browser/browser.ts";
import { packageName } from "../../../src/extension/packages/build.ts";
import type { Target as Package } from "../../../src/extension/packages/manifest.ts";
import { buildBinary } from "../program.ts";
import { testDirectory } from "../server.ts";
import { unzip } from "./unzip.ts";

const DIST = join(import.meta.dir, "../../../dist");

/** The id that the manifest's key gives the extension. */
const ID = "dcgnibpkcoiddldikgfmmjoahjpkjphp";

/** In ms. Well below a test's own limit, so that a failure says what was missing. */
const LONGEST = 30_000;

/** A Chromium with the packed extension, as a person has it. */
export type Chrome = {
  readonly browser: Browser;
  /** Opens one of the extension's pages in a tab. */
  readonly open: (page: "options.html" | "panel.html" | "popup.html") => Promise<Page>;
  /** Opens the popup of the extension's button, over the tab in front. */
  readonly popup: () => Promise<Page>;
  /** Opens a web page in a new tab in front. */
  readonly visit: (url: string) => Promise<Page>;
  /** Runs code in the extension's worker, which must run. */
  readonly inWorker: <T>(code: string) => Promise<T>;
  /** Stops the worker, as the browser does after half a minute without work. Resolves when it has stopped. */
  readonly stopWorker: () => Promise<void>;
  /** Returns a list that grows: the address of each request that the extension's worker sends from now on. */
  readonly requests: () => Promise<readonly string[]>;
  /** Withdraws the permission to reach this computer, as the page `chrome://extensions` does, or gives it back. */
  readonly allow: (mayReach: boolean) => Promise<void>;
  /** Chooses the key for a command, as the page `chrome://extensions/shortcuts` does. */
  readonly setKey: (commandName: string, keybinding: string) => Promise<void>;
  /** Bytes of the worker's heap, after what is not used any more was collected. */
  readonly memory: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/**
 * Unpacks the built zip into a folder. The browser asks for permission to reach a server in a window of its own, which
 * only a test on a screen can answer. For the others, the manifest for Chrome grants it for this computer.
 */
export const unpack = (folder: string, target: Package = "chrome", isGranted = true): void => {
  const archive = readFileSync(join(DIST, packageName(target)));
  for (const { name, data } of unzip(archive)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isChanged = isGranted && target === "chrome" && name === "manifest.json";
    writeFileSync(join(folder, name), isChanged ? grantedManifest(data) : data);
  }
};

const grantedManifest = (data: Uint8Array): string => {
  const manifest = JSON.parse(Buffer.from(data).toString()) as {
    readonly permissions: readonly string[];
    readonly optional_permissions: readonly string[];
  };
  return JSON.stringify({
    ...manifest,
    permissions: [...manifest.permissions, ...manifest.optional_permissions],
    optional_permissions: [],
    // The last one is the name that the pictures for the stores show.
    host_permissions: ["http://127.0.0.1/*", "https://127.0.0.1/*", "http://docket.lan/*"],
  });
};

/**
 * Starts a browser with the extension. `folder` holds it, `profile` is empty or that of an earlier start. It has no
 * window, or one on a `display`.
 */
export const startChrome = async (
  folder: string,
  profile: string,
  more: readonly string[] = [],
  display: string | null = null,
): Promise<Chrome> => {
  const isNew = !existsSync(join(profile, "Default"));
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM ?? "",
    headless: display === null,
    ...(display === null ? {} : { env: { ...process.env, DISPLAY: display } }),
    userDataDir: profile,
    enableExtensions: true,
    args: [
      "--no-sandbox",
      // Hundreds of tabs must not be hundreds of processes.
      "--renderer-process-limit=4",
      `--load-extension=${folder}`,
      `--disable-extensions-except=${folder}`,
      "--disable-features=DisableLoadExtensionCommandLineSwitch",
      ...more,
    ],
  });
  await workerOf(browser);
  const extension = `chrome-extension://${ID}`;
  if (isNew) await closeFirstPage(browser, `${extension}/options.html`);
  return {
    browser,
    open: async (name) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(LONGEST);
      await page.goto(`${extension}/${name}`);
      // The page has loaded before its script has drawn anything.
      await page.waitForSelector("body > div > *");
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
    requests: () => requestsOf(browser),
    allow: (mayReach) =>
      onExtensionsPage(browser, "updateExtensionConfiguration", {
        hostAccess: mayReach ? "ON_ALL_SITES" : "ON_CLICK",
      }),
    setKey: (commandName, keybinding) =>
      onExtensionsPage(browser, "updateExtensionCommand", { commandName, keybinding }),
    memory: async () => {
      const { client } = await workerOf(browser);
      await client.send("HeapProfiler.collectGarbage");
      return (await client.send("Runtime.getHeapUsage")).usedSize;
    },
    close: () => browser.close(),
  };
};

/** The same for the tests of one `describe`: there when the first of them begins, and gone after the last. */
export const useChrome = (): Chrome => {
  const chrome: Partial<Chrome> = {};
  const [folder, profile] = [testDirectory(), testDirectory()];
  beforeAll(async () => {
    await buildBinary();
    unpack(folder);
    Object.assign(chrome, await startChrome(folder, profile));
  });
  afterAll(async () => await chrome.close?.());
  return chrome as Chrome;
};

/** Waits for the page that the extension opens when it is installed, and closes it. */
const closeFirstPage = async (browser: Browser, url: string): Promise<void> => {
  const first = await browser.waitForTarget((target) => target.url() === url);
  // It has taken the place of the empty tab.
  if ((await browser.pages()).length === 1) await browser.newPage();
  await (await first.asPage()).close();
};

/** Presses a button by its name. */
export const press = async (page: Page, name: string): Promise<void> => {
  const button = await page.waitForSelector(
    `xpath/.//button[normalize-space()="${name}" or @aria-label="${name}"]`,
  );
  await mayClose(button?.click());
};

/** Presses a key or button that may close the page before the browser says that it is released. */
export const mayClose = async (pressing: Promise<unknown> | undefined): Promise<void> => {
  await pressing?.catch((error: unknown) => {
    if (!String(error).includes("Target closed")) throw error;
  });
};

/** Changes something of the extension, as the page `chrome://extensions` does. */
const onExtensionsPage = async (browser: Browser, call: string, change: object): Promise<void> => {
  const page = await browser.newPage();
  await page.goto("chrome://extensions");
  const given = JSON.stringify({ extensionId: ID, ...change });
  await page.evaluate(`chrome.developerPrivate.${call}(${given})`);
  await page.close();
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

/**
 * Stops the worker by the browser's own list of workers (`chrome://serviceworker-internals` has a button for the
 * same). The list says when it has stopped, also if an event has started it again by then.
 */
const stopWorker = async (browser: Browser): Promise<void> => {
  const page = await pageOf(browser);
  const list = await page.createCDPSession();
  const [listed, stopped] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  list.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
    for (const { versionId, runningStatus, status } of versions) {
      if (status !== "activated") continue;
      if (runningStatus === "stopped") stopped.resolve();
      listed.resolve(versionId);
    }
  });
  await list.send("ServiceWorker.enable");
  const versionId = await listed.promise;
  // A worker that a driver is attached to would wait for it when it starts again. This also lets go of it.
  await browser
    .targets()
    .find(isWorker)
    ?.worker()
    .then((worker) => worker?.close());
  await list.send("ServiceWorker.stopWorker", { versionId });
  await stopped.promise;
  await list.detach();
};

/** A page of the extension. The list of workers that such a page sees has the extension's alone. */
const pageOf = async (browser: Browser): Promise<Page> => {
  const open = (await browser.pages()).find((page) => page.url().includes(ID));
  if (open) return open;
  const page = await browser.newPage();
  await page.goto(`chrome-extension://${ID}/options.html`);
  return page;
};

const requestsOf = async (browser: Browser): Promise<readonly string[]> => {
  const urls: string[] = [];
  const listen = async (target: Target): Promise<void> => {
    if (!isWorker(target)) return;
    const network = await target.createCDPSession();
    network.on("Network.requestWillBeSent", ({ request }) => urls.push(request.url));
    await network.send("Network.enable");
  };
  browser.on("targetcreated", (target) => void listen(target).catch(() => {}));
  await Promise.all(browser.targets().map(listen));
  return urls;
};
