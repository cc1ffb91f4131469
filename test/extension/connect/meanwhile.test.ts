import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { buildBinary } from "../../support/program.ts";
import { testDirectory } from "../../support/server.ts";
import { type Chrome, startChrome, unpack } from "../../support/extension/chrome.ts";

// The browser's answer to the extension's first question is held back until someone has signed in on another page.
const SIGN_IN_MEANWHILE = `(() => {
  const { local } = chrome.storage;
  const usual = local.get.bind(local);
  local.get = async (key) => {
    const answer = await usual(key);
    if (key !== "connection" || "connection" in answer) return answer;
    const seen = new Promise((resolve) => local.onChanged.addListener(resolve));
    await local.set({ connection: CONNECTION });
    await seen;
    return answer;
  };
})()`;

inBrowser("Someone who signs in while a page of the extension opens", () => {
  let chrome: Chrome;
  afterAll(() => chrome.close());
  const [folder, profile] = [testDirectory(), testDirectory()];
  const connection = {
    server: "http://127.0.0.1:9",
    account: { id: "ann", email: "ann@example.org" },
    token: null,
  };

  beforeAll(async () => {
    await buildBinary();
    unpack(folder);
    chrome = await startChrome(folder, profile);
  });

  const openMeanwhile = async (name: "options.html" | "popup.html"): Promise<Page> => {
    await chrome.inWorker("chrome.storage.local.remove('connection')");
    const page = await chrome.open(name);
    await page.evaluateOnNewDocument(
      SIGN_IN_MEANWHILE.replace("CONNECTION", JSON.stringify(connection)),
    );
    await page.reload();
    return page;
  };
  test("is signed in there, in the options", async () => {
    await says(await openMeanwhile("options.html"), "ann@example.org");
  });

  test("and in the popup", async () => {
    await says(await openMeanwhile("popup.html"), "You are signed out.");
  });
});

const says = async (page: Page, words: string): Promise<void> => {
  await page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(words)})`);
  expect(await page.evaluate("document.body.innerText")).toContain(words);
  await page.close();
};
