import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { run } from "../support/program.ts";
import { send } from "../support/server.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";
import { freshServer, setUp, signIn } from "../support/browser/person.ts";
import {
  execute,
  goTo,
  hurry,
  openReference,
  operationsAt,
  setKey,
  watchCookies,
} from "../support/browser/reference.ts";

const TASKS = "/api/public/v1/tasks";
const HOSTILE = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';

inBrowser("The reference", () => {
  let browser: Browser;
  let fresh: Awaited<ReturnType<typeof freshServer>>;
  let url: string;
  let key: string;

  beforeAll(async () => {
    fresh = await freshServer(["--allowed-hosts", "docket.home"]);
    url = fresh.server.url;
    browser = await startBrowser();
    const { page, context } = await openPage(browser, url);
    await setUp(page, fresh.code);
    await context.close();
    const words = ["key", "create", "--name", "bot", "--scopes", "read,write"];
    key = (await run(fresh.binary, [...words, "--data", fresh.data])).out.trim();
    const body = {
      title: HOSTILE,
      notes: [HOSTILE],
      tabs: [{ url: "https://a.example/", title: HOSTILE }],
    };
    expect((await send("POST", url + TASKS, { token: key, body })).status).toBe(201);
  });

  afterAll(async () => {
    await browser.close();
    await fresh.server.stop();
  });

  /** Opens a page in ann's browser, which is signed in to her account. */
  const signedIn = async () => {
    const opened = await openPage(browser, url);
    await opened.page.goto("/sign-in");
    await signIn(opened.page);
    return opened;
  };

  test("lists every operation, and shows each one when it is chosen", async () => {
    const { page, faults } = await openPage(browser, url);
    await openReference(page);
    expect(await page.title()).toBe("API reference · Docket");
    const operations = await operationsAt(url);
    expect(operations.length).toBeGreaterThan(15);
    for (const { link, summary } of operations) {
      expect((await page.locator(`[id="${link}"]`).innerText()).trim()).toBe(summary);
      await goTo(page, link);
      await page.locator("main").getByText(summary, { exact: true }).first().waitFor();
      await page.getByRole("button", { name: /^execute$/i }).waitFor();
    }
    expect(faults).toEqual([]);
  });

  test("tries the API with a key, and shows the reply as text", async () => {
    const { page, faults } = await openPage(browser, url);
    await openReference(page);
    await setKey(page, key);
    await goTo(page, `link-get-${TASKS}`);
    expect(await execute(page)).toContain("(200)");
    // The text appears as JSON and is not run as HTML.
    const reply = page.locator("api-request code").filter({ hasText: '"tasks"' });
    expect(await reply.innerText()).toContain(JSON.stringify(HOSTILE));
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.evaluate<unknown>("globalThis.ran")).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test("creates a task, and says so when a call is refused", async () => {
    const { page, faults } = await openPage(browser, url, { statuses: [401] });
    await openReference(page, `post-${TASKS}`);
    expect(await execute(page)).toContain("(401)");
    await setKey(page, key);
    await goTo(page, `link-post-${TASKS}`);
    await page.locator("textarea:visible").fill(JSON.stringify({ title: "From the page" }));
    expect(await execute(page)).toContain("(201)");
    const { json } = await send("GET", `${url}${TASKS}?limit=1`, { token: key });
    expect([json.tasks[0].title, faults]).toEqual(["From the page", []]);
  });

  test("sends no cookie, not even for someone who is signed in", async () => {
    const { page } = await signedIn();
    const sent = watchCookies(page);
    await openReference(page);
    await setKey(page, key);
    await goTo(page, "link-get-/api/public/v1/me");
    expect(await execute(page)).toContain("(200)");
    const told = await Promise.all(sent);
    const [opened, ...others] = told.slice(told.findIndex((line) => line.startsWith("GET /docs:")));
    // A browser sends its cookies when it opens a page. The server does not look at them here.
    expect(opened).toMatch(/^GET \/docs: docket-\d+=.+, no origin$/);
    expect(others.length).toBeGreaterThan(4);
    for (const line of others) expect(line).toEndWith(": no cookie, null");
  });

  test("cannot use cookies, storage, the account area or eval, even for someone who is signed in", async () => {
    const { page } = await signedIn();
    await openReference(page);
    const attempts = [
      ["document.cookie", "SecurityError"],
      ["document.cookie = 'a=b'", "SecurityError"],
      ["localStorage", "SecurityError"],
      ["sessionStorage", "SecurityError"],
      ["caches.keys()", "SecurityError"],
      ["navigator.serviceWorker.getRegistrations()", "SecurityError"],
      ["fetch('/account', { credentials: 'include' })", "TypeError"],
      ["fetch('https://example.org/')", "TypeError"],
      // A sandboxed page must not open a window.
      ["open('/account').document", "TypeError"],
      ["eval('1')", "EvalError"],
    ] as const;
    for (const [expression, refusal] of attempts) {
      // In a timer of the page's own: code that the test evaluates directly may do what the page may not.
      const attempt = `new Promise((resolve) => setTimeout(async () => {
        try { await (${expression}); resolve("done"); } catch (error) { resolve(error.name); }
      }))`;
      expect([expression, await page.evaluate(attempt)]).toEqual([expression, refusal]);
    }
  });

  test("forgets the key when it is reloaded", async () => {
    const { page } = await openPage(browser, url);
    await openReference(page);
    await setKey(page, key);
    await page.getByText("No API key applied").waitFor({ state: "detached" });
    await openReference(page, "auth");
    expect(await page.getByText("No API key applied").count()).toBe(1);
    expect(await page.content()).not.toContain(key);
  });

  test.each(["?code=x&", "#"])("takes no key from a link: /docs%s...", async (mark) => {
    const { page, faults } = await openPage(browser, url);
    const state = btoa(JSON.stringify({ apiKeyId: "apiKey" }));
    const given = `state=${state}&token_type=Bearer&access_token=docket_live_evil`;
    await page.goto(`/docs${mark}${given}`);
    await goTo(page, "link-auth");
    // The text is there before the page has gone to its place.
    await page.waitForURL(`${url}/docs#?route=auth`);
    await page.getByText("No API key applied").waitFor();
    expect(faults).toEqual([]);
  });

  test("can be used with the keyboard alone", async () => {
    const { page, faults } = await openPage(browser, url);
    await openReference(page);
    const focused = () =>
      page.evaluate<string>(
        "document.querySelector('openapi-explorer').shadowRoot.activeElement?.id ?? ''",
      );
    const reach = async (id: string): Promise<void> => {
      for (let tabs = 0; tabs < 200 && (await focused()) !== id; tabs++)
        await page.keyboard.press("Tab");
      expect(await focused()).toBe(id);
      await page.keyboard.press("Enter");
    };
    await reach("link-get-/healthz");
    await page.locator("main").getByText("/healthz").first().waitFor();
    await reach("link-cmp--schemas-task");
    await page.locator("main").getByText("Task", { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test("has no serious accessibility problem, at any size, light and dark", async () => {
    const { page, faults } = await openPage(browser, url);
    await hurry(page);
    const found: string[] = [];
    const parts = [`post-${TASKS}`, "cmp--schemas-task"];
    for (const part of parts) {
      await openReference(page, part);
      found.push(...(await lookAt(page, `docs-${part.replaceAll("/", "-")}`)));
    }
    expect([found, faults]).toEqual([[], []]);
  });

  test("shows the result of a call on a phone", async () => {
    const { page, faults } = await openPage(browser, url);
    await hurry(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await openReference(page, "get-/api/public/v1/me");
    await page.getByPlaceholder("docket_live_").fill(key);
    await page.getByRole("button", { name: /^set$/i }).first().click();
    expect(await execute(page)).toContain("(200)");
    expect([await lookAt(page, "docs-tried"), faults]).toEqual([[], []]);
  });

  test("works over plain http in a home network, where browsers send and allow less", async () => {
    const args = ["--host-resolver-rules=MAP docket.home 127.0.0.1"];
    const atHome = await startBrowser(args);
    const { page, faults } = await openPage(atHome, url.replace("127.0.0.1", "docket.home"));
    await openReference(page);
    await setKey(page, key);
    await goTo(page, "link-get-/api/public/v1/me");
    await page.getByRole("button", { name: /^copy/i }).first().click();
    await page.getByText("Copied").first().waitFor();
    await page.getByPlaceholder("Filter").press("Control+V");
    expect(await page.getByPlaceholder("Filter").inputValue()).toContain("curl -X GET");
    await page.getByPlaceholder("Filter").fill("");
    expect(await execute(page)).toContain("(200)");
    expect(faults).toEqual([]);
    await atHome.close();
  });

  test("says so when its document cannot be loaded", async () => {
    const { page } = await openPage(browser, url);
    await page.route("**/openapi.json", (route) =>
      route.fulfill({ status: 503, headers: { "access-control-allow-origin": "*" } }),
    );
    await page.goto("/docs");
    const told =
      "The reference could not be loaded. Reload the page to try again. The server answered 503.";
    expect(await page.getByRole("alert").innerText()).toBe(told);
  });

  test("says what to read instead if scripts are off", async () => {
    const { page, faults } = await openPage(browser, url, { javaScript: false });
    await page.goto("/docs");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Docket API");
    expect(await page.locator("noscript").innerText()).toContain("has it turned off");
    for (const path of ["/llms.txt", "/openapi.json"]) {
      await page.getByRole("link", { name: path }).last().click();
      await page.waitForURL(`**${path}`);
      await page.goBack();
    }
    expect(faults).toEqual([]);
  });
});
