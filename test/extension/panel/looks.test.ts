import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { useHome } from "../../support/extension/home.ts";
import { folderRecord, lookAt, taskRecord } from "../../support/extension/looks.ts";

inBrowser("The side panel looks", () => {
  const home = useHome();
  const chrome = useChrome();
  let panel: Page;
  beforeAll(async () => {
    await home.api("POST", "/sync", [
      folderRecord("f", "Travel"),
      ...["Plan the journey to Norway", "Repair the bicycle", "Read about fjords"].map(
        (title, at) => taskRecord(`t${at}`, title, at === 0 ? "f" : null, home.web),
      ),
    ]);
    await chrome.visit("chrome://version/");
    await chrome.visit(new URL("Oslo", home.web).href);
    await chrome.visit(new URL("A map of Bergen and its surroundings", home.web).href);
    await chrome.inWorker(GROUP);
    panel = await chrome.open("panel.html");
    await panel.setViewport({ width: 360, height: 760 });
  });

  const looks = async (name: string): Promise<void> =>
    expect(await lookAt(panel, `panel-${name}`)).toEqual([]);

  test("sound before anybody signs in", async () => {
    await panel.waitForSelector(".open-tab");
    await looks("alone");
  });

  test("and signed in: lists, a task, the search, and all views", async () => {
    await home.signIn(chrome);
    await panel.waitForSelector(".row");
    await looks("list");
    await panel.click(".row .title");
    await panel.waitForSelector(".panel-title");
    await looks("task");
    await panel.keyboard.press("/");
    await panel.waitForSelector("#search");
    await panel.keyboard.type("fjords");
    await panel.waitForSelector(".row");
    await looks("search");
    await press(panel, "All views and folders");
    await panel.waitForSelector(".with-drawer");
    await looks("drawer");
    await panel.keyboard.press("Escape");
    await panel.click(".open-tab.grouped .save");
    await panel.waitForSelector("dialog[open]");
    await looks("save");
    await panel.keyboard.press("Escape");
  });

  test("and as narrow as a sidebar can be: the inbox, the board, a new task, the keys", async () => {
    await home.api("POST", "/inbox/tabs", [
      { url: new URL("Alta", home.web).href, title: "Where the sun does not set in summer" },
    ]);
    await panel.setViewport({ width: 280, height: 640 });
    await panel.click("a[aria-label=Inbox]");
    await panel.waitForSelector(".inbox .tab");
    await looks("inbox");
    await panel.keyboard.press("g");
    await panel.keyboard.press("b");
    await panel.waitForSelector(".column");
    await looks("board");
    await panel.keyboard.press("n");
    await panel.waitForSelector(".new-task-dialog");
    await looks("new-task");
    await panel.keyboard.press("Escape");
    await panel.keyboard.press("?");
    await panel.waitForSelector("dialog[open]");
    await looks("keys");
  });
});

const GROUP = `chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(async ([{ id }]) => {
  const groupId = await chrome.tabs.group({ tabIds: [id] });
  await chrome.tabGroups.update(groupId, { title: "Norway", color: "cyan" });
})`;
