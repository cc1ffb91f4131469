import { afterAll, beforeAll } from "bun:test";
import type { Browser, Page } from "puppeteer-core";
import { buildBinary } from "../program.ts";
import { testDirectory } from "../server.ts";
import { type Chrome, unpack } from "./chrome.ts";
import { launchFirefox } from "../browser/firefox.ts";
import { until } from "./home.ts";

const ID = "extension@docket";
/** Firefox gives each installation an address of its own. Here it is known before. */
const HOST = "2f1e4c70-6b0c-4d6e-9f0e-3d5b8a1c7e21";

/** A Firefox with the extension for Firefox. */
export type Firefox = {
  readonly browser: Browser;
  /** Opens one of the extension's pages, and waits until it shows an element. */
  readonly open: (
    page: "options.html" | "panel.html" | "popup.html",
    shows: string,
  ) => Promise<Page>;
  /** Opens a web page in a new tab in front. */
  readonly newTab: (url: string) => Promise<Page>;
  /** Lets `Home.signIn` run its code in one of the extension's pages: no test can reach the event page itself. */
  readonly asChrome: (page: Page) => Pick<Chrome, "inWorker">;
  /** Stops the event page, as Firefox does after half a minute without work. Resolves when it has stopped. */
  readonly stopEventPage: () => Promise<void>;
  /** Runs code in the browser's own window, which may do everything. Returns what it resolves with. */
  readonly inBrowser: (code: string) => Promise<unknown>;
};

/**
 * Starts Firefox over WebDriver BiDi, with the extension that is unpacked in a folder. Its profile is a new one, in the
 * directory if one is given. It has no window, or one on a `display`.
 */
export const startFirefox = async (
  folder: string,
  profile?: string,
  display: string | null = null,
): Promise<Firefox> => {
  const browser = await launchFirefox({
    headless: display === null,
    ...(display === null ? {} : { env: { ...process.env, DISPLAY: display } }),
    ...(profile === undefined ? {} : { userDataDir: profile }),
    // Without it, BiDi does not reach the pages of extensions.
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: {
      "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }),
      // The browser's own question has the answer yes.
      "extensions.webextOptionalPermissionPrompts": false,
    },
  });
  await browser.installExtension(folder);
  await inBrowser(browser, CLOSE_FIRST_PAGE);
  await inBrowser(browser, grant("add"));
  return {
    browser,
    open: async (name, shows) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(30_000);
      // Firefox never reports that such a page has loaded. What it shows is waited for instead.
      void page.goto(`moz-extension://${HOST}/${name}`).catch(() => null);
      const isShown = `document.querySelector(${JSON.stringify(shows)}) !== null`;
      // While the page takes the place of the empty one, the answer can be an error.
      await until(
        () => page.evaluate(isShown).catch(() => false),
        (is) => is === true,
      );
      return page;
    },
    newTab: async (url) => {
      const tab = await browser.newPage();
      tab.setDefaultTimeout(30_000);
      await tab.goto(url);
      return tab;
    },
    asChrome: (page) => ({
      inWorker: <T>(code: string) => page.evaluate(code) as Promise<T>,
    }),
    stopEventPage: async () => {
      const state = await inBrowser(browser, STOP);
      if (state !== "stopped") throw new Error(`The event page is ${JSON.stringify(state)}.`);
    },
    inBrowser: (code) => inBrowser(browser, code),
  };
};

/** The same for the tests of one `describe`: there when the first of them begins, and gone after the last. */
export const useFirefox = (prepare?: (folder: string) => Promise<void>): Firefox => {
  const firefox: Partial<Firefox> = {};
  const folder = testDirectory();
  beforeAll(async () => {
    await buildBinary();
    unpack(folder, "firefox");
    await prepare?.(folder);
    Object.assign(firefox, await startFirefox(folder));
  });
  afterAll(async () => await firefox.browser?.close());
  return firefox as Firefox;
};

/**
 * Gives, or takes, the permission to reach this computer, and the others that are asked for, as the person's answer to the
 * browser's question does, or the switch on the extension's page in the browser.
 */
export const grant = (
  change: "add" | "remove",
  permissions: readonly string[] = [],
): string => `(async () => {
  const { ExtensionPermissions } = ChromeUtils.importESModule(
    "resource://gre/modules/ExtensionPermissions.sys.mjs");
  const wanted = {
    permissions: ${JSON.stringify(permissions)},
    origins: ["http://127.0.0.1/*"],
    data_collection: ["browsingActivity"],
  };
  const { extension } = WebExtensionPolicy.getByID("${ID}");
  await ExtensionPermissions.${change}("${ID}", wanted, extension);
})()`;

/** Waits for the page that the extension opens when it is installed, and closes it. */
const CLOSE_FIRST_PAGE = `(async () => {
  const shows = (tab) => tab.linkedBrowser.currentURI.spec === "moz-extension://${HOST}/options.html";
  for (;;) {
    const first = [...gBrowser.tabs].find(shows);
    // It has taken the place of the empty tab.
    if (first && gBrowser.tabs.length === 1) gBrowser.addTrustedTab("about:blank");
    if (first) return gBrowser.removeTab(first);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})()`;

/** What Firefox itself calls when the event page was idle for long enough. */
const STOP = `(async () => {
  const { extension } = WebExtensionPolicy.getByID("${ID}");
  await extension.terminateBackground({ disableResetIdleForTest: true });
  return extension.backgroundState;
})()`;

/** What Firefox itself calls to remove all that an extension has in its databases. */
export const EVICT = `(async () => {
  const { extension } = WebExtensionPolicy.getByID("${ID}");
  await new Promise((resolve) => {
    const request = Services.qms.clearStoragesForPrincipal(extension.principal);
    request.callback = resolve;
  });
})()`;

type Connection = {
  readonly send: (method: string, params: unknown) => Promise<{ readonly result: unknown }>;
};

/** Puppeteer's own `evaluate` reaches web pages and pages of extensions, not the browser's window. */
const inBrowser = async (browser: Browser, code: string): Promise<unknown> => {
  const { connection } = browser as unknown as { readonly connection: Connection };
  const { result: tree } = await connection.send("browsingContext.getTree", {
    "moz:scope": "chrome",
  });
  const [window] = (tree as { readonly contexts: readonly { readonly context: string }[] })
    .contexts;
  const { result } = await connection.send("script.evaluate", {
    expression: code,
    target: { context: window?.context },
    awaitPromise: true,
  });
  const { type, result: value } = result as {
    readonly type: string;
    readonly result?: { readonly value?: unknown };
  };
  if (type !== "success") throw new Error(JSON.stringify(result));
  return value?.value;
};
