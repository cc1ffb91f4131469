import type { Page } from "puppeteer-core";
import type { Extended } from "./browsers.ts";
import { type Home, PASSWORD } from "./home.ts";

export const signInOn = async (page: Page): Promise<void> => {
  await page.waitForSelector("[name=email]");
  await page.type("[name=email]", "ann@example.org");
  await page.type("[name=password]", PASSWORD);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
};

export const follow = async (page: Page, selector: string): Promise<void> => {
  await page.waitForSelector(selector);
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
};

/** Makes a pairing code on the page of the devices, in the tab that is given. */
export const pairingCodeOn = async (page: Page): Promise<string> => {
  await follow(page, "form[action$='/pair'] button");
  return page.$eval(".secret code", (shown) => shown.textContent ?? "");
};

/** Signs in to the account in a new tab, and makes a pairing code there. */
export const newPairingCode = async (
  browser: Pick<Extended, "newTab">,
  home: Pick<Home, "url">,
): Promise<string> => {
  const page = await browser.newTab(`${home.url}/sign-in?next=%2Faccount%2Fdevices`);
  await signInOn(page);
  const code = await pairingCodeOn(page);
  await page.close();
  return code;
};
