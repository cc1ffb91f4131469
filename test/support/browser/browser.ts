import { describe } from "bun:test";
import axe from "axe-core";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { FIREFOX_SCHEME } from "./firefox.ts";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const { CHROMIUM: named } = process.env;

/**
 * The browser's executable: the one that the variable `CHROMIUM` names, or one in a usual place. Null without one.
 */
export const CHROMIUM: string | null =
  (named === undefined ? USUAL_PLACES : [named]).find((place) => existsSync(place)) ?? null;

const SHELL = "/usr/bin/chromium-headless-shell";

/**
 * The executable of a Chromium without windows for tests of pages: the one that draws and runs them alike for two thirds of the
 * processor time, where it is installed; else `CHROMIUM`.
 */
const HEADLESS: string | null = named === undefined && existsSync(SHELL) ? SHELL : CHROMIUM;

/** `describe` for tests that need a browser. They count as skipped if there is none. */
export const inBrowser = describe.skipIf(HEADLESS === null);

/** Starts a headless browser. The caller must close it, which also closes its pages and processes. */
export const startBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: HEADLESS ?? "", args: [...args] });

export type Watched = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What this page and the pages it opened did although they must not: see `watch`. */
  readonly faults: readonly string[];
};

type Allowed = {
  /** Whether a page may send a request to a URL. */
  readonly mayAsk: (url: string) => boolean;
  /** Statuses that are not faults here. A form that was filled in wrongly is shown again with status 422. */
  readonly statuses?: readonly number[];
};

export type PageOptions = Pick<Allowed, "statuses"> & {
  readonly javaScript?: boolean;
  /** Origins, in addition to the server's own, that the page may lead to. */
  readonly also?: readonly string[];
  /** What kind of screen it is on. */
  readonly screen?: Pick<BrowserContextOptions, "hasTouch" | "isMobile" | "viewport">;
  /** Where in the world it is, such as `America/Los_Angeles`. */
  readonly timezoneId?: string;
};

/** Opens a page without cookies, for someone who has never been here. `javaScript: false` turns scripts off. */
export const openPage = async (
  browser: Browser,
  origin: string,
  { javaScript = true, also = [], screen = {}, timezoneId, ...allowed }: PageOptions = {},
): Promise<Watched> => {
  const context = await browser.newContext({
    ...screen,
    ...(timezoneId === undefined ? {} : { timezoneId }),
    baseURL: origin,
    javaScriptEnabled: javaScript,
  });
  const mayAsk = (url: string) => [origin, ...also].includes(URL.parse(url)?.origin ?? "");
  const faults = watch(context, { mayAsk, ...allowed });
  return { page: await context.newPage(), context, faults };
};

/**
 * Records from now on what pages must not do: an error in the console, an exception, a request that fails or goes
 * elsewhere, a status of 400 or above. Returns the list, which grows as faults occur.
 */
const watch = (context: BrowserContext, { mayAsk, statuses = [422] }: Allowed): string[] => {
  const faults: string[] = [];
  const note = (kind: string, what: string): number => faults.push(`${kind}: ${what}`);
  context.on("console", (message) => {
    if (message.type() === "error" && !isAboutStatus(message.text()))
      note("console", message.text());
  });
  context.on("weberror", (error) => {
    const { message } = error.error();
    if (!message.includes(SCREENSHOT_STYLE)) note("exception", message);
  });
  context.on("request", (request) => {
    if (!mayAsk(request.url())) note("elsewhere", request.url());
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Not a failure: the page was left, or the browser took the reply to an extension's sign-in.
    if (!LEFT.includes(reason)) note("failed", `${request.url()} ${reason}`);
  });
  context.on("response", (response) => {
    const status = response.status();
    if (status >= 400 && !statuses.includes(status)) note(String(status), response.url());
  });
  return faults;
};

/** The style that Playwright adds for a screenshot. Firefox blocks it and says so. */
const SCREENSHOT_STYLE = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=";

/** What the browsers call a request of a page that was left. */
const LEFT = ["net::ERR_ABORTED", "NS_BINDING_ABORTED"];

/** The browser logs this for every status of 400 or above. The reply decides whether it is a fault. */
const isAboutStatus = (text: string): boolean =>
  text.startsWith("Failed to load resource: the server responded with a status of");

const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** Each scheme and each size once; pictures are taken of all four. */
const LOOKS = [
  ["desktop", "light"],
  ["phone", "dark"],
] as const;
const ALL_LOOKS = [...LOOKS, ["desktop", "dark"], ["phone", "light"]] as const;

/**
 * Checks the page in light on a desktop and in dark on a phone. Returns what is wrong: serious findings of axe, and
 * a page wider than its screen. If the variable `SCREENSHOTS` names a directory, checks the other two as well and saves
 * all four screenshots there, named after `name`. Scripts must be on. In Firefox it checks the width alone, in the scheme
 * in which the browser started: its driver cannot change it, and axe reads the same document in either browser.
 */
export const lookAt = async (page: Page, name: string): Promise<readonly string[]> => {
  const isFirefox = page.context().browser()?.browserType().name() === "firefox";
  const found: string[] = [];
  for (const [size, scheme] of process.env["SCREENSHOTS"] ? ALL_LOOKS : LOOKS) {
    const colorScheme = isFirefox ? FIREFOX_SCHEME : scheme;
    await page.setViewportSize(SIZES[size]);
    // Without animation: a colour in transition has a different contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const look = `${isFirefox ? "firefox-" : ""}${name}-${size}-${colorScheme}`;
    await takePicture(page, look);
    const findings = [...(await widthOf(page)), ...(isFirefox ? [] : await axeOn(page))];
    found.push(...findings.map((finding) => `${look}: ${finding}`));
  }
  await page.setViewportSize(SIZES.desktop);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return found;
};

const takePicture = async (page: Page, name: string): Promise<void> => {
  const directory = process.env["SCREENSHOTS"];
  if (!directory) return;
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
};

// Both are evaluated as text in the browser, which the page's Content-Security-Policy does not block.

const widthOf = async (page: Page): Promise<readonly string[]> => {
  const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  return (await page.evaluate<boolean>(wide)) ? ["wider than the screen"] : [];
};

const axeOn = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target).join(", ")}`);
};
