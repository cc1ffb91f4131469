import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { ask } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { until, useHome } from "../../support/extension/home.ts";

inEachBrowser("a window that shows more than web pages", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  let page: Page;
  beforeAll(async () => {
    page = browser.page;
    await browser.signIn(home);
    // Any extension's page with these words in its address is a suspended tab, also one of our own.
    await page.evaluate(`(async () => {
      const url = chrome.runtime.getURL("options.html#ttl=Oslo&pos=0&uri=") + "${at("Oslo?a=1&b=2#part")}";
      await chrome.tabs.create({ url });
    })()`);
    await until(
      () => page.evaluate("chrome.tabs.query({ status: 'complete' })") as ReturnType<typeof open>,
      (tabs) => tabs.some(({ url }) => url.includes("ttl=")),
    );
    await browser.visit(at("Rome"));
    await browser.visit(`${home.url}/sign-in`);
    await browser.visit(browser.ownPage);
  });

  const at = (path: string): string => new URL(path, home.web).href;
  const open = async () =>
    (await page.evaluate("chrome.tabs.query({})")) as readonly {
      readonly id: number;
      readonly url: string;
    }[];
  const payload = async (title: string) => {
    const { changes } = await until(
      () => home.api("GET", "/sync"),
      ({ changes: { sync_tasks: tasks } }) => tasks.some(isCalled(title)),
    );
    return changes.sync_tasks.find(isCalled(title)).payload as {
      readonly pages: readonly { readonly url: string; readonly title?: string }[];
    };
  };

  test("saves the pages within them, and says how many it leaves out", async () => {
    const popup = await browser.popup();
    await popup.waitForSelector("input[value=window]");
    await popup.click("input[value=window]");
    expect(await popup.$$eval(".refused li", (lines) => lines.at(-1)?.textContent)).toBe(
      "1 page of your Docket server is left out.",
    );
    await popup.type(".chooser input", "Mixed");
    await popup.keyboard.press("ArrowUp");
    await popup.keyboard.press("Enter");
    await popup.waitForSelector(".notice");
    expect(await popup.$eval(".notice", (line) => line.textContent)).toMatch(
      /^2 tabs saved to “Mixed”\. \d tabs cannot be saved\. 1 page of your Docket server is left out\./,
    );
    await popup.close();
    const { pages } = await payload("Mixed");
    expect(pages.map(({ url }) => url)).toEqual([at("Oslo?a=1&b=2#part"), at("Rome")]);
  });

  test("is known again: a suspended tab is saved already", async () => {
    const tabIds = (await open()).map(({ id }) => id);
    const saved = { kind: "tabs", tabIds, isWindow: true };
    const last = { kind: "last" };
    expect(await ask(page, "save", { saved, place: last, close: false })).toMatchObject({
      report: { label: "All 2 are already in “Mixed”", ownPages: 1 },
    });
  });

  test("has the source of a page under the page's address, without a title that is an address", async () => {
    const shown = await page
      .evaluate(`chrome.tabs.create({ url: "view-source:${at("Flam?x=1")}" }).then(({ id }) => id)`)
      .catch(() => null);
    // Firefox opens no such tab for an extension.
    if (shown === null) return;
    // In Firefox, the empty page that a new tab begins with is complete, too.
    await until(
      () =>
        page.evaluate(`chrome.tabs.get(${shown}).then(({ status, url }) => status + " " + url)`),
      (seen) => String(seen).startsWith("complete view-source:"),
    );
    const saved = { kind: "tabs", tabIds: [shown] };
    await ask(page, "save", { saved, place: { kind: "new", title: "Source" }, close: true });
    const { pages } = await payload("Source");
    expect(pages.map(({ url, title }) => [url, title])).toEqual([[at("Flam?x=1"), undefined]]);
  });

  test("closes what is saved, and no page of the server", async () => {
    const before = await open();
    const saved = { kind: "tabs", tabIds: before.map(({ id }) => id), isWindow: true };
    const place = { kind: "new", title: "Closed" };
    await ask(page, "save", { saved, place, close: true });
    const closed = before.filter(({ url }) => /ttl=|\/Rome$/.test(url)).map(({ id }) => id);
    expect((await open()).map(({ id }) => id)).toEqual(
      before.map(({ id }) => id).filter((id) => !closed.includes(id)),
    );
    expect((await payload("Closed")).pages).toMatchObject([{}, { title: "Rome" }]);
  });

  test("of the server alone is not saved, but one page of it is if she picks it", async () => {
    const own = (await open()).find(({ url }) => url.startsWith(home.url));
    const saved = { kind: "tabs", tabIds: [own?.id] };
    const place = { kind: "new", title: "Own" };
    const request = { saved: { ...saved, isWindow: true }, place, close: false };
    expect(await ask(page, "save", request)).toEqual({
      kind: "failed",
      problem:
        "Only pages of your Docket server are open here, and these are not saved with a window.",
    });
    expect(await ask(page, "save", { ...request, saved })).toMatchObject({
      report: { label: "1 tab saved to “Own”" },
    });
  });
});

const isCalled =
  (title: string) =>
  ({ payload }: { readonly payload: { readonly title?: string } }): boolean =>
    payload.title === title;
