import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { CHROMIUM, watch } from "../browser/_browser.ts";
import manifest from "./manifest.json";

/**
 * Builds the extension into a directory, ready to be loaded. It asks for the permission to reach its
 * server when its person signs in, and the browser then asks them in a window of its own, which no test
 * can reach: so here the manifest has that permission from the start, for this machine alone.
 */
export const buildExtension = async (directory: string): Promise<void> => {
  const sources = [import.meta.resolve("./src/worker.ts"), import.meta.resolve("./src/options.ts")];
  await Bun.build({
    entrypoints: sources.map((url) => Bun.fileURLToPath(url)),
    outdir: directory,
    target: "browser",
  });
  copyFileSync(join(import.meta.dir, "options.html"), join(directory, "options.html"));
  const allowed = { ...manifest, host_permissions: ["http://127.0.0.1/*"] };
  await Bun.write(join(directory, "manifest.json"), JSON.stringify(allowed));
};

/** A browser of its own, with a profile of its own, that has the extension. */
export type Device = {
  readonly context: BrowserContext;
  /** The extension's options page, open in a tab. */
  readonly options: Page;
  /** What its pages and its worker should not have done: see `watch`. */
  readonly faults: readonly string[];
  /** Past the page, to the browser itself. */
  readonly inside: CDPSession;
};

/** Starts a browser with the extension of a directory, which may ask `origins` and nobody else. */
export const startDevice = async (
  extension: string,
  profile: string,
  origins: readonly string[],
): Promise<Device> => {
  const context = await launch(extension, profile);
  // Well below a test's own, so that a failure says what was missing.
  context.setDefaultTimeout(8_000);
  const [worker = await context.waitForEvent("serviceworker")] = context.serviceWorkers();
  const home = new URL("./", worker.url());
  // The browser takes the answer of a sign-in at the second of these: it never goes out.
  const own = [home.href, `https://${home.host}.chromiumapp.org/`];
  const faults = watch(context, {
    mayAsk: (url) => [...origins, ...own].some((start) => url.startsWith(start)),
    // A refused code, an ended session, a form that was filled in wrongly.
    statuses: [400, 401, 422],
  });
  const options = context.pages()[0] ?? (await context.newPage());
  const inside = await context.newCDPSession(options);
  inside.on("ServiceWorker.workerErrorReported", ({ errorMessage: { errorMessage } }) => {
    if (errorMessage.startsWith("Uncaught")) faults.push(`worker: ${errorMessage}`);
  });
  await inside.send("ServiceWorker.enable");
  await options.goto(new URL("options.html", home).href);
  return { context, options, faults, inside };
};

const launch = (extension: string, profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM ?? "",
    // What Playwright means by headless has no extensions.
    headless: false,
    args: [
      "--headless=new",
      `--load-extension=${extension}`,
      `--disable-extensions-except=${extension}`,
      "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ],
  });

/** Stops the extension's worker, as the browser does when it has had nothing to do for half a minute. */
export const stopWorker = async ({ inside }: Device): Promise<void> => {
  const stopped = new Promise<void>((resolve) => {
    inside.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      if (versions.some((version) => version.runningStatus === "stopped")) resolve();
    });
  });
  await inside.send("ServiceWorker.stopAllWorkers");
  await stopped;
};

/** Lets the extension's alarm go off now instead of within its minute. */
export const ringAlarm = ({ options }: Device): Promise<void> =>
  options.evaluate("chrome.alarms.create('now', { when: Date.now() })");

/** Has the worker sync, as its button does, and waits for its answer. */
export const syncNow = ({ options }: Device): Promise<void> =>
  options.evaluate("chrome.runtime.sendMessage({ kind: 'sync' })");

type Held = {
  readonly waiting: boolean;
  // The tests look into payloads of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly row: { readonly payload: any };
};

/** The records that the extension holds, by table and id. */
export const recordsOf = async ({ options }: Device): Promise<Readonly<Record<string, Held>>> => {
  const stored = await options.evaluate<Record<string, Held>>("chrome.storage.local.get(null)");
  return Object.fromEntries(Object.entries(stored).filter(([key]) => key.includes("/")));
};
