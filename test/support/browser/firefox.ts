import { describe } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type LaunchOptions } from "puppeteer-core";

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

/** What costs a start time and helps no test: a process in reserve. */
export const FIREFOX_PREFS = { "dom.ipc.processPrelaunch.enabled": false } as const;

/**
 * Makes an empty folder a profile in which Firefox has been before: in a new one it first compiles its own scripts, which
 * takes half of its start. One that is in use stays as it is.
 */
export const prepareProfile = async (profile: string): Promise<void> => {
  mkdirSync(profile, { recursive: true });
  if (readdirSync(profile).length === 0) cpSync(await usedProfile(), profile, { recursive: true });
};

/**
 * Starts Firefox. Its profile is in `userDataDir`, if a directory is named, and stays there. The caller must close it.
 */
export const launchFirefox = async (options: LaunchOptions): Promise<Browser> => {
  const { userDataDir: profile = mkdtempSync(join(tmpdir(), "docket-profile-")) } = options;
  await prepareProfile(profile);
  const extraPrefsFirefox = { ...FIREFOX_PREFS, ...options.extraPrefsFirefox };
  const launched = { ...LAUNCH, ...options, extraPrefsFirefox, userDataDir: profile };
  const browser = await puppeteer.launch(launched);
  if (options.userDataDir === undefined) {
    const close = browser.close.bind(browser);
    browser.close = async () => {
      await close();
      rmSync(profile, { recursive: true });
    };
  }
  return browser;
};

const LAUNCH: LaunchOptions = { browser: "firefox", executablePath: FIREFOX ?? "", headless: true };

/** Made once for each Firefox of this machine. Returns its directory. */
const usedProfile = async (): Promise<string> => {
  const made = join(tmpdir(), `docket-firefox-${statSync(FIREFOX ?? "").mtimeMs}`);
  if (existsSync(made)) return made;
  const profile = mkdtempSync(join(tmpdir(), "docket-profile-"));
  const browser = await puppeteer.launch({ ...LAUNCH, userDataDir: profile });
  await (await browser.newPage()).goto("about:blank");
  await browser.close();
  for (const lock of ["lock", ".parentlock"]) rmSync(join(profile, lock), { force: true });
  try {
    renameSync(profile, made);
  } catch {
    // The other worker was first.
    rmSync(profile, { recursive: true });
  }
  return made;
};
