import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { ask, saveLink, type Stored, storedTasks } from "../../support/extension/ask.ts";
import { useChrome } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";

inBrowser("Someone who signs in with a task that is too large for the server", () => {
  const home = useHome();
  const chrome = useChrome();
  let page: Page;
  beforeAll(async () => {
    page = await chrome.open("options.html");
  });

  test("has the others in the account, and keeps that one in this browser", async () => {
    await saveLink(page, "https://example.org/inbox");
    const saved = { kind: "link", url: "https://example.org/small", title: null };
    await ask(page, "save", { saved, place: { kind: "new", title: "Small" }, close: false });
    await page.evaluate(ENLARGE_INBOX);
    await home.signIn(chrome);
    await until(
      async () => (await home.api("GET", "/tasks")).tasks as readonly { title: string }[],
      (tasks) => tasks.length === 1 && tasks[0]?.title === "Small",
    );
    await ask(page, "sync");
    expect(titles(await storedTasks(page))).toEqual(["Small"]);
    expect((await storedTasks(page)).filter(({ waits }) => waits)).toEqual([]);
    await chrome.inWorker("chrome.storage.local.remove('connection')");
    expect(titles(await storedTasks(page))).toEqual(["Agent unsorted"]);
  });
});

const titles = (tasks: readonly Stored[]) =>
  tasks.flatMap(({ deletedAt, payload }) => (deletedAt === null ? [payload["title"]] : []));

/** Makes the inbox too large, as saves could before they were refused for that. */
const ENLARGE_INBOX = `(async () => {
  const db = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("docket http://nobody.invalid local");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const rows = db.transaction("rows", "readwrite").objectStore("rows");
  const all = await new Promise((resolve) => {
    const reading = rows.getAll();
    reading.onsuccess = () => resolve(reading.result);
  });
  const inbox = all.find(({ edit }) => edit.payload.title === "Agent unsorted");
  inbox.edit.payload.filler = "x".repeat(1024 * 1024);
  await new Promise((resolve) => (rows.put(inbox).onsuccess = resolve));
  db.close();
})()`;
