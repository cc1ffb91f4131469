import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { FIREFOX } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Display, onDisplay, startDisplay } from "../../support/extension/display.ts";
import { grant, startFirefox } from "../../support/extension/firefox.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

// The package as it is, and the browser's own question, answered with its keys.

type Asking = {
  readonly options: Page;
  readonly isAsked: () => Promise<boolean>;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly close: () => Promise<void>;
};

type Show = (display: Display, folder: string, profile: string) => Promise<Asking>;

/** In ms. Browsers ignore keys for half a second, so that nobody agrees by typing on. */
const UNHEARD = 1500;

const showChromium: Show = async ({ name }, folder, profile) => {
  unpack(folder, "chrome", false);
  const chrome = await startChrome(folder, profile, [], name);
  const options = await chrome.open("options.html");
  return {
    options,
    // The question takes the focus from the page.
    isAsked: () => options.evaluate("!document.hasFocus()") as Promise<boolean>,
    yes: ["Tab", "Return"],
    no: ["Escape"],
    close: chrome.close,
  };
};

const showFirefox: Show = async ({ name }, folder, profile) => {
  unpack(folder, "firefox");
  const firefox = await startFirefox(folder, profile, name);
  await firefox.inBrowser(grant("remove"));
  await firefox.inBrowser(
    `Services.prefs.setBoolPref("extensions.webextOptionalPermissionPrompts", true)`,
  );
  const options = await firefox.open("options.html", "#address");
  return {
    options,
    isAsked: async () => (await firefox.inBrowser("PopupNotifications.isPanelOpen")) === true,
    yes: ["alt+a"],
    no: ["alt+d"],
    close: () => firefox.browser.close(),
  };
};

for (const [name, executable, show] of [
  ["Chromium", CHROMIUM, showChromium],
  ["Firefox", FIREFOX, showFirefox],
] as const)
  onDisplay.skipIf(executable === null)(`When ${name} asks ann about her server`, () => {
    let home: Home;
    let display: Display;
    let asking: Asking;
    afterAll(async () => {
      await asking.close();
      await display.end();
      await home.end();
    });

    beforeAll(async () => {
      home = await startHome(testDirectory());
      display = await startDisplay();
      asking = await show(display, testDirectory(), testDirectory());
      await asking.options.bringToFront();
      await display.focus();
      await asking.options.type("#address", home.url);
    });

    const answer = async (keys: readonly string[]): Promise<string> => {
      const { options } = asking;
      await options.click("form.connect button[type=button]");
      await until(asking.isAsked, (is) => is);
      await Bun.sleep(UNHEARD);
      for (const key of keys) await display.press(key);
      return until(
        () => options.$eval(".outcome", (line) => line.textContent ?? ""),
        (said) => said.includes(home.url),
      );
    };

    test("and she says no, the options say how to go on", async () => {
      expect(await answer(asking.no)).toBe(
        `Your browser does not let the extension reach ${home.url}. Try again, and allow it when the browser asks.`,
      );
    });

    test("and she says yes, it is reached", async () => {
      expect(await answer(asking.yes)).toStartWith(`Docket answers at ${home.url}`);
    });
  });
