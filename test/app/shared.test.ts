import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inEachBrowser } from "../support/browser/engines.ts";
import { PASSWORD, signIn } from "../support/browser/person.ts";
import { add, eventually, saved, titles, useDesk } from "../support/app/desk.ts";

const BOB = "bob@example.org";
const SYNC = "**/api/public/v1/sync*";
const STORES = "indexedDB.databases().then((all) => all.length)";

/** What the browser keeps, as text: one for each account that has used it. */
const KEPT = `(async () => {
  const kept = [];
  for (const { name } of await indexedDB.databases()) {
    const db = await new Promise((resolve) => {
      indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result);
    });
    const stores = [...db.objectStoreNames].map((store) => new Promise((resolve) => {
      db.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => resolve(target.result);
    }));
    kept.push(JSON.stringify(await Promise.all(stores)));
    db.close();
  }
  return kept;
})()`;

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /account menu$/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
};

inEachBrowser("Ann and Bob share a computer:", (engine) => {
  const desk = useDesk({ engine, prepare: ({ addPerson }) => addPerson(BOB) });

  test("Ann signs out although a change waits: she is asked, and loses that change and no other", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await saved(page);
    await add(page, "Saved by Ann");
    await saved(page);
    await page.route(SYNC, (route) => route.abort());
    await add(page, "Lost by Ann");
    await signOut(page);
    const dialog = page.getByRole("dialog", { name: "Sign out" });
    expect(await dialog.innerText()).toContain("1 change in this browser is not on the server.");
    const file = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save to a file" }).click();
    expect(await Bun.file(await (await file).path()).text()).toContain("Lost by Ann");
    await dialog.getByRole("button", { name: "Sign out and lose changes" }).click();
    await page.waitForURL(/\/sign-in/);
    expect(await page.evaluate(STORES)).toBe(0);
    await page.unroute(SYNC);
    await signIn(page);
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).join() === "Saved by Ann");
  });

  test("Bob signs in where Ann's session ended: he sees nothing of hers, and her waiting change waits for her", async () => {
    const { page, open, context, device } = desk;
    await page.route(SYNC, (route) => route.abort());
    await add(page, "Waits for Ann");
    await context.clearCookies();
    await page.unroute(SYNC);
    await page.goto("/sign-in");
    await signIn(page, PASSWORD, BOB);
    await open("/tasks/open");
    await page.getByRole("heading", { name: "No open tasks" }).waitFor();
    await saved(page);
    await add(page, "Bob's own");
    await saved(page);
    const seen = await page.evaluate<string>("document.documentElement.outerHTML");
    expect([seen.includes("Saved by Ann"), seen.includes("Waits for Ann")]).toEqual([false, false]);
    const kept = await page.evaluate<readonly string[]>(KEPT);
    const holds = (words: string) => kept.map((store) => store.includes(words));
    expect(holds("Waits for Ann").toSorted()).toEqual([false, true]);
    expect(holds("Bob's own")).toEqual(holds("Waits for Ann").map((isAnns) => !isAnns));
    await page.goto("/tasks/search?q=Ann");
    await page.getByText("Nothing found").waitFor();
    await signOut(page);
    await page
      .getByRole("dialog", { name: "Sign out" })
      .getByRole("button", { name: "Sign out" })
      .click();
    await page.waitForURL(/\/sign-in/);
    await signIn(page);
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).includes("Waits for Ann"));
    await saved(page);
    expect(await titles(page)).toEqual(["Waits for Ann", "Saved by Ann"]);
    const { tasks } = (await device("GET", "/tasks")).json;
    expect(tasks.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      "Saved by Ann",
      "Waits for Ann",
    ]);
  });

  test("Ann's window, still open when Bob signs in beside it, becomes Bob's and takes nothing along", async () => {
    const { page, context, device } = desk;
    await context.clearCookies();
    const bobs = await context.newPage();
    await bobs.goto("/sign-in");
    await signIn(bobs, PASSWORD, BOB);
    await page.reload();
    await bobs.goto("/tasks/open");
    for (const window of [page, bobs])
      await eventually(async () => (await titles(window)).join() === "Bob's own");
    await add(page, "Written in Ann's old window");
    await eventually(async () => (await titles(bobs)).includes("Written in Ann's old window"));
    await saved(page);
    const { tasks } = (await device("GET", "/tasks")).json;
    expect(tasks).toHaveLength(2);
    await bobs.close();
  });

  test("a window of an older version asks to be reloaded, and refuses an edit that it could not save", async () => {
    const { page, context, open } = desk;
    await open("/tasks/open");
    await saved(page);
    const newer = await context.newPage();
    await newer.goto("/healthz");
    const names = "indexedDB.databases().then((all) => all.map(({ name }) => name))";
    const stores = await newer.evaluate<readonly string[]>(names);
    for (const name of stores.map((one) => JSON.stringify(one)))
      await newer.evaluate(
        `new BroadcastChannel(${name}).postMessage({ kind: "hello", version: 99 })`,
      );
    await page.getByText("Another window runs a newer version of Docket.").waitFor();
    await page.getByRole("button", { name: "Reload this window" }).click();
    await saved(page);
    expect(await page.getByText("Another window runs").count()).toBe(0);

    for (const name of stores.map((one) => JSON.stringify(one)))
      await newer.evaluate(
        `new Promise((done) => (indexedDB.open(${name}, 99).onsuccess = () => done(true)))`,
      );
    await page.getByText("Another window runs a newer version of Docket.").waitFor();
    await page.getByLabel("Add a task").fill("Too late");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Reload this page.").waitFor();
    // What she typed is still there.
    expect(await page.getByLabel("Add a task").inputValue()).toBe("Too late");
    await newer.close();
  });
});
