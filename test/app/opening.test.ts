import { expect, test } from "bun:test";
import { inBrowser } from "../support/browser/browser.ts";
import { add, saved, useDesk } from "../support/app/desk.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SCREENS = [
  ["phone", PHONE],
  ["desktop", { viewport: { width: 1280, height: 800 } }],
] as const;

/** Runs in the page from its start: how much of it has moved without the person doing anything. */
const WATCH = `
  globalThis.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      moved.push([value, ...sources.map(({ node }) => node?.nodeName)]);
  }).observe({ type: "layout-shift", buffered: true });
`;

const QUESTIONS = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/tasks/session")).length`;

for (const [name, screen] of SCREENS)
  inBrowser(`The first opening of the app on a ${name}`, () => {
    const desk = useDesk({ screen });

    test("asks who is signed in before the app itself has arrived, and nothing on the page moves", async () => {
      const { page, faults } = desk;
      const asked = page.waitForRequest("**/tasks/session");
      await page.route("**/*-tasks.js", async (route) => {
        await asked;
        await route.continue();
      });
      await page.addInitScript(WATCH);
      await page.goto("/tasks/open");
      await page.getByRole("heading", { name: "No open tasks" }).waitFor();
      expect(await page.evaluate<unknown>("moved")).toEqual([]);
      // The browser's own list: the events of a busy browser may tell of one request twice. It has what is answered.
      await saved(page);
      expect(await page.evaluate<unknown>(QUESTIONS)).toBe(1);
      expect(faults).toEqual([]);
    });
  });

/** Runs in the page from its start: the half minute that the app gives the question is a second. */
const SOONER = `
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms === 30_000 ? 1_000 : ms);
`;

inBrowser("When the question who is signed in is never answered", () => {
  const desk = useDesk();

  test("the app asks again, and syncs", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await saved(page);
    await page.addInitScript(SOONER);
    let questions = 0;
    // A route that is not told what to do leaves the request pending.
    await page.route("**/tasks/session", (route) =>
      (questions += 1) === 1 ? undefined : route.continue(),
    );
    await open("/tasks/open");
    await add(page, "Synced");
    await saved(page);
    const { tasks } = (await desk.device("GET", "/tasks")).json;
    // On a busy machine the second one may take longer than the second that it has here.
    expect([questions > 1, tasks.map(({ title }: { title: string }) => title)]).toEqual([
      true,
      ["Synced"],
    ]);
  });
});
