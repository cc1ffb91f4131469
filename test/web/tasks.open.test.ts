import { afterAll, expect, test } from "bun:test";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM, inBrowser } from "../support/browser/browser.ts";
import { change, sharedServer, until } from "../support/replies.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";
import { pushChanges } from "../support/rules.ts";

inBrowser("the tabs of a task, in a browser", async () => {
  const server = await sharedServer();
  const browsers: Browser[] = [];
  afterAll(() => Promise.all(browsers.map((browser) => browser.close())));

  /** The page of a task with three tabs that lead somewhere and one that does not. */
  const openTask = async (options: { readonly script: boolean; readonly popups: boolean }) => {
    const ann = await someoneSignedIn(server);
    // Under another name, so that it is another origin.
    const elsewhere = server.url.replace("127.0.0.1", "localhost");
    const urls = ["a", "b", "c"].map((name) => `${elsewhere}/healthz?${name}`);
    const pages = [...urls, "javascript:alert(1)"].map((url) => ({ url }));
    const task = change("sync_tasks", "t", { title: "t", pages });
    await pushChanges(server.store, ann.account.id, null, [task], server.clock.wall());
    const browser = await chromium.launch({
      executablePath: CHROMIUM ?? "",
      ignoreDefaultArgs: options.popups ? [] : ["--disable-popup-blocking"],
    });
    browsers.push(browser);
    const context = await browser.newContext({ javaScriptEnabled: options.script });
    const cookies = [...ann.cookies].map(([name, value]) => ({ name, value, url: server.url }));
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.goto(`${server.url}/account/tasks/t`);
    return { context, page, urls };
  };

  test("all open at once, and none of them can reach back into the page", async () => {
    const { context, page, urls } = await openTask({ script: true, popups: true });
    await page.getByRole("button", { name: "Open all 3 tabs" }).click();
    await page.getByText("Opened 3 tabs.").waitFor();
    await until(() => context.pages().length === 4);
    const opened = context.pages().slice(1);
    await Promise.all(opened.map((one) => one.waitForURL(/healthz/)));
    expect(opened.map((one) => one.url()).toSorted()).toEqual(urls);
    for (const one of opened)
      expect(await one.evaluate("[window.opener, document.referrer]")).toEqual([null, ""]);
  });

  test("if the browser blocks some, the page says how many opened", async () => {
    const { context, page } = await openTask({ script: true, popups: false });
    await page.getByRole("button", { name: "Open all 3 tabs" }).click();
    const says =
      "Opened 1 of 3 tabs. Your browser blocked the others. Allow pop-ups for this page, then try again.";
    await page.getByText(says).waitFor();
    await until(() => context.pages().length > 1);
    expect(context.pages()).toHaveLength(2);
  });

  test("without script they are links, and there is no useless button", async () => {
    const { context, page, urls } = await openTask({ script: false, popups: true });
    expect(await page.getByRole("button", { name: /Open/ }).count()).toBe(0);
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: "healthz?b" }).click(),
    ]);
    await opened.waitForLoadState();
    expect(opened.url()).toBe(urls[1] ?? "");
  });
});
