import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { lookAt } from "../support/browser/browser.ts";
import { inChromium } from "../support/browser/engines.ts";
import { saved, useDesk } from "../support/app/desk.ts";

const DAY = 24 * 60 * 60 * 1_000;

type View = readonly [name: string, path: string, shows: string, keys?: readonly string[]];

/** The views that have something in them, an element that shows it, and what is open over them. */
const VIEWS: readonly View[] = [
  ["today", "/tasks/today", ".row >> text=Late"],
  ["open", "/tasks/open", ".row >> text=Made by an agent", ["j", "x"]],
  ["task", "/tasks/open?task=a", ".panel .tab >> text=A page"],
  ["folder", "/tasks/folder/work", ".row .title"],
  ["inbox", "/tasks/inbox", ".tab >> text=Filed"],
  ["board", "/tasks/board", ".column >> text=Late"],
  ["agents", "/tasks/agents", ".row >> text=Made by an agent"],
  ["done", "/tasks/done", ".row >> text=Finished"],
  ["trash", "/tasks/trash", ".row >> text=Gone"],
  ["trash-task", "/tasks/trash?task=e", "text=This task is deleted."],
  ["search", "/tasks/search?q=a", ".row >> text=Late"],
  ["search-empty", "/tasks/search", "[aria-label='Search tasks, tabs and notes']"],
  ["share", "/tasks/share?url=https%3A%2F%2Fa.example&title=A", "text=Save to the inbox"],
  ["refused", "/tasks/refused", "text=The server has accepted all of your changes."],
  ["new-task", "/tasks/today", "dialog[open]", ["n"]],
  ["palette", "/tasks/today", "[role=option]", ["Control+k"]],
  ["shortcuts", "/tasks/today", "text=Single-key shortcuts", ["?"]],
];

/** What scrolls with the system's bars, which are light on a dark page too. */
const SYSTEM_BARS = `[...document.querySelectorAll("#app *")]
  .filter((one) => {
    const { overflowY, scrollbarColor } = getComputedStyle(one);
    return /auto|scroll/.test(overflowY) && scrollbarColor === "auto";
  })
  .map(({ className }) => className)`;

/** What a screen reader reads wrongly: headings that end with the names of buttons, and marks and days that say nothing. */
const MISREAD = `[...document.querySelectorAll(
  ":is(h1, h2, h3) button, .row .facts > :is(.fact, time.due):not([aria-label]), .card .fact:not([aria-label])")]
  .filter((one) => !one.matches("time:not([title])"))
  .map(({ outerHTML }) => outerHTML)`;

inChromium(
  "the app shows each view, without a serious accessibility problem, and fits the screen:",
  (engine) => {
    const desk = useDesk({
      engine,
      prepare: async ({ agent, device, open, page }) => {
        const now = Date.now();
        const updated_at = formatInstant(now - 60_000);
        const day = (from: number) => formatInstant(now + from * DAY).slice(0, 10);
        const record = (table: string, id: string, payload: object) => ({
          table,
          id,
          updated_at,
          payload,
        });
        const pages = [
          { id: "p", url: "https://a.example/", title: "A page" },
          { id: "q", url: "file:///etc/hosts", title: "Not a link" },
        ];
        const notes = [{ id: "n", text: "A note" }];
        await device("POST", "/sync", [
          record("sync_projects", "work", { name: "Work", colour: "blue" }),
          record("sync_tasks", "a", {
            title: "A",
            due: day(0),
            tags: ["t"],
            project_id: "work",
            pages,
            notes,
          }),
          record("sync_tasks", "b", { title: "Late", due: day(-3), status: "blocked" }),
          record("sync_tasks", "c", { title: "W".repeat(400), status: "in_review", due: day(2) }),
          record("sync_tasks", "d", { title: "Finished", status: "done" }),
          { ...record("sync_tasks", "e", { title: "Gone" }), deleted_at: updated_at },
        ]);
        await agent("POST", "/inbox/tabs", [{ url: "https://b.example/", title: "Filed" }]);
        await agent("POST", "/tasks", { title: "Made by an agent" });
        await open("/tasks");
        await saved(page);
      },
    });

    test.each(VIEWS)("%s", async (name, path, shows, keys = []) => {
      const { page, open, faults } = desk;
      await open(path);
      for (const key of keys) await page.keyboard.press(key);
      await page.locator(shows).first().waitFor();
      const found = [await lookAt(page, `app-${name}`), await page.evaluate(SYSTEM_BARS), faults];
      expect([...found, await page.evaluate(MISREAD)]).toEqual([[], [], [], []]);
    });
  },
);
