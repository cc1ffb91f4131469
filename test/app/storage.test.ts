import { expect, test } from "bun:test";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

inBrowser("Ann's browser and its copy of her tasks:", () => {
  const desk = useDesk({
    prepare: ({ context }) =>
      context.addInitScript(`
      const { persist } = StorageManager.prototype;
      StorageManager.prototype.persist = function () {
        sessionStorage.setItem("asked", Number(sessionStorage.getItem("asked")) + 1);
        return persist.call(this);
      };
    `),
  });

  const add = async (title: string): Promise<void> => {
    await desk.page.getByLabel("Add a task").fill(title);
    await desk.page.keyboard.press("Enter");
    await eventually(async () => (await titles(desk.page)).includes(title));
  };
  const asked = () => desk.page.evaluate<string | null>("sessionStorage.getItem('asked')");

  test("it is asked to keep the copy after her first change, once, and she can read what it said", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await saved(page);
    expect(await asked()).toBeNull();
    await add("First");
    await eventually(async () => (await asked()) === "1");
    const words = /^Sync now\nThis browser (keeps|may remove) its copy of your tasks/;
    await page.getByTitle(words).first().waitFor({ state: "attached" });
    await open("/tasks/open");
    await add("Second");
    await saved(page);
    expect(await asked()).toBe("1");
  });

  test("many tasks are on the screen at once, and an open one has all its tabs", async () => {
    const { page, open, device } = desk;
    const updated_at = new Date().toISOString();
    const pages = [{ id: "one", url: "https://example.org/one", title: "Page one" }];
    const records = Array.from({ length: 450 }, (_, at) => ({
      table: "sync_tasks",
      id: `many-${at}`,
      updated_at,
      payload: { title: `Many ${at}`, status: "todo", pages },
    }));
    expect((await device("POST", "/sync", records)).status).toBe(200);
    await page.getByText("452 tasks").waitFor();
    await saved(page);
    const sketched = async (): Promise<boolean> =>
      page.evaluate<boolean>(`(async () => {
        const [{ name }] = await indexedDB.databases();
        const db = await new Promise((done) => {
          indexedDB.open(name).onsuccess = ({ target }) => done(target.result);
        });
        const count = await new Promise((done) => {
          db.transaction("sketch").objectStore("sketch").count().onsuccess = ({ target }) => done(target.result);
        });
        db.close();
        return count === 1;
      })()`);
    await eventually(sketched);
    await open("/tasks/open?task=many-7");
    await page.getByRole("region", { name: "Tabs" }).getByText("Page one").waitFor();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    await row(page, "Many 10").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.keyboard.type("Page one");
    await page.getByText("450 tasks").waitFor();
    expect(desk.faults).toEqual([]);
  });
});
