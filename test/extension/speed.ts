import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "puppeteer-core";
import { ask } from "../support/extension/ask.ts";
import { startChrome, unpack } from "../support/extension/chrome.ts";
import { startFirefox } from "../support/extension/firefox.ts";
import { type Home, record, startHome } from "../support/extension/home.ts";
import { restInChromium, restInFirefox } from "../support/extension/idle.ts";

// Prints how fast the extension is, how much memory it needs, and what it asks of the server while nothing happens:
// bun test/extension/speed.ts --browser chromium

const { values } = parseArgs({ options: { browser: { type: "string", default: "chromium" } } });

const TASKS = 10_000;
const TABS = 100;
const ROUNDS = 5;
/** In ms. How long it is watched while nothing happens. */
const IDLE = 20_000;

type Watched = {
  readonly page: Page;
  readonly inWorker: <T>(code: string) => Promise<T>;
  /** Bytes of the heap in the worker; null where the browser does not say. */
  readonly memory: () => Promise<number | null>;
  /** Closes all pages, and returns after how many seconds the worker was stopped for good; null if it was not. */
  readonly rest: () => Promise<number | null>;
  readonly close: () => Promise<void>;
};

const directory = mkdtempSync(join(tmpdir(), "docket-speed-"));
const folder = (name: string): string => join(directory, name);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const startBrowser = async (): Promise<Watched> => {
  if (values.browser === "firefox") {
    unpack(folder("extension"), "firefox");
    const firefox = await startFirefox(folder("extension"));
    const page = await firefox.open("options.html", "#address");
    return {
      page,
      inWorker: firefox.asChrome(page).inWorker,
      // All pages of extensions share a process there.
      memory: async () => Number(await firefox.inBrowser(FIREFOX_MEMORY)),
      rest: async () => {
        await page.close();
        return restInFirefox(firefox);
      },
      close: () => firefox.browser.close(),
    };
  }
  unpack(folder("extension"));
  const chrome = await startChrome(folder("extension"), folder("profile"));
  return {
    page: await chrome.open("options.html"),
    inWorker: chrome.inWorker,
    memory: () => chrome.memory(),
    rest: async () => {
      await chrome.close();
      return restInChromium(folder("extension"), folder("profile"));
    },
    close: chrome.close,
  };
};

const FIREFOX_MEMORY = `(async () => {
  const { children } = await ChromeUtils.requestProcInfo();
  return children.find(({ type }) => type === "extension")?.memory ?? 0;
})()`;

const seed = async (home: Home): Promise<void> => {
  const records = Array.from({ length: TASKS }, (_, at) =>
    record("sync_tasks", `t${at}`, {
      title: `Task ${at}`,
      status: "todo",
      notes: [],
      pages: Array.from({ length: 8 }, (_tab, tab) => ({
        id: `${at}-${tab}`,
        url: `https://example.org/${at}/${tab}`,
        title: `Page ${tab} of task ${at}`,
      })),
    }),
  );
  for (let at = 0; at < TASKS; at += 500)
    await home.api("POST", "/sync", records.slice(at, at + 500));
};

/** Returns how long each of some saves of 100 tabs took until the extension said that they are saved, in ms. */
const savings = async (page: Page, home: Home): Promise<readonly number[]> => {
  const tabIds = await page.evaluate(`(async () => {
    const isFirefox = location.protocol === "moz-extension:";
    const tabs = [];
    for (let at = 0; at < ${TABS}; at += 1)
      tabs.push(await chrome.tabs.create({ url: "${home.web.href}tab-" + at, active: false,
        ...(isFirefox ? { discarded: true, title: "Tab " + at } : {}) }));
    return tabs.map(({ id }) => id);
  })()`);
  await Bun.sleep(3_000);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const place = { kind: "new", title: `Round ${round}` };
    await ask(page, "save", { saved: { kind: "tabs", tabIds }, place, close: false });
    times.push(performance.now() - began);
  }
  return times;
};

const printMemory = async (what: string): Promise<void> => {
  const bytes = await browser.memory();
  print(`memory with ${what}: ${bytes === null ? "?" : (bytes / 1e6).toFixed(0)} MB`);
};

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

/** Counts the requests that reach a server while nothing happens. */
const idleRequests = async (count: () => number): Promise<number> => {
  const before = count();
  await Bun.sleep(IDLE);
  return count() - before;
};

const home = await startHome(folder("data"));
let requests = 0;
const door = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: async (request) => {
    requests += 1;
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "POST" ? await request.text() : null;
    const reply = await fetch(`${home.url}${pathname}${search}`, { method, headers, body });
    const type = { "content-type": "application/json" };
    return new Response(await reply.text(), { status: reply.status, headers: type });
  },
});
const browser = await startBrowser();
try {
  print(
    `${values.browser}, load ${loadavg()[0]?.toFixed(1)} on a shared machine: figures are rough`,
  );
  print(`requests in ${IDLE / 1000} s, signed out: ${await idleRequests(() => requests)} (goal 0)`);
  await printMemory("no task");
  const alone = await savings(browser.page, home);
  print(`saving ${TABS} tabs, empty store: ${median(alone).toFixed(0)} ms (goal 300)`);
  await seed(home);
  await home.signIn(browser, door.url.origin);
  // Resolves when all tasks are there, and those of before are on the server.
  await ask(browser.page, "sync");
  const many = await savings(browser.page, home);
  print(`saving ${TABS} tabs, ${TASKS} tasks: ${median(many).toFixed(0)} ms (goal 300)`);
  await ask(browser.page, "sync");
  await printMemory(`${TASKS} tasks`);
  print(`requests in ${IDLE / 1000} s, signed in: ${await idleRequests(() => requests)} (goal 0)`);
  print(`the worker was stopped, and stayed so, after: ${(await browser.rest()) ?? "never"} s`);
} finally {
  await browser.close();
  await door.stop(true);
  await home.end();
  rmSync(directory, { recursive: true, force: true });
}
