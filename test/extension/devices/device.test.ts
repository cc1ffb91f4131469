import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { FIREFOX } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { type Chrome, press, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Firefox, startFirefox } from "../../support/extension/firefox.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";
import { lookAt, lookAtSizes } from "../../support/extension/looks.ts";

describe.skipIf(CHROMIUM === null || FIREFOX === null)("Sending a tab to another device", () => {
  let home: Home;
  let chrome: Chrome;
  let firefox: Firefox;
  let options: Page;
  afterAll(async () => {
    await chrome.close();
    await firefox.browser.close();
    await home.end();
  });
  const folders = { chrome: testDirectory(), firefox: testDirectory() };
  const [data, profile] = [testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    unpack(folders.chrome);
    unpack(folders.firefox, "firefox");
    chrome = await startChrome(folders.chrome, profile);
    firefox = await startFirefox(folders.firefox);
    await home.signIn(chrome);
    options = await firefox.open("options.html", "#address");
    await home.signIn({ inWorker: <T>(code: string) => options.evaluate(code) as Promise<T> });
    await chrome.visit(at("Oslo"));
  });

  const at = (path: string): string => new URL(path, home.web).href;
  const inChrome = (message: object) =>
    chrome.inWorker(
      `chrome.runtime.onMessage.dispatch(${JSON.stringify(message)}, { id: chrome.runtime.id }, () => {})`,
    );
  const sync = async (): Promise<void> => {
    await options.evaluate("browser.runtime.sendMessage({ kind: 'sync', request: null })");
    await inChrome({ kind: "sync", request: null });
  };
  const taskFor = async (device: string) => {
    const { tasks } = await home.api("GET", `/tasks?tag=${encodeURIComponent(`device:${device}`)}`);
    return (tasks as readonly { readonly title: string; readonly tab_count: number }[])[0];
  };

  test("begins when a device says that it takes tabs, under a name", async () => {
    await options.waitForSelector("#device");
    await options.$eval("#device", (field) => ((field as HTMLInputElement).value = ""));
    await options.type("#device", "Ann's laptop");
    await press(options, "Receive tabs here");
    await options.waitForFunction("document.body.innerText.includes('find this browser as')");
    const task = await until(
      () => taskFor("Ann's laptop"),
      (found) => found !== undefined,
    );
    expect(task).toMatchObject({ title: "Sent to Ann's laptop", tab_count: 0 });
  });

  test("is one of the places in the popup", async () => {
    await sync();
    const popup = await chrome.popup();
    await popup.waitForFunction("document.body.innerText.includes('Send to Ann')");
    expect(await lookAt(popup, "popup-send")).toEqual([]);
    await popup.type(".chooser input", "laptop");
    await popup.keyboard.press("Enter");
    await until(
      () => taskFor("Ann's laptop"),
      (task) => task?.tab_count === 1,
    );
    await popup.close();
  });

  test("arrives with a number on the button, and opens when the person asks", async () => {
    await sync();
    const badge = await until(
      () => options.evaluate(BADGE) as Promise<readonly [string, string]>,
      ([text]) => text === "1",
    );
    expect(badge).toEqual(["1", "Docket: 1 tab was sent here"]);
    const panel = await firefox.open("panel.html", ".arrived");
    expect(await panel.$eval(".arrived span", (line) => line.textContent)).toBe(
      "1 tab was sent here",
    );
    expect(await panel.$eval(".arrived .soft", (line) => line.textContent)).toBe(
      "from Chrome on Linux",
    );
    await press(panel, "Open here");
    await until(
      () => panel.evaluate("browser.tabs.query({}).then((all) => all.map(({ url }) => url))"),
      (urls) => (urls as readonly string[]).includes(at("Oslo")),
    );
    await until(
      () => taskFor("Ann's laptop"),
      (task) => task?.tab_count === 0,
    );
    await until(
      () => options.evaluate(BADGE) as Promise<readonly [string, string]>,
      ([text]) => text === "",
    );
  });

  test("works the other way round too, and from any client", async () => {
    const page = await chrome.open("options.html");
    await page.waitForSelector("#device");
    expect(await lookAtSizes(page, "options-device")).toEqual([]);
    await press(page, "Receive tabs here");
    await page.waitForFunction("document.body.innerText.includes('find this browser as')");
    const name = (await page.$eval("section b", (shown) => shown.textContent)) ?? "";
    await until(
      () => taskFor(name),
      (found) => found !== undefined,
    );
    const { tasks } = await home.api("GET", `/tasks?tag=${encodeURIComponent(`device:${name}`)}`);
    await home.api("POST", `/tasks/${tasks[0].id}/tabs`, [{ url: at("Bergen"), title: "Bergen" }]);
    await sync();
    await chrome.visit(at("Flam"));
    const popup = await chrome.popup();
    await popup.waitForSelector(".arrived");
    expect(await lookAt(popup, "popup-arrived")).toEqual([]);
    await press(popup, "Open here").catch(() => {});
    await until(
      () => chrome.inWorker<readonly string[]>(URLS),
      (urls) => urls.includes(at("Bergen")),
    );
  });

  test("ends when the device takes no more tabs", async () => {
    await press(options, "Receive no more tabs");
    await options.waitForSelector("#device");
    await until(
      () => taskFor("Ann's laptop"),
      (found) => found === undefined,
    );
  });
});

const URLS =
  "chrome.tabs.query({}).then((tabs) => tabs.map(({ url, pendingUrl }) => pendingUrl || url))";

const BADGE = `browser.tabs.query({ active: true }).then(async ([{ id }]) => [
  await browser.action.getBadgeText({ tabId: id }),
  await browser.action.getTitle({ tabId: id }),
])`;
