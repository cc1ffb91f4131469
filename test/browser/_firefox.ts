import { describe } from "bun:test";
import { existsSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";

const USUAL_PLACES = [
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

const { FIREFOX: named } = process.env;

/** The browser's executable: the one that the variable `FIREFOX` names, or one in a usual place. Null without one. */
export const FIREFOX: string | null =
  (named === undefined ? USUAL_PLACES : [named]).find((place) => existsSync(place)) ?? null;

/** The colours that pages see in Firefox: light, or dark if the variable `SCHEME` says so. */
export const FIREFOX_SCHEME = process.env["SCHEME"] === "dark" ? "dark" : "light";

/** `describe` for tests that need Firefox. They count as skipped if there is none. */
export const inFirefox = describe.skipIf(FIREFOX === null);

/** Starts a headless Firefox, driven over WebDriver BiDi. The caller must close it. */
export const startFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: "firefox", executablePath: FIREFOX ?? "", headless: true });
