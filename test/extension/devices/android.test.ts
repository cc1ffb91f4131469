import { beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { inFirefox } from "../../support/browser/firefox.ts";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { press } from "../../support/extension/chrome.ts";
import { useFirefox } from "../../support/extension/firefox.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { newPairingCode } from "../../support/extension/pairing.ts";

/** What Firefox for Android does not have, as Mozilla's tables of compatibility say. */
const MISSING = ["commands", "contextMenus", "identity", "menus", "omnibox", "sidebarAction"];
const MISSING_TOO = ["tabGroups", "windows"];
const MISSING_OF_TABS = ["discard", "group"];

const WITHOUT = `for (const known of [chrome, browser]) {
  for (const name of ${JSON.stringify([...MISSING, ...MISSING_TOO])})
    Object.defineProperty(known, name, { value: undefined });
  for (const name of ${JSON.stringify(MISSING_OF_TABS)})
    Object.defineProperty(known.tabs, name, { value: undefined });
}`;

/** Takes from the extension in this folder what the browser of a phone does not have. */
const without = async (folder: string): Promise<void> => {
  // It runs before anything of the extension does.
  await Bun.write(join(folder, "without.js"), WITHOUT);
  const manifest = await Bun.file(join(folder, "manifest.json")).json();
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".html"))) {
    const html = await Bun.file(join(folder, name)).text();
    await Bun.write(
      join(folder, name),
      html.replace("<script ", '<script src="without.js"></script>\n<script '),
    );
  }
  await Bun.write(
    join(folder, "start.html"),
    '<script src="without.js"></script><script type="module" src="background.js"></script>',
  );
  manifest.background = { page: "start.html" };
  await Bun.write(join(folder, "manifest.json"), JSON.stringify(manifest));
};

inFirefox("Where the browser lacks what Firefox for Android lacks, the extension", () => {
  const home = useHome();
  const firefox = useFirefox(without);
  let page: Page;

  beforeAll(async () => {
    page = await firefox.open("options.html", "#address");
  });

  test("offers a pairing code, and no window to sign in", async () => {
    expect(await page.evaluate("typeof chrome.identity + typeof chrome.tabs.group")).toBe(
      "undefinedundefined",
    );
    expect(await page.$eval("details", (one) => one.open)).toBe(true);
    const buttons = await page.$$eval("button", (all) => all.map((one) => one.textContent));
    expect(buttons).not.toContain("Sign in");
    expect(buttons).toContain("Sign in with the code");
  });

  test("saves and closes tabs, and opens them again", async () => {
    const url = new URL("Oslo", home.web).href;
    const tabIds = await page.evaluate(
      `browser.tabs.create({ url: "${url}", active: false }).then(({ id }) => [id])`,
    );
    await page.waitForFunction(
      `browser.tabs.query({}).then((tabs) => tabs.some((tab) => tab.url === "${url}"))`,
    );
    const reply = await ask<{ report: { taskId: string } }>(page, "save", {
      saved: { kind: "tabs", tabIds },
      place: { kind: "new", title: "Norway" },
      close: true,
    });
    expect(reply).toMatchObject({ kind: "done", report: { label: "1 tab saved to “Norway”" } });
    expect(await storedTasks(page)).toMatchObject([{ payload: { title: "Norway" } }]);
    const request = { taskId: reply.report.taskId, names: null, where: "here" };
    expect(await ask(page, "reopen", request)).toMatchObject({ report: { opened: 1 } });
  });

  test("shows its popup, without what it cannot do", async () => {
    const popup = await firefox.open("popup.html", ".popup-head");
    const button = await popup.waitForSelector("xpath/.//button[normalize-space()='Open']");
    await button?.click();
    const task = await popup.waitForSelector("xpath/.//*[contains(text(), 'Norway')]");
    await task?.click();
    await popup.waitForSelector(".tabs-to-open");
    const offered = await popup.$$eval(".task-foot button", (all) =>
      all.map((one) => one.textContent),
    );
    expect(offered).toEqual(["Open 1 tab"]);
    await popup.close();
  });

  test("offers a code again when the session has ended, so that nothing that waits is lost", async () => {
    await home.signIn(firefox.asChrome(page));
    await ask(page, "sync");
    const [session = ""] = await home.sessions();
    await home.docket(["session", "revoke", session]);
    await saveLink(page, "https://example.org/waits");
    await ask(page, "sync");
    const code = await newPairingCode({ newTab: firefox.newTab }, home);
    await page.bringToFront();
    await page.type("#code", code);
    await press(page, "Sign in with the code");
    await until(
      async () => JSON.stringify(await home.api("GET", "/sync")),
      (all) => all.includes("example.org/waits"),
    );
  });
});
