import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { until, useHome } from "../../support/extension/home.ts";

inBrowser("Signing out while the server does not answer", () => {
  const home = useHome();
  let gate: Gate;
  const chrome = useChrome();
  let page: Page;
  afterAll(() => gate.stop());
  beforeAll(async () => {
    gate = startGate(home.url);
    await home.signIn(chrome, gate.url);
    page = await chrome.open("options.html");
    await saveLink(page, "https://example.org/hers");
    await ask(page, "sync");
  });

  const stores = () =>
    page.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))") as Promise<
      readonly string[]
    >;

  test("is asked about changes that wait, and no longer once they have arrived", async () => {
    gate.answer(503, JSON.stringify({ error: "The server is busy. Try again later." }));
    await saveLink(page, "https://example.org/waits");
    await press(page, "Sign out");
    await page.waitForFunction(
      (words) => document.querySelector(".question")?.textContent?.includes(words),
      {},
      "1 change in this browser did not reach the server.",
    );
    gate.open();
    await ask(page, "sync");
    await page.waitForFunction(() => document.querySelector(".question") === null);
  });

  test("forgets the account at once: an alarm fetches nothing, and a save stays in this browser", async () => {
    expect((await stores()).some((name) => name.includes(gate.url))).toBe(true);
    gate.holdSignOut();
    await press(page, "Sign out");
    await gate.arrived();
    expect(await chrome.inWorker("chrome.storage.local.get('connection')")).toEqual({});
    await chrome.inWorker("chrome.alarms.onAlarm.dispatch({ name: 'pull' })");
    expect(await saveLink(page, "https://example.org/later")).toMatchObject({ kind: "done" });
    expect((await storedTasks(page)).map(({ payload }) => payload["pages"])).toMatchObject([
      [{ url: "https://example.org/later" }],
    ]);
    expect((await stores()).filter((name) => name.includes(gate.url))).toEqual([]);
  });

  test("says after ten seconds that the session may go on there", async () => {
    const said = await until(
      () => page.$eval(".outcome", (line) => line.textContent ?? ""),
      (text) => !text.endsWith("…"),
    );
    expect(said).toBe(
      "You are signed out here. The server could not be reached: end this device on its Devices page.",
    );
  });
});
