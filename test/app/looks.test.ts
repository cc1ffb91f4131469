import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser, lookAt } from "../browser/_browser.ts";
import { saved, useDesk } from "./_app.ts";

const DAY = 24 * 60 * 60 * 1_000;

/** The views that have something in them, and what is open over them. */
const VIEWS: readonly (readonly [name: string, path: string, keys?: readonly string[]])[] = [
  ["today", "/tasks/today"],
  ["open", "/tasks/open", ["j", "x"]],
  ["task", "/tasks/open?task=a"],
  ["folder", "/tasks/folder/work"],
  ["inbox", "/tasks/inbox"],
  ["board", "/tasks/board"],
  ["agents", "/tasks/agents"],
  ["done", "/tasks/done"],
  ["trash", "/tasks/trash"],
  ["search", "/tasks/search?q=a"],
  ["search-empty", "/tasks/search"],
  ["share", "/tasks/share?url=https%3A%2F%2Fa.example&title=A"],
  ["refused", "/tasks/refused"],
  ["new-task", "/tasks/today", ["n"]],
  ["palette", "/tasks/today", ["Control+k"]],
  ["shortcuts", "/tasks/today", ["?"]],
];

inBrowser(
  "The app has no serious accessibility problem and fits the screen, light and dark:",
  () => {
    const desk = useDesk({
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

    test.each(VIEWS)(
      "%s",
      async (name, path, keys = []) => {
        const { page, open, faults } = desk;
        await open(path);
        for (const key of keys) await page.keyboard.press(key);
        expect([await lookAt(page, `app-${name}`), faults]).toEqual([[], []]);
      },
      60_000,
    );
  },
);
