import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { GUIDES } from "../../src/reference/guides.ts";
import { isTried } from "../support/random.ts";
import { sharedServer, until } from "../support/replies.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";

const { url } = await sharedServer();

inBrowser("The guides", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(() => browser.close());

  test.each(["", ...GUIDES.map(({ name }) => `/${name}`).filter((_, at) => isTried(3, at, 0))])(
    "at /docs/guides%s have no serious accessibility problem and fit the screen, at any size, light and dark",
    async (path) => {
      const { page, faults } = await openPage(browser, url);
      await page.goto(`/docs/guides${path}`);
      expect([await lookAt(page, `guides${path.replace("/", "-")}`), faults]).toEqual([[], []]);
    },
  );

  test("lead from the reference to a section of a guide, and on to another guide, without a script", async () => {
    const { page, faults } = await openPage(browser, url, { javaScript: false });
    await page.goto("/docs");
    await page.getByRole("link", { name: "Guides" }).click();
    await page.getByRole("link", { name: "Run a server" }).click();
    await page
      .getByRole("navigation", { name: "Contents" })
      .getByRole("link", { name: "After a fault" })
      .click();
    expect(page.url()).toBe(`${url}/docs/guides/operating#after-a-fault`);
    await page.getByRole("link", { name: "Faults and promises" }).first().click();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Faults and promises");
    expect(faults).toEqual([]);
  });

  test("have tables that a keyboard can scroll on a phone", async () => {
    const { page } = await openPage(browser, url);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/docs/guides/faults");
    const table = page.getByRole("group", { name: "Table" });
    await table.focus();
    await page.keyboard.press("End");
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowRight");
    // The page's own policy lets no driver wait in it.
    await until(() => page.evaluate("document.querySelector('.table').scrollLeft > 0"));
  });
});
