import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { inFirefox } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { ask, type Stored, storedTasks } from "../../support/extension/ask.ts";
import { type Chrome, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Firefox, startFirefox } from "../../support/extension/firefox.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

const TASK = "norway";
const GROUP = "cyan A";

inFirefox.skipIf(CHROMIUM === null)("A tab group that ann renames in two browsers", () => {
  let home: Home;
  /** Her Chromium reaches the server through it. */
  let gate: Gate;
  let chrome: Chrome;
  let firefox: Firefox;
  /** The panel in each browser, with the task. */
  let one: Page;
  let other: Page;
  afterAll(async () => {
    await chrome.close();
    await firefox.browser.close();
    await gate.stop();
    await home.end();
  });
  const [data, profile] = [testDirectory(), testDirectory()];
  const folders = { chrome: testDirectory(), firefox: testDirectory() };

  beforeAll(async () => {
    home = await startHome(data);
    await home.api("POST", "/sync", [recordAt(home.web)]);
    gate = startGate(home.url);
    unpack(folders.chrome);
    unpack(folders.firefox, "firefox");
    chrome = await startChrome(folders.chrome, profile);
    firefox = await startFirefox(folders.firefox);
    one = await chrome.open("panel.html");
    other = await firefox.open("panel.html", ".side-panel");
    await home.signIn(chrome, gate.url);
    await home.signIn(firefox.asChrome(other));
    for (const page of [one, other]) {
      await (await page.waitForSelector(`.row .title[data-row=${TASK}]`))?.click();
      await shows(page, "A");
    }
  });

  const goOffline = (): void => gate.answer(503, '{"error": "Restarting."}');
  /** Syncs until each browser has the other's changes. Both and the server hold the same then: this is it. */
  const settle = async (): Promise<Stored["payload"]> => {
    gate.open();
    await until(
      async () => {
        await ask(one, "sync");
        await ask(other, "sync");
        return [...(await storedTasks(one)), ...(await storedTasks(other))];
      },
      (stored) => stored.every(({ waits }) => !waits),
    );
    await ask(one, "sync");
    const [mine] = await storedTasks(one);
    const [theirs] = await storedTasks(other);
    const { changes } = await home.api("GET", "/sync");
    const [row] = changes.sync_tasks as readonly Pick<Stored, "payload">[];
    expect(mine?.payload).toEqual(row?.payload ?? {});
    expect(theirs?.payload).toEqual(row?.payload ?? {});
    return row?.payload ?? {};
  };

  test("has the later name, if the earlier one was given offline", async () => {
    goOffline();
    await rename(one, "B");
    await shows(one, "B");
    const popup = await chrome.open("popup.html");
    await popup.waitForFunction(
      "document.querySelector('.standing')?.textContent === 'Restarting. 1 change not yet on the server.'",
    );
    await popup.close();
    await Bun.sleep(5);
    await rename(other, "C");
    expect((await settle())["groups"]).toEqual([{ id: GROUP, title: "C", colour: "cyan" }]);
    await shows(one, "C");
    await shows(other, "C");
  });

  test("has the later name, if that was given offline", async () => {
    goOffline();
    await rename(other, "D");
    await until(
      () => home.api("GET", "/sync"),
      ({ changes }) => changes.sync_tasks[0].payload.groups[0].title === "D",
    );
    await Bun.sleep(5);
    await rename(one, "E");
    expect((await settle())["groups"]).toEqual([{ id: GROUP, title: "E", colour: "cyan" }]);
    await shows(one, "E");
    await shows(other, "E");
  });

  test("in the strip, and saved again: each name keeps its own tabs, and none is there twice", async () => {
    goOffline();
    expect(await saveGroup(one, "F", ["Oslo", "Voss"])).toBe(
      "1 tab saved to “Norway”, 1 was already there",
    );
    expect(await saveGroup(other, "G", ["Bergen", "Flam", "Alta"])).toBe(
      "2 tabs saved to “Norway”, 1 was already there",
    );
    const { groups, pages } = await settle();
    // Which of the two comes first depends on which browser syncs first.
    const ids = (groups as readonly { readonly id: string }[]).map(({ id }) => id);
    expect(ids.toSorted()).toEqual([GROUP, "cyan F", "cyan G"].toSorted());
    const placed = (pages as readonly Placed[]).map(({ url, group }) => [
      new URL(url).pathname,
      group,
    ]);
    expect(placed.toSorted()).toEqual([
      ["/Alta", "cyan G"],
      ["/Bergen", GROUP],
      ["/Flam", "cyan G"],
      ["/Oslo", GROUP],
      ["/Voss", "cyan F"],
    ]);
  });

  /** Opens tabs in a group of the strip, saves them to the task, and returns what the browser says. */
  const saveGroup = async (page: Page, title: string, paths: readonly string[]) => {
    const urls = paths.map((path) => new URL(path, home.web).href);
    const tabIds = await page.evaluate(`(async () => {
      const tabs = [];
      for (const url of ${JSON.stringify(urls)})
        tabs.push(await chrome.tabs.create({ url, active: false }));
      const tabIds = tabs.map(({ id }) => id);
      const group = await chrome.tabs.group({ tabIds });
      await chrome.tabGroups.update(group, { title: "${title}", color: "cyan" });
      return tabIds;
    })()`);
    await until(
      () => page.evaluate("chrome.tabs.query({})") as Promise<readonly { readonly url: string }[]>,
      (tabs) => urls.every((url) => tabs.some((tab) => tab.url === url)),
    );
    const request = { saved: { kind: "tabs", tabIds }, place: { kind: "task", id: TASK } };
    const reply = await ask<{ readonly report: { readonly label: string } }>(page, "save", {
      ...request,
      close: false,
    });
    return reply.report.label;
  };
});

type Placed = { readonly url: string; readonly group?: string };

const recordAt = (web: URL) => ({
  table: "sync_tasks",
  id: TASK,
  updated_at: new Date(Date.now() - 60_000).toISOString(),
  deleted_at: null,
  payload: {
    title: "Norway",
    status: "todo",
    notes: [],
    groups: [{ id: GROUP, title: "A", colour: "cyan" }],
    pages: ["Oslo", "Bergen"].map((title) => ({
      id: title,
      title,
      url: new URL(title, web).href,
      group: GROUP,
    })),
  },
});

const NAME = ".tab-group .group-name";

const rename = async (page: Page, to: string): Promise<void> => {
  await page.bringToFront();
  await page.click(NAME);
  await page.waitForFunction("document.activeElement.matches('input, textarea')");
  await page.evaluate("document.activeElement.select()");
  await page.keyboard.type(to);
  await page.keyboard.press("Enter");
};

/** Waits until the panel shows the group by a name, and no other one. */
const shows = (page: Page, name: string): Promise<unknown> =>
  until(
    () => page.$$eval(NAME, (all) => all.map((one) => (one as HTMLTextAreaElement).value)),
    (names) => names.length === 1 && names[0] === name,
  );
