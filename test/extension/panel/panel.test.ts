import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { folderRecord, taskRecord } from "../../support/extension/looks.ts";

inBrowser("The side panel", () => {
  const home = useHome();
  const chrome = useChrome();
  let panel: Page;
  beforeAll(async () => {
    await home.api("POST", "/sync", [
      folderRecord("f", "Travel"),
      taskRecord("norway", "Norway", "f", home.web),
      taskRecord("bicycle", "Repair the bicycle", null, home.web),
    ]);
    await home.signIn(chrome);
    await chrome.visit(new URL("Flam", home.web).href);
    await chrome.visit(new URL("Voss", home.web).href);
    // In a tab at first: there, a test can drag.
    panel = await chrome.open("panel.html");
    await panel.setDragInterception(true);
    await panel.waitForSelector(".row");
  });

  const pagesOf = async (id: string) => {
    const { changes } = await home.api("GET", "/sync");
    const task = changes.sync_tasks.find((one: { id: string }) => one.id === id);
    return task.payload as {
      readonly title: string;
      readonly pages: readonly { readonly title: string; readonly group?: string }[];
      readonly groups?: readonly unknown[];
      readonly notes: readonly { readonly text: string }[];
      readonly status: string;
    };
  };
  const panels = () =>
    chrome.inWorker<number>(
      "chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] }).then(({ length }) => length)",
    );
  const text = () => panel.evaluate(() => document.body.innerText);
  const shows = (words: string) => until(text, (seen) => seen.includes(words));

  test("takes an open tab onto a task by drag and drop, and offers to undo it", async () => {
    await drag(panel, openTab("Voss"), row("Norway"));
    await shows("1 tab saved to “Norway”");
    await until(
      () => pagesOf("norway"),
      ({ pages }) => pages.some(({ title }) => title === "Voss"),
    );
    await panel.waitForSelector(`xpath/${openTab("Voss")}//*[@aria-label="Saved in Norway"]`);
    await press(panel, "Undo");
    await until(
      () => pagesOf("norway"),
      ({ pages }) => !pages.some(({ title }) => title === "Voss"),
    );
  });

  test("takes a whole group, with its name and colour, onto the open task", async () => {
    await chrome.inWorker(GROUP);
    await panel.waitForSelector(".open-group");
    await panel.click(".row .title[data-row=bicycle]");
    await panel.waitForSelector(".panel-title");
    await drag(panel, '//*[contains(@class,"open-group")]', '//*[@class="panel-body scroll"]');
    const { groups, pages } = await until(
      () => pagesOf("bicycle"),
      (task) => (task.groups ?? []).length > 0,
    );
    expect(groups).toEqual([{ id: "cyan Coast", title: "Coast", colour: "cyan" }]);
    expect(pages.filter(({ group }) => group === "cyan Coast").map(({ title }) => title)).toEqual([
      "Flam",
      "Voss",
    ]);
  });

  test("makes a new task of a tab that is dropped on the list", async () => {
    await panel.keyboard.press("Escape");
    await panel.waitForSelector(".inline-add");
    await drag(panel, openTab("Flam"), '//*[contains(@class,"inline-add")]');
    await shows("Task added with 1 tab");
    await until(
      async () => (await home.api("GET", "/tasks")).tasks as readonly { title: string }[],
      (tasks) => tasks.some(({ title }) => title === "Flam"),
    );
  });

  const tasksWithoutPlace = async (): Promise<number> => {
    type Listed = { readonly title: string; readonly project_id: string | null };
    const { tasks } = await home.api("GET", "/tasks");
    return (tasks as readonly Listed[]).filter(
      ({ title, project_id }) => project_id === null && title !== "Agent unsorted",
    ).length;
  };

  test("shows at once what another device did, and what the popup saved", async () => {
    await home.api("POST", "/tasks", { title: "From afar" });
    await shows("From afar");
    await chrome.inWorker(
      `chrome.contextMenus.onClicked.dispatch({ menuItemId: "link-inbox", linkUrl: "${home.web}link" })`,
    );
    await press(panel, "All views and folders");
    const inbox = await panel.waitForSelector(
      `xpath/.//nav[@aria-label='Views']//a[.//*[text()='Inbox'] and .//*[text()='${1 + (await tasksWithoutPlace())}']]`,
    );
    expect(inbox).not.toBeNull();
    await panel.keyboard.press("Escape");
  });

  test("works by keyboard alone: finds a task, writes a note, saves a tab, finishes it", async () => {
    await panel.keyboard.press("/");
    await panel.waitForSelector("#search:focus");
    await panel.keyboard.type("norway");
    await panel.waitForFunction("document.querySelectorAll('.row').length === 1");
    await panel.keyboard.press("ArrowDown");
    await panel.waitForSelector(".row .title:focus");
    await panel.keyboard.press("o");
    await panel.waitForSelector(".panel-title");
    await tabTo(panel, "textarea[aria-label='New note'], .new-note");
    await panel.keyboard.type("Pack a coat");
    await panel.keyboard.down("Control");
    await panel.keyboard.press("Enter");
    await panel.keyboard.up("Control");
    await until(
      () => pagesOf("norway"),
      ({ notes }) => notes.length === 1,
    );
    await tabTo(panel, ".open-tab .title");
    while ((await focused(panel)) !== "Voss") await panel.keyboard.press("ArrowDown");
    await panel.keyboard.press("m");
    await panel.waitForSelector("dialog[open] input:focus");
    await panel.keyboard.type("norway");
    await panel.keyboard.press("Enter");
    await until(
      () => pagesOf("norway"),
      ({ pages }) => pages.some(({ title }) => title === "Voss"),
    );
    await panel.waitForFunction("document.querySelector('dialog[open]') === null");
    await tabTo(panel, ".panel-bar .back", true);
    await panel.keyboard.press("Enter");
    await panel.waitForSelector(".row");
    await tabTo(panel, ".row .title", true);
    // A single key counts again a second after typing.
    await Bun.sleep(1_050);
    await panel.keyboard.press("e");
    await until(
      () => pagesOf("norway"),
      ({ status }) => status === "done",
    );
  });

  test("opens by the button in the popup, in the window where that was pressed", async () => {
    await panel.close();
    await chrome.inWorker(FRONT);
    const popup = await chrome.popup();
    const shown = chrome.browser.waitForTarget((target) => target.url().includes("/panel.html"));
    // By keyboard alone, as everything in the popup.
    await tabTo(popup, "[aria-label='Open the side panel']");
    await popup.keyboard.press("Enter").catch(() => {});
    panel = await (await shown).asPage();
    panel.setDefaultTimeout(30_000);
    await until(panels, (open) => open === 1);
    await shows("All open");
    await shows("Voss");
  });

  test("opens the tabs of a task that are not open, as its group, and leads to the pages of the server in a tab", async () => {
    await panel.click(".row .title[data-row=bicycle]");
    await panel.waitForSelector(".panel-title");
    await press(panel, "Open all");
    await shows("3 tabs opened");
    const groups = await chrome.inWorker<readonly string[]>(
      "chrome.tabGroups.query({}).then((all) => all.map(({ title }) => title))",
    );
    expect(groups).toContain("Repair the bicycle");
    await press(panel, "Open all");
    await shows("All of these tabs are open already.");
    await press(panel, "More for this task");
    await panel.click("xpath/.//*[@role='menuitem' and contains(., 'History')]");
    const urls = await until(
      () => chrome.inWorker<readonly string[]>(URLS),
      (all) => all.some((url) => url.startsWith(home.url)),
    );
    // The page leads to the sign-in at once, which has its address in its own.
    expect(decodeURIComponent(urls.find((url) => url.startsWith(home.url)) ?? "")).toContain(
      "/account/tasks/bicycle/history",
    );
  });

  test("goes to a tab of the strip when that is pressed", async () => {
    await panel.click(`xpath/${openTab("Flam")}//button[@class="title"]`);
    await until(
      () => chrome.inWorker<string>(ACTIVE),
      (title) => title === "Flam",
    );
  });

  test("has a command, for which people choose a key", async () => {
    const commands = await chrome.inWorker<readonly { name: string; description: string }[]>(
      "chrome.commands.getAll()",
    );
    expect(commands).toContainEqual(
      expect.objectContaining({ name: "open-panel", description: "Open the side panel" }),
    );
  });
});

const openTab = (title: string): string =>
  `//li[contains(@class,"open-tab") and .//button[text()="${title}"]]`;

const row = (title: string): string => `//*[contains(@class,"row") and .//a[text()="${title}"]]`;

const drag = async (page: Page, from: string, to: string): Promise<void> => {
  const [one, other] = [
    await page.waitForSelector(`xpath/.${from}`),
    await page.waitForSelector(`xpath/.${to}`),
  ];
  const [start, end] = [await one?.clickablePoint(), await other?.clickablePoint()];
  if (!start || !end) throw new Error("Not there.");
  await page.mouse.dragAndDrop(start, end);
};

/** Presses Tab until an element has the focus. */
const tabTo = async (page: Page, selector: string, back = false): Promise<void> => {
  for (let tries = 0; tries < 80; tries += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    if (back) await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    if (back) await page.keyboard.up("Shift");
  }
  throw new Error(`Tab does not reach ${selector}.`);
};

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent ?? "");

const GROUP = `chrome.tabs.query({ url: "http://127.0.0.1/*" }).then(async (tabs) => {
  const tabIds = tabs.map(({ id }) => id);
  const groupId = await chrome.tabs.group({ tabIds });
  await chrome.tabGroups.update(groupId, { title: "Coast", color: "cyan" });
})`;

const URLS =
  "chrome.tabs.query({}).then((tabs) => tabs.map(({ url, pendingUrl }) => pendingUrl || url))";

const FRONT =
  "chrome.tabs.query({ title: 'Voss' }).then(([{ id }]) => chrome.tabs.update(id, { active: true }))";

const ACTIVE =
  "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => tab.title)";
