import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { saveLink, storedTasks } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { until, useHome } from "../../support/extension/home.ts";

inEachBrowser("when ann withdraws the permission to reach her server", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  beforeAll(async () => {
    await browser.signIn(home);
    await saveLink(browser.page, "https://example.org/before");
    await until(
      async () => (await home.api("GET", "/tasks")).tasks as readonly unknown[],
      (tasks) => tasks.length === 1,
    );
    await browser.allow(false);
  });

  const sentence = () =>
    `Your browser does not let Docket reach ${home.url}. What you save waits here.`;
  const shows = async (page: Page): Promise<void> => {
    await page.waitForFunction(
      (text) => document.querySelector(".blocked")?.textContent?.startsWith(text),
      {},
      sentence(),
    );
    const button = await page.$eval(".blocked button", (one) => one.textContent);
    expect(button).toBe("Allow it again");
  };

  test("the options and the popup say so, and have a button that asks again", async () => {
    await browser.page.bringToFront();
    await shows(browser.page);
    const popup = await browser.popup();
    await shows(popup);
    await popup.close();
  });

  test("what she saves waits here, and nothing is sent", async () => {
    await saveLink(browser.page, "https://example.org/meanwhile");
    await browser.page.evaluate("chrome.runtime.sendMessage({ kind: 'sync', key: 'x' })");
    const waiting = (await storedTasks(browser.page)).filter(({ waits }) => waits);
    expect(waiting).toHaveLength(1);
    const { tasks } = await home.api("GET", "/tasks");
    expect(tasks).toMatchObject([{ tab_count: 1 }]);
  });

  test("and goes as soon as she allows it again", async () => {
    await browser.allow(true);
    const { tasks } = await until(
      () => home.api("GET", "/tasks"),
      (reply) => reply.tasks[0].tab_count === 2,
    );
    expect(tasks).toHaveLength(1);
    await until(
      () => browser.page.$(".blocked"),
      (line) => line === null,
    );
  });
});
