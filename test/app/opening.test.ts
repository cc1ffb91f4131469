import { expect, test } from "bun:test";
import { inBrowser } from "../browser/_browser.ts";
import { useDesk } from "./_app.ts";

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
      const questions: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/tasks/session")) questions.push(request.method());
      });
      await page.goto("/tasks/open");
      await page.getByRole("heading", { name: "No open tasks" }).waitFor();
      expect(await page.evaluate<unknown>("moved")).toEqual([]);
      expect(questions).toEqual(["POST"]);
      expect(faults).toEqual([]);
    }, 60_000);
  });
