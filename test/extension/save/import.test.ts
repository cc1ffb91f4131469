import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { press } from "../../support/extension/chrome.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { lookAtSizes } from "../../support/extension/looks.ts";

type Record = {
  readonly id: string;
  readonly deleted_at: string | null;
  readonly payload: Payload;
};
type Payload = {
  readonly title: string;
  readonly name: string;
  readonly project_id: string;
  readonly pages: readonly { readonly title: string; readonly added_at: string }[];
};

inEachBrowser("importing what the browser holds", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  let page: Page;
  const at = (path: string): string => new URL(path, home.web).href;

  beforeAll(async () => {
    page = browser.page;
    await browser.signIn(home);
    await browser.allowBookmarks();
    await page.evaluate(`(async () => {
      const [{ children }] = await chrome.bookmarks.getTree();
      const shelf = children.at(-1).id;
      const add = (parentId, title, url) => chrome.bookmarks.create({ parentId, title, url });
      const trip = await add(shelf, "Trip");
      await add(trip.id, "Ferry", "https://ferry.example/");
      const huts = await add(trip.id, "Huts");
      await add(huts.id, "Hut", "https://hut.example/");
      const other = await add(shelf, "Recipes");
      await add(other.id, "Soup", "https://soup.example/");
      await add(other.id, "Script", "javascript:alert(1)").catch(() => null);
    })()`);
    await browser.visit(at("Oslo"));
    await browser.visit(at("Rome"));
    await browser.visit(`${home.url}/sign-in`);
    await page.bringToFront();
  });

  /** What the server has: folder, task and tabs. */
  const held = async () => {
    const { changes } = await home.api("GET", "/sync");
    const live = ({ deleted_at }: Record) => deleted_at === null;
    const folders: readonly Record[] = changes.sync_projects.filter(live);
    const tasks: readonly Record[] = changes.sync_tasks.filter(live);
    return tasks.map(({ payload: { title, project_id, pages } }) => [
      folders.find(({ id }) => id === project_id)?.payload.name,
      title,
      pages.map((tab) => tab.title),
    ]);
  };
  const said = (words: string) =>
    page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll("[role=status]")].some(({ textContent }) =>
          textContent?.includes(wanted),
        ),
      {},
      words,
    );

  test("the tabs of all windows become a task for each, once", async () => {
    await press(page, "Import the tabs of all windows");
    await said("2 tabs imported, in 1 new task.");
    const expected = [["Open tabs", "Oslo (+1)", ["Oslo", "Rome"]]];
    expect(await until(held, (tasks) => tasks.length === 1)).toEqual(expected);
    await press(page, "Import the tabs of all windows");
    await said("There is nothing new. 1 task is here already.");
    expect(await held()).toEqual(expected);
  });

  test("folders of bookmarks are chosen from a tree, and become tasks once", async () => {
    await press(page, "Import bookmarks");
    await page.waitForSelector(".shelves");
    if (!(await page.browser().version()).startsWith("firefox"))
      expect(await lookAtSizes(page, "extension-import")).toEqual([]);
    const labels = () => page.$$eval(".shelves label", (all) => all.map((one) => one.innerText));
    expect((await labels()).map((label) => label.replaceAll(/\s+/g, " "))).toEqual(
      expect.arrayContaining(["Trip 2", "Huts 1"]),
    );
    // With a folder, those beneath it are left out, or chosen.
    for (const top of await page.$$(".shelves .depth-0 label")) await top.click();
    for (const label of await page.$$(".shelves label"))
      if ((await label.evaluate((one) => (one as HTMLElement).innerText)).startsWith("Trip"))
        await label.click();
    await page.$eval(".shelves .main", (button) => (button as HTMLElement).click());
    await said("2 tabs imported, in 2 new tasks.");
    const all = await until(held, (tasks) => tasks.length === 3);
    const names = all.map(([, ...rest]) => rest);
    expect(names).toContainEqual(["Trip", ["Ferry"]]);
    expect(names).toContainEqual(["Huts", ["Hut"]]);
    expect(JSON.stringify(all)).not.toContain("Soup");
    await page.$eval(".shelves .main", (button) => (button as HTMLElement).click());
    await said("There is nothing new. 2 tasks are here already.");
    expect(await held()).toHaveLength(3);
  });
});
