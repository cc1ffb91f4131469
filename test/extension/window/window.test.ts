import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { testDirectory } from "../../support/server.ts";
import { type Chrome, press, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";
import { lookAt, taskRecord } from "../../support/extension/looks.ts";

inBrowser("The window of a task", () => {
  let home: Home;
  let chrome: Chrome;
  let panel: Page;
  /** The number of the task's window. */
  let windowId: number;
  afterAll(async () => {
    await chrome.close();
    await home.end();
  });
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    await home.api("POST", "/sync", [taskRecord("norway", "Norway", null, home.web)]);
    unpack(folder);
    chrome = await startChrome(folder, profile);
    await home.signIn(chrome);
    panel = await chrome.open("panel.html");
    await panel.waitForSelector(".row");
  });

  const at = (path: string): string => new URL(path, home.web).href;
  const saved = async (): Promise<readonly string[]> =>
    (await home.api("GET", "/tasks/norway")).tabs.map(({ url }: { url: string }) =>
      decodeURI(new URL(url).pathname.slice(1)),
    );
  const open = async (): Promise<readonly string[]> =>
    (
      await chrome.inWorker<readonly string[]>(
        `chrome.tabs.query({ windowId: ${windowId} }).then((tabs) => tabs.map(({ url, pendingUrl }) => pendingUrl || url))`,
      )
    ).map((url) => decodeURI(new URL(url).pathname.slice(1)));
  const go = (path: string) =>
    chrome.inWorker(
      `chrome.tabs.create({ windowId: ${windowId}, url: "${at(path)}" }).then(() => 0)`,
    );
  const sync = () => panel.evaluate("chrome.runtime.sendMessage({ kind: 'sync', request: null })");
  const windows = () =>
    chrome.inWorker<readonly { id: number; focused: boolean }[]>("chrome.windows.getAll()");
  const LONG = "A page with a rather long title that does not fit into one line";

  /** Presses the line of the task's menu. Returns the number of the new window. */
  const openWindow = async (): Promise<number> => {
    const before = new Set((await windows()).map(({ id }) => id));
    await panel.bringToFront();
    await press(panel, "More for this task");
    await panel.click("xpath/.//*[@role='menuitem' and contains(., 'Open as the task')]");
    const found = await until(windows, (all) => all.some(({ id }) => !before.has(id)));
    await until(
      () => chrome.inWorker<Bound>(BOUND),
      ({ windows: bound = [] }) => bound.length === 1,
    );
    return found.find(({ id }) => !before.has(id))?.id ?? 0;
  };

  test("opens with the task's tabs", async () => {
    await panel.click("[data-row=norway]");
    await panel.waitForSelector(".panel-title");
    windowId = await openWindow();
    await until(open, (all) => all.length === 3);
    expect(await open()).toEqual(["Oslo", "Bergen", LONG]);
  });

  test("saves a tab that is opened there", async () => {
    await go("Voss");
    await until(saved, has("Voss"));
    expect(await saved()).toEqual(["Oslo", "Bergen", LONG, "Voss"]);
  });

  test("goes along when another page is opened in that tab", async () => {
    await chrome.inWorker(NAVIGATE("Voss", at("Flam")));
    await until(saved, has("Flam"));
    expect(await saved()).toEqual(["Oslo", "Bergen", LONG, "Flam"]);
  });

  test("keeps in the task what is closed there", async () => {
    await chrome.inWorker(CLOSE("Flam"));
    await until(open, (all) => !all.includes("Flam"));
    await go("Narvik");
    await until(saved, has("Narvik"));
    expect(await saved()).toEqual(["Oslo", "Bergen", LONG, "Flam", "Narvik"]);
    expect(await open()).not.toContain("Flam");
  });

  test("opens what an agent files in the task", async () => {
    await home.api("POST", "/tasks/norway/tabs", [{ url: at("Bodo"), title: "Bodo" }]);
    expect(await saved()).toContain("Bodo");
    await sync();
    await until(open, has("Bodo"));
  });

  test("loses nothing when the worker is stopped before it has saved", async () => {
    await go("Tromso");
    await chrome.stopWorker();
    await sync();
    await until(saved, has("Tromso"));
  });

  test("comes to the front instead of opening twice", async () => {
    const count = (await windows()).length;
    await press(panel, "More for this task");
    await panel.click("xpath/.//*[@role='menuitem' and contains(., 'Open as the task')]");
    await Bun.sleep(500);
    expect(await windows()).toHaveLength(count);
  });

  test("says on the popup and the panel whose window it is, and stops when told to", async () => {
    const popup = await chrome.popup();
    await popup.waitForSelector(".window-line");
    expect(await popup.$eval(".window-line", (line) => line.textContent)).toBe(
      "Window of Norway: what you open here is saved there. Stop",
    );
    expect(await lookAt(popup, "popup-window-of-task")).toEqual([]);
    await popup.click(".window-line button");
    await until(
      () => chrome.inWorker<Bound>(BOUND),
      ({ windows: bound = [] }) => bound.length === 0,
    );
    await popup.close();
    await go("Alta");
    await until(open, has("Alta"));
    await sync();
    expect(await saved()).not.toContain("Alta");
    await chrome.inWorker(`chrome.windows.remove(${windowId})`);
  });

  test("keeps everything in the task when it is closed", async () => {
    const before = await saved();
    windowId = await openWindow();
    await chrome.inWorker(`chrome.windows.remove(${windowId})`);
    await until(
      () => chrome.inWorker<Bound>(BOUND),
      ({ windows: bound = [] }) => bound.length === 0,
    );
    expect(await saved()).toEqual(before);
  });

  test("keeps everything in the task when the browser is killed, and is an ordinary window then", async () => {
    windowId = await openWindow();
    await go("Lofoten");
    await until(saved, has("Lofoten"));
    const before = await saved();
    chrome.browser.process()?.kill("SIGKILL");
    await chrome.close();
    chrome = await startChrome(folder, profile);
    expect(await chrome.inWorker<Bound>(BOUND)).toEqual({});
    await chrome.visit(at("Svolvar"));
    expect(await saved()).toEqual(before);
  });
});

const has = (path: string) => (all: readonly string[]) => all.includes(path);

type Bound = { readonly windows?: readonly unknown[] };

const BOUND = "chrome.storage.session.get('windows')";

const NAVIGATE = (title: string, url: string): string =>
  `chrome.tabs.query({ title: "${title}" }).then(([{ id }]) => chrome.tabs.update(id, { url: "${url}" })).then(() => 0)`;

const CLOSE = (title: string): string =>
  `chrome.tabs.query({ title: "${title}" }).then(([{ id }]) => chrome.tabs.remove(id))`;
