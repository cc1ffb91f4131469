import { afterAll, beforeAll, expect, test } from "bun:test";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { FIREFOX } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Display, onDisplay, startDisplay } from "../../support/extension/display.ts";
import { startFirefox } from "../../support/extension/firefox.ts";
import { until } from "../../support/extension/home.ts";

/** A browser in a window on a screen, with a web page in front. */
type Shown = {
  readonly isOpen: () => Promise<boolean>;
  /** Closes the panel, or sidebar. */
  readonly closePanel: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const PAGE = "data:text/html,<title>A page</title>";
const KEY = "alt+shift+comma";

type Show = (display: Display, folder: string, profile: string) => Promise<Shown>;

const showChromium: Show = async ({ name }, folder, profile) => {
  unpack(folder);
  const chrome = await startChrome(folder, profile, [], name);
  await chrome.setKey("open-panel", "Alt+Shift+Comma");
  await (await chrome.visit(PAGE)).bringToFront();
  return {
    isOpen: () =>
      chrome.inWorker(
        "chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] }).then(({ length }) => length > 0)",
      ),
    closePanel: async () => {
      for (const enabled of [false, true])
        await chrome.inWorker(
          `chrome.sidePanel.setOptions({ path: "panel.html", enabled: ${enabled} })`,
        );
    },
    close: chrome.close,
  };
};

const showFirefox: Show = async ({ name }, folder, profile) => {
  unpack(folder, "firefox");
  const firefox = await startFirefox(folder, profile, name);
  const page = await firefox.open("options.html", "#address");
  const front = await firefox.browser.newPage();
  await front.goto(PAGE);
  await front.bringToFront();
  return {
    isOpen: () => page.evaluate("browser.sidebarAction.isOpen({})") as Promise<boolean>,
    closePanel: async () => {
      await firefox.inBrowser("SidebarController.hide()");
    },
    close: () => firefox.browser.close(),
  };
};

for (const [name, executable, show] of [
  ["In Chromium, the side panel", CHROMIUM, showChromium],
  ["In Firefox, the sidebar", FIREFOX, showFirefox],
] as const)
  onDisplay.skipIf(executable === null)(name, () => {
    let display: Display;
    let browser: Shown;
    afterAll(async () => {
      await browser.close();
      await display.end();
    });

    const [folder, profile] = [testDirectory(), testDirectory()];

    beforeAll(async () => {
      display = await startDisplay();
      browser = await show(display, folder, profile);
      await display.focus();
    });

    test("opens by a key", async () => {
      expect(await browser.isOpen()).toBe(false);
      await display.press(KEY);
      await until(browser.isOpen, (open) => open);
    });

    test("opens by the line in the context menu of a page", async () => {
      await browser.closePanel();
      await until(browser.isOpen, (open) => !open);
      await display.choose(500, 500, ["d", "o"]);
      await until(browser.isOpen, (open) => open);
    });
  });
