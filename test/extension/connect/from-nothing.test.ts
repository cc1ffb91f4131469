import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { freshServer } from "../../support/browser/person.ts";
import { run, type Running } from "../../support/program.ts";
import { send, testDirectory } from "../../support/server.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { press } from "../../support/extension/chrome.ts";
import { startWeb, until } from "../../support/extension/home.ts";

// From nothing to a saved window, as somebody goes who gets the extension from the server. What only a hand can do is
// counted too. Here, the way in which the browser is started does it.

const STEPS = [
  "start the server",
  "open the link that it prints",
  "create the account",
  "go to Connect a browser",
  "download the extension",
  "by hand: open the browser's page of extensions",
  "by hand, in Chrome: turn on Developer mode",
  "by hand: load the file there, after which the extension opens its page",
  "sign in there",
  "by hand: let the extension reach the server",
  "allow it on the server's page",
  "save the window",
];

inEachBrowser("from nothing to a saved window", (start) => {
  let browser: Extended;
  let server: Running | undefined;
  const web = startWeb();
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];
  beforeAll(async () => {
    browser = await start(folder, profile);
  });
  afterAll(async () => {
    await browser.close();
    await server?.stop("SIGKILL");
    await web.stop(true);
  });

  test(`it is ${STEPS.length} steps and one password`, async () => {
    const done: string[] = [];
    const take = (name: string): void => void done.push(name);
    const byHand = (): void => void done.push(STEPS[done.length] ?? "");
    const began = performance.now();
    for (const name of ["Bergen", "Oslo"]) await browser.visit(new URL(name, web.url).href);
    const fresh = await freshServer([], data);
    ({ server } = fresh);
    const { url } = fresh.server;
    take("start the server");
    const page = await browser.newTab(`${url}/setup#${fresh.code}`);
    take("open the link that it prints");
    await page.waitForSelector("[name=password]");
    await page.type("[name=email]", "ann@example.org");
    expect(await page.$$("[type=password]")).toHaveLength(1);
    await page.type("[type=password]", "a horse, a battery and a staple");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    take("create the account");
    const link = await page.waitForSelector(".first-steps a[href='/account/devices']");
    await Promise.all([page.waitForNavigation(), link?.click()]);
    take("go to Connect a browser");
    expect(await page.$$eval("a[href$='.zip']", (all) => all.length)).toBeGreaterThan(0);
    take("download the extension");
    byHand();
    byHand();
    byHand();
    const options = browser.page;
    await options.bringToFront();
    await options.type("#address", url);
    await press(options, "Sign in");
    take("sign in there");
    byHand();
    const asked = await windowOf(browser, `${url}/oauth/authorize`);
    // She has just set the account up, so she is not asked for her password again.
    await asked.waitForSelector("[name=decision][value=allow]");
    expect(await asked.$$("[type=password]")).toHaveLength(0);
    await asked.click("[name=decision][value=allow]");
    await options.waitForFunction(() => document.body.innerText.includes("ann@example.org"));
    take("allow it on the server's page");
    await press(options, "Save this window");
    await options.waitForFunction(() => document.body.innerText.includes("Next time, press"));
    take("save the window");
    const made = await run(fresh.binary, ["session", "create", "--name", "test", "--data", data]);
    expect(made).toMatchObject({ code: 0, err: expect.any(String) });
    const token = made.out.trim();
    await until(
      async () => (await send("GET", `${url}/api/public/v1/tasks`, { token })).json,
      ({ tasks }: { readonly tasks?: readonly { readonly title: string }[] }) =>
        tasks?.some(({ title }) => title === "Bergen and 1 more") === true,
    );
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`${done.length} steps, ${seconds.toFixed(1)} s without the person\n`);
    expect(done).toEqual(STEPS);
  });
});

/** The page that the browser opens for a sign-in. */
const windowOf = async (browser: Extended, start: string): Promise<Page> => {
  const found = await until(
    async () =>
      (await browser.page.browser().pages()).find((one) => one.url().startsWith(start)) ?? null,
    (one) => one !== null,
  );
  if (found === null) throw new Error("No window opened.");
  return found;
};
