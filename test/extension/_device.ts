import { copyFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Worker,
} from "playwright-core";
import { CHROMIUM, watch } from "../browser/_browser.ts";
import manifest from "./manifest.json";

/**
 * Builds the extension into a directory from which it can be loaded. The real extension asks for permission to reach
 * its server when its user signs in, in a browser window that tests cannot control. So this manifest grants that
 * permission from the start, for this machine only.
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

/** A browser with a profile of its own and the extension. */
export type Device = {
  readonly context: BrowserContext;
  /** The extension's options page, open in a tab. */
  readonly options: Page;
  /** What its pages and its worker did although they must not: see `watch`. */
  readonly faults: readonly string[];
  /** A DevTools session, for what no page can do. */
  readonly inside: CDPSession;
};

/** Starts a browser with the extension in a directory. The extension may send requests to `origins` only. */
export const startDevice = async (
  extension: string,
  profile: string,
  origins: readonly string[],
): Promise<Device> => {
  const context = await launch(extension, profile);
  // In ms. Well below a test's own limit, so that a failure says what was missing.
  context.setDefaultTimeout(8_000);
  const [worker = await context.waitForEvent("serviceworker")] = context.serviceWorkers();
  const home = new URL("./", worker.url());
  // The second is the redirect address of a sign-in. The browser handles it itself and never sends a request there.
  const own = [home.href, `https://${home.host}.chromiumapp.org/`];
  const faults = watch(context, {
    mayAsk: (url) => [...origins, ...own].some((start) => url.startsWith(start)),
    // Expected: a refused code, an ended session, a form that was filled in wrongly.
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
    // Playwright's own headless mode does not support extensions.
    headless: false,
    args: [
      "--headless=new",
      `--load-extension=${extension}`,
      `--disable-extensions-except=${extension}`,
      "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ],
  });

/** Stops the extension's worker, as the browser does after half a minute without work. */
export const stopWorker = async ({ inside }: Device): Promise<void> => {
  const stopped = new Promise<void>((resolve) => {
    inside.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      if (versions.some((version) => version.runningStatus === "stopped")) resolve();
    });
  });
  await inside.send("ServiceWorker.stopAllWorkers");
  await stopped;
};

/** Sets off the extension's alarm now, instead of within a minute. */
export const ringAlarm = ({ options }: Device): Promise<void> =>
  options.evaluate("chrome.alarms.create('now', { when: Date.now() })");

/** Tells the worker to sync, as the button does, and waits until it has. */
export const syncNow = ({ options }: Device): Promise<void> =>
  options.evaluate("chrome.runtime.sendMessage({ kind: 'sync' })");

/** Holds back the reply to the worker's next pull, and continues as soon as that has arrived. */
const HOLD_PULL = `(() => {
  const usual = fetch;
  globalThis.arrived = new Promise((arrive) => {
    globalThis.fetch = async (address, request) => {
      const reply = await usual(address, request);
      if (request.method === "POST" || !address.includes("/sync")) return reply;
      globalThis.fetch = usual;
      arrive();
      await new Promise((release) => { globalThis.release = release; });
      return reply;
    };
  });
})()`;

/** Syncs, and does some work between the moment when a pull's reply reaches the device and when the worker reads it. */
export const syncDuring = async (device: Device, work: () => Promise<void>): Promise<void> => {
  const worker = workerOf(device);
  await worker.evaluate(HOLD_PULL);
  const synced = syncNow(device);
  await worker.evaluate("arrived");
  await work();
  await worker.evaluate("release()");
  await synced;
};

const LIST_CALLS = `(() => {
  const usual = fetch;
  globalThis.calls = [];
  globalThis.fetch = async (address, request) => {
    const reply = await usual(address, request);
    const since = address.includes("since=") ? "with since" : "without since";
    if (address.includes("/sync")) calls.push((request.method ?? "GET") + " " + since);
    return reply;
  };
})()`;

/** Returns a function that lists the calls to sync that were answered since. */
export const listCalls = async (device: Device): Promise<() => Promise<readonly string[]>> => {
  await workerOf(device).evaluate(LIST_CALLS);
  return () => workerOf(device).evaluate<readonly string[]>("calls");
};

const workerOf = ({ context }: Device): Worker => {
  const worker = context.serviceWorkers().at(-1);
  if (worker === undefined) throw new Error("The extension's worker does not run.");
  return worker;
};

type Held = {
  readonly waiting: boolean;
  // Payloads have many shapes, and the tests look into them.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly row: { readonly payload: any };
};

/** Returns the records that the extension holds, under `TABLE/ID`. */
export const recordsOf = async ({ options }: Device): Promise<Readonly<Record<string, Held>>> => {
  const stored = await options.evaluate<Record<string, Held>>("chrome.storage.local.get(null)");
  return Object.fromEntries(Object.entries(stored).filter(([key]) => key.includes("/")));
};
