import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { launchFirefox, launchFirefoxOn } from "./_bidi.ts";
import { CHROMIUM, inBrowser } from "./_browser.ts";
import { inFirefox } from "./_firefox.ts";

/** The browsers that the web app is made for. */
export type Engine = "Chromium" | "Firefox";

/** `describe` for tests that run in each of the browsers. Those that this machine lacks count as skipped. */
export const inEachBrowser = (what: string, tests: (engine: Engine) => void): void => {
  inBrowser(`In Chromium, ${what}`, () => tests("Chromium"));
  inFirefox(`In Firefox, ${what}`, () => tests("Firefox"));
};

/** Starts a headless browser, on a touch screen if `isTouched`. The caller must close it. */
export const startEngine = (engine: Engine, isTouched = false): Promise<Browser> =>
  engine === "Firefox"
    ? launchFirefox(isTouched)
    : chromium.launch({ executablePath: CHROMIUM ?? "" });

/** Starts a headless browser on a profile, a folder that stays when it ends. The caller must close it. */
export const startOn = (
  engine: Engine,
  profile: string,
  baseURL: string,
): Promise<BrowserContext> =>
  engine === "Firefox"
    ? launchFirefoxOn(profile, baseURL)
    : chromium.launchPersistentContext(profile, { executablePath: CHROMIUM ?? "", baseURL });
