import { expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { send } from "../../support/server.ts";
import { mayClose, press, useChrome } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";

inBrowser("Saving tabs with the extension", () => {
  const home = useHome();
  const chrome = useChrome();
  const at = (path: string): string => new URL(path, home.web).href;
  const onServer = (title: string) =>
    until(
      async () => {
        const { tasks } = await home.api("GET", "/tasks");
        return (tasks as readonly { readonly title: string; readonly id: string }[]).find(
          (task) => task.title === title,
        );
      },
      (task) => task !== undefined,
    );
  const tabsOf = async (title: string): Promise<readonly { url: string; title: string }[]> => {
    const task = await onServer(title);
    return (await home.api("GET", `/tasks/${task?.id}`)).tabs;
  };

  test("works before anybody signs in: Enter saves this tab to the inbox", async () => {
    await chrome.visit(at("Oslo?utm_source=mail"));
    const popup = await chrome.popup();
    await popup.keyboard.press("Enter");
    expect(await notice(popup)).toBe("1 tab saved to “Inbox”");
    const shown = await popup.waitForSelector(".already");
    expect(await shown?.evaluate((line) => line.textContent)).toBe("This page is saved in Inbox");
    await popup.close();
  });

  test("shows on the button that the page is saved", async () => {
    await chrome.visit(at("Oslo#fjord"));
    const look = () => chrome.inWorker<readonly [string, string]>(BADGE);
    const seen = await until(look, ([text]) => text === "✓");
    expect(seen).toEqual(["✓", "Docket: saved in the inbox"]);
  });

  test("moves into the account what was saved before", async () => {
    const token = await home.docket([
      "key",
      "create",
      "--name",
      "helper",
      "--scopes",
      "read,write",
    ]);
    const body = [{ url: "https://example.org/agent" }];
    await send("POST", `${home.url}/api/public/v1/inbox/tabs`, { token, body });
    await home.signIn(chrome);
    const tabs = await until(
      () => tabsOf("Agent unsorted"),
      (found) => found.length === 2,
    );
    expect(tabs.map(({ title }) => title)).toContain("Oslo");
    const { tasks } = await home.api("GET", "/tasks");
    expect(tasks).toHaveLength(1);
  });

  test("saves the window as a new task, names what it cannot save, and closes the rest", async () => {
    await chrome.visit("chrome://version/");
    await chrome.visit(at("Bergen"));
    await chrome.inWorker(
      "chrome.tabs.query({title:'Oslo'}).then(([t]) => chrome.tabs.update(t.id, {pinned: true}))",
    );
    const popup = await chrome.popup();
    await popup.click("input[name=what][value=window]");
    const refused = await popup.waitForSelector(".refused li:nth-child(2)");
    expect(await refused?.evaluate((line) => line.textContent)).toMatch(
      /cannot be saved: it is a page of the browser/,
    );
    await popup.click(".closes input");
    await popup.type(".chooser input", "Fjords");
    await popup.keyboard.press("ArrowUp");
    await mayClose(popup.keyboard.press("Enter"));
    const tabs = await tabsOf("Fjords");
    expect(tabs.map(({ title }) => title).toSorted()).toEqual(["Bergen", "Oslo", "Oslo"]);
    const open = await until(
      () => chrome.inWorker<readonly string[]>(OPEN),
      (urls) => !urls.includes(at("Bergen")),
    );
    // A pinned one stays, and so does what was not saved.
    expect(open).toContain(at("Oslo?utm_source=mail"));
    expect(open).toContain("chrome://version/");
  });

  test("takes the last save back, and opens again what it closed", async () => {
    const popup = await chrome.popup();
    expect(await notice(popup)).toMatch(/^3 tabs saved to “Fjords”/);
    await press(popup, "Undo");
    await until(
      () => chrome.inWorker<readonly string[]>(OPEN),
      (urls) => urls.includes(at("Bergen")),
    );
    await until(
      async () => (await home.api("GET", "/tasks")).tasks as readonly { title: string }[],
      (tasks) => !tasks.some(({ title }) => title === "Fjords"),
    );
    await popup.close();
  });

  /** Whether the popup closes tabs once they are saved. Does something in it, and closes it in the same moment. */
  const isOn = async (act: string): Promise<unknown> => {
    const popup = await chrome.popup();
    await popup.waitForSelector(".closes input");
    const is = await popup.evaluate(`document.querySelector(".closes input").checked`);
    await popup.evaluate(`${act}; close()`).catch(() => {});
    await until(async () => popup.isClosed(), Boolean);
    return is;
  };

  test("closes them this time only, unless that is the setting", async () => {
    const click = `document.querySelector(".closes input").click()`;
    expect([await isOn(click), await isOn("")]).toEqual([false, false]);
    await chrome.inWorker(`chrome.storage.local.set({ "settings.close": true })`);
    expect([await isOn(click), await isOn("")]).toEqual([true, true]);
    await chrome.inWorker(`chrome.storage.local.set({ "settings.close": false })`);
  });

  test("keeps the name and colour of a group", async () => {
    const page = await chrome.visit(at("Bergen-in-a-group"));
    await page.bringToFront();
    await chrome.inWorker(GROUP);
    const popup = await chrome.popup();
    await popup.click("input[name=what][value=group]");
    await popup.type(".chooser input", "Trip");
    await popup.keyboard.press("Enter");
    const task = await onServer("Trip");
    const { changes } = await home.api("GET", "/sync");
    const { payload } = changes.sync_tasks.find(({ id }: { id: string }) => id === task?.id);
    expect(payload.groups).toEqual([{ id: "cyan Norway", title: "Norway", colour: "cyan" }]);
    expect(payload.pages).toMatchObject([
      { url: at("Bergen-in-a-group"), group: payload.groups[0].id },
    ]);
    await popup.close();
  });

  test("saves a link and a tab by the menu, and says how it went", async () => {
    await chrome.inWorker(
      `chrome.contextMenus.onClicked.dispatch({ menuItemId: "link-last", linkUrl: "${at("link")}" })`,
    );
    await until(
      () => tabsOf("Trip"),
      (tabs) => tabs.some(({ url }) => url === at("link")),
    );
    await chrome.inWorker(
      `chrome.contextMenus.onClicked.dispatch({ menuItemId: "link-inbox", linkUrl: "javascript:alert(1)" })`,
    );
    const seen = await until(
      () => chrome.inWorker<readonly [string, string]>(BADGE),
      ([text]) => text === "!",
    );
    expect(seen[1]).toMatch(/addresses that begin with “javascript:” cannot be opened again/);
  });

  test("names a task and a folder whose names show nothing, where to save is chosen", async () => {
    const updated_at = new Date().toISOString();
    const pages = [{ id: "tab", url: "https://harbour.example/", title: "\u3164" }];
    const payload = { title: "\u200B", project_id: "blank", pages };
    await home.api("POST", "/sync", [
      { table: "sync_projects", id: "blank", updated_at, payload: { name: "\u200B" } },
      { table: "sync_tasks", id: "blank", updated_at, payload },
    ]);
    const popup = await chrome.popup();
    await popup.type(".chooser input", "harbour");
    const choices = await until(
      () => popup.$$eval("[role=option]", (all) => all.map((one) => one.textContent)),
      (found) => found.length === 2,
    );
    expect(choices).toEqual(["UntitledUnnamed folder", "New task “harbour”"]);
    await popup.close();
  });

  test("saves the window as a new task by a key", async () => {
    await chrome.inWorker(`chrome.commands.onCommand.dispatch("save-window")`);
    // Its name counts what is saved. The pages of the browser and of the extension are not.
    expect(await tabsOf("Bergen-in-a-group and 3 more")).toHaveLength(4);
  });
});

const BADGE = `chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(async ([{ id }]) => [
  await chrome.action.getBadgeText({ tabId: id }),
  await chrome.action.getTitle({ tabId: id }),
])`;

const OPEN = "chrome.tabs.query({}).then((tabs) => tabs.map(({ url }) => url))";

/** Puts the tab in front into a group. */
const GROUP = `chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(async ([{ id }]) => {
  const groupId = await chrome.tabs.group({ tabIds: [id] });
  await chrome.tabGroups.update(groupId, { title: "Norway", color: "cyan" });
})`;

/** Returns what the popup says at its lower edge. */
const notice = async (popup: Page): Promise<string> => {
  const shown = await popup.waitForSelector(".notice > span");
  return (await shown?.evaluate((line) => line.textContent)) ?? "";
};
