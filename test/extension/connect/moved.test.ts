import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { ask, saveLink } from "../../support/extension/ask.ts";
import { inChromium, useBrowser } from "../../support/extension/browsers.ts";
import { press } from "../../support/extension/chrome.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { newPairingCode } from "../../support/extension/pairing.ts";

inChromium("a server that has moved to another address", (start) => {
  const home = useHome();
  /** The old address. */
  let gate: Gate;
  const browser = useBrowser(start);
  let page: Page;
  afterAll(() => gate.stop());
  beforeAll(async () => {
    gate = startGate(home.url);
    page = browser.page;
    await browser.signIn(home, gate.url);
    await saveLink(page, "https://example.org/before");
    await ask(page, "sync");
  });

  const says = (text: string) =>
    page.waitForFunction((words) => document.body.innerText.includes(words), {}, text);
  const onServer = async (): Promise<string> => JSON.stringify(await home.api("GET", "/sync"));

  test("is reached there after a sign-in, and what waited arrives", async () => {
    await gate.stop();
    await saveLink(page, "https://example.org/waits");
    await ask(page, "sync");
    expect(await onServer()).not.toContain("example.org/waits");
    const code = await newPairingCode(browser, home);
    await page.bringToFront();
    await press(page, "Sync now");
    await says("The server cannot be reached. 1 change waits for it.");
    await page.click("summary");
    await page.waitForSelector("#address");
    await page.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await page.type("#address", home.url);
    await page.click("details details summary");
    await page.type("#code", code);
    await press(page, "Sign in with the code");
    await says(
      `Move to ${home.url}? It says that it has your account. Everything in this browser, with 1 change that waits, is then sent there, and no longer to ${gate.url}. Go on only if your server has moved there.`,
    );
    await press(page, "Move to the new address");
    await says("You are signed in as ann@example.org.");
    await until(onServer, (all) => all.includes("example.org/waits"));
    // It is one and the same account: nothing of before is there twice.
    expect((await onServer()).split("example.org/before")).toHaveLength(2);
    await says("Everything is on the server.");
    expect(await page.$eval(".facts-list a", (link) => link.textContent)).toBe(home.url);
  });

  test("and the session of before, whose address no longer answers, is hers to end", async () => {
    await says(
      `You are signed in as ann@example.org. The session that this browser had at ${gate.url} may still be active: end it on the Devices page.`,
    );
    expect(await home.sessions()).toHaveLength(1);
  });
});
