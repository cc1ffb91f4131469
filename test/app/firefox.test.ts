import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "puppeteer-core";
import { inFirefox, startFirefox } from "../browser/_firefox.ts";
import { EMAIL, freshServer, PASSWORD } from "../browser/_person.ts";
import { run } from "../support/program.ts";
import { send } from "../support/server.ts";
import { eventually } from "./_app.ts";

const OPEN = "/tasks/open";

inFirefox("Ann in Firefox", () => {
  let browser: Browser;
  let page: Page;
  let fresh: Awaited<ReturnType<typeof freshServer>>;
  let key: string;

  beforeAll(async () => {
    fresh = await freshServer();
    browser = await startFirefox();
    page = await browser.newPage();
    page.setDefaultTimeout(8_000);
    await open("/setup");
    await fill("input[name=code]", fresh.code);
    await fill("input[name=email]", EMAIL);
    await fill("input[name=password]", PASSWORD);
    await press("button.main");
    await eventually(async () => new URL(page.url()).pathname === "/tasks");
    const words = ["key", "create", "--name", "helper", "--scopes", "read,write"];
    key = (await run(fresh.binary, [...words, "--data", fresh.data])).out.trim();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await fresh?.server.stop();
  });

  const agent = async (method: string, path: string, body?: unknown) =>
    (await send(method, `${fresh.server.url}/api/public/v1${path}`, { token: key, body })).json;
  const open = (path: string) => page.goto(fresh.server.url + path);
  const press = (selector: string) => page.locator(selector).click();
  const fill = async (selector: string, text: string): Promise<void> => {
    await press(selector);
    await page.keyboard.type(text);
  };
  const text = (): Promise<string> => page.$eval("body", (body) => body.textContent);
  const shows = (words: string) => eventually(async () => (await text()).includes(words));
  const titles = (): Promise<readonly string[]> =>
    page.$$eval(".row .title", (all) => all.map((one) => one.textContent));
  const add = async (title: string): Promise<void> => {
    await fill("[aria-label='Add a task']", title);
    await page.keyboard.press("Enter");
    await shows(title.split(" https")[0] ?? "");
  };

  test("adds her first task, with a tab", async () => {
    await open(OPEN);
    await add("Plan the trip https://a.example/");
    await shows("All saved");
    expect((await agent("GET", "/tasks")).tasks).toMatchObject([
      { title: "Plan the trip", tab_count: 1 },
    ]);
  }, 60_000);

  test("edits a task while an agent files a tab in it", async () => {
    const [{ id }] = (await agent("GET", "/tasks")).tasks;
    await press(".row .title");
    await press("[aria-label='Title']");
    await page.keyboard.press("End");
    await page.keyboard.type(" to Porto");
    await agent("POST", `/tasks/${id}/tabs`, [{ url: "https://cp.example/", title: "Trains" }]);
    await shows("Trains");
    await page.keyboard.type(" in May");
    await page.keyboard.press("Enter");
    await eventually(
      async () => (await agent("GET", `/tasks/${id}`)).title === "Plan the trip to Porto in May",
    );
    expect((await agent("GET", `/tasks/${id}`)).tab_count).toBe(2);
  }, 60_000);

  test("a half-typed note and the caret in it stay while a tab arrives", async () => {
    const [{ id }] = (await agent("GET", "/tasks")).tasks;
    await fill("[aria-label='Add a note']", "Ask about ");
    await page.keyboard.press("ArrowLeft");
    await agent("POST", `/tasks/${id}/tabs`, [{ url: "https://sncf.example/", title: "Night" }]);
    await shows("Night");
    await page.keyboard.type("the bikes,");
    expect(await page.$eval("textarea[aria-label='Add a note']", (area) => area.value)).toBe(
      "Ask aboutthe bikes, ",
    );
  }, 60_000);

  test("works on without a network, and everything arrives later", async () => {
    await open(OPEN);
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await open(OPEN);
    await shows("All saved");
    await page.setOfflineMode(true);
    await add("Written on the train");
    await shows("1 change to send");
    await page.setOfflineMode(false);
    await shows("All saved");
    const { tasks } = await agent("GET", "/tasks");
    expect(tasks.map(({ title }: { readonly title: string }) => title)).toContain(
      "Written on the train",
    );
    expect(await titles()).toContain("Written on the train");
  }, 60_000);

  test("signs out, and nothing of hers stays in the browser", async () => {
    await press("[aria-label$='account menu']");
    await press("[role=menuitem]:last-child");
    await press("dialog .dialog-foot .main");
    await eventually(async () => page.url().includes("/sign-in"));
    const left = "indexedDB.databases().then((all) => all.length)";
    expect([await page.evaluate(left), await page.evaluate("localStorage.length")]).toEqual([0, 0]);
  }, 60_000);
});
