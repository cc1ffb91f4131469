import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { FIREFOX } from "../browser/_firefox.ts";

const ID = "extension@docket";
/** Firefox gives each installation an address of its own. Here it is known before. */
const HOST = "2f1e4c70-6b0c-4d6e-9f0e-3d5b8a1c7e21";

/** A Firefox with the extension for Firefox. */
export type Firefox = {
  readonly browser: Browser;
  /** Opens one of the extension's pages, and waits until it shows an element. */
  readonly open: (page: "options.html" | "popup.html", shows: string) => Promise<Page>;
};

/** Starts Firefox over WebDriver BiDi, with the extension that is unpacked in a folder. */
export const startFirefox = async (folder: string): Promise<Firefox> => {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX ?? "",
    headless: true,
    // Without it, BiDi does not reach the pages of extensions.
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: { "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }) },
  });
  await browser.installExtension(folder);
  return {
    browser,
    open: async (name, shows) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(15_000);
      // Firefox never reports that such a page has loaded. What it shows is waited for instead.
      void page.goto(`moz-extension://${HOST}/${name}`).catch(() => null);
      await page.waitForFunction(`document.querySelector(${JSON.stringify(shows)}) !== null`);
      return page;
    },
  };
};
