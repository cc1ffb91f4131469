import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { killBrowser } from "../support/browser/crash.ts";
import { inEachBrowser, startOn } from "../support/browser/engines.ts";
import { setUp } from "../support/browser/person.ts";
import { testDirectory } from "../support/server.ts";
import { add, eventually, row, saved, startHome, titles, withOthers } from "../support/app/desk.ts";

inEachBrowser("what Ann did is not lost when the whole browser", (engine) => {
  const [data, profile] = [testDirectory(), testDirectory()];
  let home: Awaited<ReturnType<typeof startHome>>;
  let context: BrowserContext;

  afterAll(async () => {
    await context?.close();
    await home?.stop();
  });

  const open = async (): Promise<Page> => {
    context = await startOn(engine, profile, home.url);
    return context.newPage();
  };
  // Browsers write localStorage, which says who was signed in, some seconds later or when they end: this one ends.
  beforeAll(async () => {
    home = await startHome(data);
    const page = await open();
    await setUp(page, home.code);
    await page.goto("/tasks/open");
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await context.close();
  });

  test("is killed while the server is away: started again, it shows her edits, and sends them", async () => {
    const { device } = await withOthers(home);
    const page = await open();
    await page.goto("/tasks/open");
    await add(page, "Saved long before");
    await saved(page);
    await home.stop("SIGKILL");
    await add(page, "Written before the end");
    await row(page, "Written before the end").getByRole("link").click();
    await page.getByLabel("Add a note").fill("A note before the end");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByLabel("Note", { exact: true }).waitFor();
    await killBrowser(context);

    const again = await open();
    await again.goto("/tasks/open");
    const both = ["Written before the end", "Saved long before"];
    await eventually(async () => (await titles(again)).join() === both.join());
    await home.start();
    await eventually(async () => (await device("GET", "/tasks")).json.tasks.length === 2);
    await saved(again);
    const { tasks } = (await device("GET", "/tasks")).json;
    const { id } = tasks.find((one: { title: string }) => one.title === both[0]);
    const { notes } = (await device("GET", `/tasks/${id}`)).json;
    expect(notes).toMatchObject([{ text: "A note before the end" }]);
  });
});
