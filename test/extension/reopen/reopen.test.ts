import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { record, until, useHome } from "../../support/extension/home.ts";

type Open = {
  readonly path: string;
  readonly window: number;
  readonly group: string | null;
  readonly discarded: boolean;
  readonly active: boolean;
};

inBrowser("Opening the tabs of a task again", () => {
  const home = useHome();
  const chrome = useChrome();
  beforeAll(async () => {
    const page = (path: string, group?: string) => ({
      id: path,
      url: new URL(path, home.web).href,
      title: path,
      ...(group === undefined ? {} : { group }),
    });
    const groups = [{ id: "g", title: "Fjords", colour: "teal" }];
    const pages = [
      page("Oslo"),
      page("Bergen", "g"),
      page("Flam", "g"),
      { url: "file:///a", title: "A file" },
    ];
    const payload = { title: "Norway", status: "todo", colour: "green", pages, groups, notes: [] };
    await home.api("POST", "/sync", [record("sync_tasks", "norway", payload)]);
    await home.signIn(chrome);
  });

  const open = async (): Promise<readonly Open[]> =>
    (await chrome.inWorker<readonly Open[]>(OPEN)).filter(({ path }) => path.length > 1);
  const closeAll = () =>
    chrome.inWorker(
      "chrome.tabs.query({ url: 'http://127.0.0.1/*' }).then((tabs) => chrome.tabs.remove(tabs.map(({ id }) => id)))",
    );
  /** Opens the popup, and in it the task, with the keyboard alone. */
  const openTask = async (): Promise<Page> => {
    const popup = await chrome.popup();
    await press(popup, "Open");
    await popup.waitForSelector("input[placeholder='Find a task']");
    await popup.waitForFunction(() => document.body.innerText.includes("Norway"));
    await popup.type(".chooser input", "norw");
    await popup.keyboard.press("Enter");
    await popup.waitForSelector(".tabs-to-open");
    return popup;
  };

  test("in this window puts them into their groups, and loads only the first", async () => {
    const popup = await openTask();
    // The popup closes in the middle of it, as soon as a new tab has the focus.
    await popup.keyboard.press("Enter").catch(() => {});
    const seen = await until(
      open,
      (tabs) => tabs.filter(({ discarded }) => discarded).length === 2,
    );
    expect(seen.map(({ path, group, active }) => [path, group, active])).toEqual([
      ["Oslo", null, true],
      ["Bergen", "Fjords cyan", false],
      ["Flam", "Fjords cyan", false],
    ]);
    expect(new Set(seen.map(({ window }) => window)).size).toBe(1);
  });

  test("loads one that sleeps when she looks at it", async () => {
    await chrome.inWorker(
      "chrome.tabs.query({ discarded: true }).then(([tab]) => chrome.tabs.update(tab.id, { active: true }))",
    );
    const seen = await until(open, (tabs) =>
      tabs.some(({ path, active }) => path === "Bergen" && active),
    );
    expect(seen.find(({ active }) => active)?.discarded).toBe(false);
    await closeAll();
  });

  test("as one group gives it the task's name and colour", async () => {
    const popup = await openTask();
    await press(popup, "As a group");
    // A group gets its name and colour a moment after its tabs.
    await until(
      open,
      (tabs) => tabs.length === 3 && tabs.every(({ group }) => group === "Norway green"),
    );
    await closeAll();
  });

  test("some of them in a new window", async () => {
    const popup = await openTask();
    await popup.click(".tabs-to-open li:nth-child(1) input");
    await popup.click(".tabs-to-open li:nth-child(4) input");
    const before = new Set(
      (await chrome.inWorker<readonly { id: number }[]>("chrome.windows.getAll()")).map(
        ({ id }) => id,
      ),
    );
    await press(popup, "In a new window");
    const seen = await until(
      open,
      (tabs) => tabs.length === 2 && tabs.every(({ group }) => group !== null),
    );
    expect(seen.map(({ path }) => path)).toEqual(["Bergen", "Flam"]);
    for (const { window } of seen) expect(before).not.toContain(window);
  });
});

const OPEN = `Promise.all([chrome.tabs.query({}), chrome.tabGroups.query({})]).then(([tabs, groups]) =>
  tabs.filter(({ url }) => url.startsWith("http:")).map(({ url, windowId, groupId, discarded, active }) => {
    const group = groups.find(({ id }) => id === groupId);
    return {
      path: new URL(url).pathname.slice(1),
      window: windowId,
      group: group ? group.title + " " + group.color : null,
      discarded,
      active,
    };
  }))`;
