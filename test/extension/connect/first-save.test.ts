import { expect, test } from "bun:test";
import { ask } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { follow, pairingCodeOn, signInOn } from "../../support/extension/pairing.ts";

/** What the page "New key or device" asks of a person until the first tab is saved. */
const STEPS = [
  "sign in to the account",
  "open Devices",
  "make a pairing code",
  "open the extension's options",
  "enter the server's address",
  "open the pairing code's field",
  "enter the code",
  "sign in",
  "save the tab",
];

inEachBrowser("from the page of the devices to the first saved tab", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  test(`it is ${STEPS.length} steps, and some seconds of the computer's`, async () => {
    const done: string[] = [];
    const began = performance.now();
    const step = async <T>(name: string, act: Promise<T>): Promise<T> => {
      const result = await act;
      done.push(name);
      return result;
    };
    const account = await browser.newTab(`${home.url}/sign-in?next=%2Faccount`);
    await step("sign in to the account", signInOn(account));
    await step("open Devices", follow(account, "a[href='/account/devices']"));
    const code = await step("make a pairing code", pairingCodeOn(account));
    const { page } = browser;
    await step("open the extension's options", page.bringToFront());
    await step("enter the server's address", page.type("#address", home.url));
    await step("open the pairing code's field", page.click("summary"));
    await step("enter the code", page.type("#code", code));
    await step("sign in", page.click("#code ~ .buttons button"));
    await page.waitForFunction(() => document.body.innerText.includes("ann@example.org"));
    const tabIds = await page.evaluate(
      `chrome.tabs.query({}).then((tabs) => tabs
        .filter(({ url }) => url.startsWith("${home.url}")).map(({ id }) => id))`,
    );
    const saved = { kind: "tabs", tabIds };
    const request = { saved, place: { kind: "inbox" }, close: false };
    expect(await step("save the tab", ask(page, "save", request))).toMatchObject({ kind: "done" });
    await until(
      async () => (await home.api("GET", "/tasks")).tasks as readonly unknown[],
      (tasks) => tasks.length === 1,
    );
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`${done.length} steps, ${seconds.toFixed(1)} s without the person\n`);
    expect(done).toEqual(STEPS);
    expect(seconds).toBeLessThan(25);
  });
});
