import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { press } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";

inEachBrowser("undo", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  let page: Page;
  beforeAll(async () => {
    page = browser.page;
  });

  const at = (path: string): string => new URL(path, home.web).href;
  /** Opens tabs, those of a group in a group of that name. Returns the browser's numbers of them. */
  const open = async (paths: readonly string[], group: string | null) =>
    (await page.evaluate(opening(paths.map(at), group))) as readonly number[];
  const saveAndClose = (tabIds: readonly number[]) =>
    ask(page, "save", {
      saved: { kind: "tabs", tabIds },
      place: { kind: "new", title: "Norway" },
      close: true,
    });
  const seen = async (): Promise<readonly Seen[]> =>
    ((await page.evaluate(SEEN)) as readonly Seen[]).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const closeAll = () => page.evaluate(CLOSE);

  test("opens a whole group again with its name and colour, asleep", async () => {
    await saveAndClose(await open(["Bergen", "Flam"], "Fjords"));
    expect(await seen()).toEqual([]);
    expect(await ask(page, "undo")).toMatchObject({ kind: "done" });
    const tabs = await until(seen, (all) => all.every(({ discarded }) => discarded));
    expect(tabs.map(({ path, group }) => [path, group])).toEqual([
      ["Bergen", "Fjords cyan"],
      ["Flam", "Fjords cyan"],
    ]);
    expect(await storedTasks(page)).toMatchObject([{ deletedAt: expect.any(String) }]);
    await closeAll();
  });

  test("puts a tab back into its group, if that is still there", async () => {
    const [first = -1] = await open(["Bergen", "Flam"], "Fjords");
    await saveAndClose([first]);
    expect((await seen()).map(({ path }) => path)).toEqual(["Flam"]);
    await ask(page, "undo");
    const tabs = await seen();
    expect(tabs.map(({ path, group }) => [path, group])).toEqual([
      ["Bergen", "Fjords cyan"],
      ["Flam", "Fjords cyan"],
    ]);
    expect(new Set(tabs.map(({ groupId }) => groupId)).size).toBe(1);
    await closeAll();
  });

  test("says that it cannot take back what was saved before she signed in", async () => {
    await saveLink(page, at("Oslo"));
    await browser.signIn(home);
    expect(await ask(page, "undo")).toEqual({
      kind: "failed",
      problem:
        "You have signed in or out since, so this save cannot be undone. What it saved is in its task.",
    });
    const popup = await browser.popup();
    await popup.waitForSelector(".chooser input");
    expect(await popup.$$eval(".notice", (all) => all.length)).toBe(0);
    await popup.close();
    const inAccount = () => storedTasks(page);
    await until(inAccount, (all) => JSON.stringify(all).includes("Oslo"));
  });

  test("and all else that names what she saved is gone when she signs out", async () => {
    await saveAndClose(await open(["Bergen"], null));
    const stored = () => page.evaluate(STORED) as Promise<string>;
    expect(await stored()).toContain("Bergen");
    await page.bringToFront();
    await press(page, "Sign out");
    await page.waitForFunction(
      "document.querySelector('.outcome')?.textContent.includes('Nothing of the account is left')",
    );
    expect(await stored()).not.toMatch(/Bergen|Norway|example/);
  });
});

type Seen = {
  readonly path: string;
  readonly groupId: number;
  readonly group: string | null;
  readonly discarded: boolean;
};

const opening = (urls: readonly string[], group: string | null): string => `(async () => {
  const tabIds = [];
  for (const url of ${JSON.stringify(urls)})
    tabIds.push((await chrome.tabs.create({ url, active: false })).id);
  const isThere = ({ url, status }) => url.startsWith("http:") && status === "complete";
  for (const id of tabIds)
    while (!isThere(await chrome.tabs.get(id))) await new Promise((resolve) => setTimeout(resolve, 20));
  if (${group !== null}) {
    const groupId = await chrome.tabs.group({ tabIds });
    await chrome.tabGroups.update(groupId, { title: ${JSON.stringify(group)}, color: "cyan" });
  }
  return tabIds;
})()`;

const SEEN = `(async () => {
  const groups = await chrome.tabGroups.query({});
  return (await chrome.tabs.query({}))
    .filter(({ url, pendingUrl }) => (url || pendingUrl).startsWith("http:"))
    .map(({ url, pendingUrl, groupId, discarded }) => {
      const group = groups.find(({ id }) => id === groupId);
      const path = new URL(url || pendingUrl).pathname.slice(1);
      return { path, groupId, group: group ? group.title + " " + group.color : null, discarded };
    });
})()`;

/** A tab that is put to sleep meanwhile gets another number, so they are asked for again. */
const CLOSE = `(async () => {
  for (;;) {
    const tabs = (await chrome.tabs.query({})).filter(({ url }) => url.startsWith("http:"));
    if (tabs.length === 0) return 0;
    await Promise.all(tabs.map(({ id }) => chrome.tabs.remove(id).catch(() => {})));
  }
})()`;

const STORED = `Promise.all([chrome.storage.local.get(), chrome.storage.session.get()]).then((all) =>
  JSON.stringify(all))`;
