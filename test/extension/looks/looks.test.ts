import { beforeAll, expect, test } from "bun:test";
import { inBrowser } from "../../support/browser/browser.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { folderRecord, lookAt, lookAtSizes, taskRecord } from "../../support/extension/looks.ts";

inBrowser("What the extension shows", () => {
  const home = useHome();
  const chrome = useChrome();
  beforeAll(async () => {
    await home.api("POST", "/sync", [
      folderRecord("f", "Travel"),
      ...["Plan the journey to Norway", "Repair the bicycle", "Read about fjords"].map(
        (title, at) => taskRecord(`t${at}`, title, at === 0 ? "f" : null, home.web),
      ),
    ]);
    await chrome.visit("chrome://version/");
    await chrome.visit(new URL("Oslo", home.web).href);
  });

  test("is sound in both schemes, before anybody signs in", async () => {
    const popup = await chrome.popup();
    expect(await lookAt(popup, "popup-alone")).toEqual([]);
    await popup.close();
    const options = await chrome.open("options.html");
    await options.waitForSelector("#address");
    expect(await lookAtSizes(options, "options-alone")).toEqual([]);
    await options.close();
  });

  test("and signed in, with tasks", async () => {
    await home.signIn(chrome);
    await until(
      () => chrome.inWorker<readonly [string, string]>(TITLE),
      ([text]) => text === "✓",
    );
    const popup = await chrome.popup();
    await popup.waitForSelector(".already");
    expect(await lookAt(popup, "popup-save")).toEqual([]);
    await popup.click("input[value=window]");
    await popup.waitForSelector(".refused");
    await popup.keyboard.press("Tab");
    expect(await lookAt(popup, "popup-window")).toEqual([]);
    await press(popup, "Open");
    await popup.waitForSelector("input[placeholder='Find a task']");
    expect(await lookAt(popup, "popup-tasks")).toEqual([]);
    await popup.keyboard.press("Enter");
    await popup.waitForSelector(".tabs-to-open");
    expect(await lookAt(popup, "popup-task")).toEqual([]);
    await press(popup, "Save");
    await popup.waitForSelector(".chooser input:focus");
    await popup.keyboard.press("Enter");
    const notice = await popup.waitForSelector(".notice");
    expect(await lookAt(popup, "popup-saved")).toEqual([]);
    // The popup is lower here than what it shows. The way back is in sight nevertheless.
    expect(await notice?.isIntersectingViewport({ threshold: 1 })).toBe(true);
    await popup.close();
    const options = await chrome.open("options.html");
    await options.waitForSelector(".facts-list");
    expect(await lookAtSizes(options, "options-signed-in")).toEqual([]);
  });
});

const TITLE = `chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(async ([{ id }]) => [
  await chrome.action.getBadgeText({ tabId: id }),
  await chrome.action.getTitle({ tabId: id }),
])`;
