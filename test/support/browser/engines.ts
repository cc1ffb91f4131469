import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { launchFirefox, launchFirefoxOn } from "./bidi.ts";
import { CHROMIUM, inBrowser, startBrowser } from "./browser.ts";
import { inFirefox } from "./firefox.ts";

/** The browsers that the web app is made for, and one that reaches the server over plain http by a name of its network. */
export type Engine = "Chromium" | "Chromium over plain http" | "Firefox";

/**
 * `describe` for what a browser does itself and by which they differ: keys, touch, drags, files, its own storage. Those
 * that this machine lacks count as skipped.
 */
export const inEachBrowser = (what: string, tests: (engine: Engine) => void): void => {
  inChromium(what, tests);
  inFirefox(`In Firefox, ${what}`, () => tests("Firefox"));
};

/** The same for what only the app does: it draws and stores alike in all of them, which `day.test.ts` shows in Firefox. */
export const inChromium = (what: string, tests: (engine: Engine) => void): void =>
  inBrowser(`In Chromium, ${what}`, () => tests("Chromium"));

/**
 * The same in Chromium alone, on this machine and over plain http from another one. Browsers then lack service workers,
 * the clipboard, locks, `crypto.randomUUID` and more.
 */
export const atEachAddress = (what: string, tests: (engine: Engine) => void): void => {
  inChromium(what, tests);
  inBrowser(`In Chromium over plain http, ${what}`, () => tests("Chromium over plain http"));
};

/** The name of this machine in a home network, as browsers here are told. */
export const LAN_NAME = "docket.lan";

/** Where the browser finds a server that listens on this machine. */
export const addressFor = (engine: Engine, url: string): string =>
  engine === "Chromium over plain http" ? `http://${LAN_NAME}:${new URL(url).port}` : url;

/** Starts a headless browser, on a touch screen if `isTouched`. The caller must close it. */
export const startEngine = (engine: Engine, isTouched = false): Promise<Browser> =>
  engine === "Firefox" ? launchFirefox(isTouched) : startBrowser(NAMES);

const NAMES = [`--host-resolver-rules=MAP ${LAN_NAME} 127.0.0.1`];

/** Starts a headless browser on a profile, a folder that stays when it ends. The caller must close it. */
export const startOn = (
  engine: Engine,
  profile: string,
  baseURL: string,
): Promise<BrowserContext> =>
  engine === "Firefox"
    ? launchFirefoxOn(profile, baseURL)
    : chromium.launchPersistentContext(profile, {
        executablePath: CHROMIUM ?? "",
        args: NAMES,
        baseURL,
      });
