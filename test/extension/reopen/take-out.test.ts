import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { ask } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { press } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";

inEachBrowser("tabs that she opens and takes out of their task", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  beforeAll(async () => {
    const pages = ["Oslo", "Bergen", "Flam"].map((path) => ({
      id: path,
      url: new URL(path, home.web).href,
      title: path,
    }));
    const payload = { title: "Norway", status: "todo", pages, notes: [] };
    const updated_at = new Date().toISOString();
    await home.api("POST", "/sync", [
      { table: "sync_tasks", id: "norway", updated_at, deleted_at: null, payload },
    ]);
    await browser.signIn(home);
    await ask(browser.page, "sync");
  });

  const openTask = async (): Promise<Page> => {
    const popup = await browser.popup();
    await press(popup, "Open");
    await (await popup.waitForSelector(".chooser ul ::-p-text(Norway)"))?.click();
    await popup.waitForSelector(".tabs-to-open");
    return popup;
  };
  const inTask = async (): Promise<readonly string[]> =>
    (await home.api("GET", "/tasks/norway")).tabs.map(({ title }: { title: string }) => title);
  const open = () => browser.page.evaluate(OPEN) as Promise<readonly string[]>;

  test("are open, and the task has the others", async () => {
    const popup = await openTask();
    await popup.click(".tabs-to-open li:nth-child(2) input");
    await popup.click(".closes input");
    await press(popup, "Open 2 tabs").catch(() => {});
    await until(open, (paths) => paths.includes("Oslo") && paths.includes("Flam"));
    expect(await until(inTask, (titles) => titles.length < 3)).toEqual(["Bergen"]);
    await popup.close().catch(() => {});
  });

  test("and the next time that is still chosen", async () => {
    const popup = await openTask();
    expect(await popup.$eval(".closes input", (box) => (box as HTMLInputElement).checked)).toBe(
      true,
    );
    await popup.click(".closes input");
    await press(popup, "Open 1 tab").catch(() => {});
    await until(open, (paths) => paths.includes("Bergen"));
    await ask(browser.page, "sync");
    expect(await inTask()).toEqual(["Bergen"]);
  });

  test("go back to their places if that is undone", async () => {
    expect(await ask(browser.page, "put-back")).toEqual({ kind: "done", report: null });
    await until(inTask, (titles) => titles.length === 3);
    expect(await inTask()).toEqual(["Oslo", "Bergen", "Flam"]);
    await ask(browser.page, "put-back");
    expect(await inTask()).toEqual(["Oslo", "Bergen", "Flam"]);
  });
});

const OPEN = `chrome.tabs.query({}).then((tabs) => tabs.flatMap(({ url, pendingUrl }) => {
  const { protocol, pathname } = new URL(url || pendingUrl);
  return protocol === "http:" ? [pathname.slice(1)] : [];
}))`;
