import { expect, test } from "bun:test";
import { inChromium } from "../support/browser/engines.ts";
import { add, eventually, saved, titles, useDesk } from "../support/app/desk.ts";

inChromium("Who has just begun", (engine) => {
  const desk = useDesk({ engine });
  const steps = () => desk.page.getByRole("region", { name: "First steps" });
  const done = () => steps().locator(".step-mark.done").count();

  test("sees what to do first, and what of it is done", async () => {
    await desk.open("/tasks");
    await steps().waitFor();
    // The tests' own device and key.
    expect(await done()).toBe(2);
    await add(desk.page, "My first task");
    await eventually(async () => (await done()) === 3);
  });

  test("looks at an example, and takes it away again", async () => {
    const { page, device } = desk;
    await steps().getByRole("button", { name: "Add an example" }).click();
    await eventually(async () => (await titles(page)).includes("Book the night train"));
    await page.getByRole("link", { name: "Example: a trip to Oslo" }).first().waitFor();
    await steps().getByRole("button", { name: "Remove the example" }).click();
    await eventually(async () => (await titles(page)).join() === "My first task");
    await saved(page);
    const { changes } = (await device("GET", "/sync")).json;
    const live = [...changes.sync_tasks, ...changes.sync_projects].filter(
      (one: { deleted_at: string | null }) => one.deleted_at === null,
    );
    expect(live).toHaveLength(1);
  });

  test("does not see the steps move when the tasks arrive in a new browser", async () => {
    const { page } = desk;
    await page.goto("/account");
    await page.evaluate(FORGET_STORES);
    await page.addInitScript(SHIFTS);
    await desk.open("/tasks/today");
    await steps().waitFor();
    await page.locator(".row").first().waitFor();
    await Bun.sleep(500);
    expect(await page.evaluate<number>("shifts")).toBeLessThan(0.02);
  });

  test("puts the steps away, and they stay away", async () => {
    await steps().getByRole("button", { name: "Put the first steps away" }).click();
    await steps().waitFor({ state: "detached" });
    await desk.open("/tasks/today");
    await desk.page.locator(".row").first().waitFor();
    expect(await steps().count()).toBe(0);
  });

  test("is told when an account page needs the server and it cannot be reached", async () => {
    const { page, stop, start } = desk;
    await stop();
    await eventually(async () => (await page.locator(".sync.offline").count()) === 1);
    await page.getByRole("button", { name: /account menu/ }).click();
    await page.getByRole("menuitem", { name: "Import and export" }).click();
    await page.getByText("which cannot be reached now").waitFor();
    expect(new URL(page.url()).pathname).toBe("/tasks/today");
    await start();
  });
});

const FORGET_STORES = `indexedDB.databases().then((all) => Promise.all(all.map(({ name }) =>
  new Promise((done) => { indexedDB.deleteDatabase(name).onsuccess = done; }))))`;

/** Adds up how far things move by themselves. */
const SHIFTS = `globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shifts += value;
  }).observe({ type: "layout-shift", buffered: true });`;
