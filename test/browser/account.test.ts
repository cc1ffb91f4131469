import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Running, run } from "../support/program.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";
import {
  EMAIL,
  freshServer,
  heading,
  PASSWORD,
  press,
  setUp,
  signIn,
} from "../support/browser/person.ts";

/** Presses the first Copy button. Returns the text that it copied. */
const copied = async (context: BrowserContext, page: Page): Promise<string> => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByText("Copied").first().waitFor();
  return page.evaluate<string>("navigator.clipboard.readText()");
};

/** These tests first use the key as a person would: with curl. */
const withCurl = Bun.which("curl") === null ? describe.skip : inBrowser;

withCurl.each([
  ["with script", true],
  ["without script", false],
] as const)("Ann in a browser %s", (_name, javaScript) => {
  let browser: Browser;
  let fresh: Awaited<ReturnType<typeof freshServer>>;
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  let server: Running;

  beforeAll(async () => {
    fresh = await freshServer();
    server = fresh.server;
    browser = await startBrowser();
    opened = await openPage(browser, server.url, { javaScript });
    page = opened.page;
  });

  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test("sets up the server with the link that it printed", async () => {
    await page.goto("/setup#AAAA");
    // The browser stays on the page that is open, because only the fragment differs.
    await page.evaluate((link) => location.assign(link), `/setup#${fresh.code}`);
    const code = page.getByLabel("Setup code");
    expect(await code.inputValue()).toBe(javaScript ? fresh.code : "");
    expect(page.url()).toBe(`${server.url}/setup${javaScript ? "" : `#${fresh.code}`}`);
    if (!javaScript) await code.fill(fresh.code.toLowerCase().replaceAll("-", " "));
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("New password").fill("short");
    await press(page, "button", "Create account");
    expect(await page.getByText("The password must have at least 8 characters").count()).toBe(1);
    expect(await page.getByLabel("E-mail").inputValue()).toBe(EMAIL);
    await page.getByLabel("New password").fill(PASSWORD);
    await press(page, "button", "Create account");
    expect(page.url()).toBe(`${server.url}/tasks`);
    await page.goto("/account");
    expect(await heading(page)).toBe("Overview");
    expect(page.url()).not.toContain(fresh.code);
  });

  test("signs out, is told that a password is wrong, and signs in", async () => {
    await press(page, "button", "Sign out");
    expect(await heading(page)).toBe("Sign in");
    await page.goto("/account/keys");
    await signIn(page, "not the password");
    expect(await page.getByRole("alert").innerText()).toBe("Wrong e-mail address or password.");
    await signIn(page);
    expect(await heading(page)).toBe("API keys");
  });

  test("creates a key, which works, appears in the activity, and is refused once it is revoked", async () => {
    await press(page, "link", "API keys");
    await press(page, "link", "New key");
    await press(page, "button", "Create key");
    // The field that is wrong has the focus, so that it is in view.
    const focused = page.locator("input:focus");
    expect(await focused.getAttribute("name")).toBe("name");
    await page.getByLabel("Name").fill("helper");
    await page.getByLabel("Write", { exact: false }).check();
    await press(page, "button", "Create key");
    const key = (await page.locator(".secret code.copy").first().innerText()).trim();
    expect(key).toMatch(/^docket_live_[0-9A-Za-z]{38}$/);
    if (javaScript) expect(await copied(opened.context, page)).toBe(key);
    const curl = async (...words: readonly string[]) =>
      (
        await run(
          ["curl", "-sS", "-H", `Authorization: Bearer ${key}`],
          [...words, "-w", " %{http_code}"],
        )
      ).out;
    const api = `${server.url}/api/public/v1`;
    expect(await curl(`${api}/me`)).toEndWith(" 200");
    const tabs = ["-H", "Content-Type: application/json", "-d", '[{"url":"https://a.example/"}]'];
    expect(await curl(`${api}/inbox/tabs`, ...tabs)).toEndWith(" 201");
    expect(await curl(`${api}/tasks/x`, "-X", "DELETE")).toEndWith(" 405");

    await press(page, "link", "Activity");
    const listed = await page.getByRole("row").allInnerTexts();
    expect(listed.filter((row) => row.includes("helper"))).toHaveLength(3);
    expect(listed.some((row) => /refused/i.test(row) && row.includes("DELETE"))).toBe(true);
    await press(page, "link", "Agent unsorted");
    expect(await page.getByRole("link", { name: "https://a.example/" }).count()).toBe(1);

    await press(page, "link", "API keys");
    await page.getByLabel("Actions for helper").click();
    page.once("dialog", (dialog) => void dialog.accept());
    await press(page, "button", "Revoke");
    expect(await curl(`${api}/me`)).toEndWith(" 401");
  });

  test("sends no request elsewhere, and nothing fails on the way", () => {
    expect(opened.faults).toEqual([]);
  });
});

inBrowser("The pages", () => {
  let browser: Browser;
  let fresh: Awaited<ReturnType<typeof freshServer>>;

  beforeAll(async () => {
    fresh = await freshServer(["--allowed-hosts", "docket.home"]);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await fresh.server.stop();
  });

  test("work over plain http in a home network, where browsers send fewer headers", async () => {
    const atHome = await startBrowser(["--host-resolver-rules=MAP docket.home 127.0.0.1"]);
    const url = fresh.server.url.replace("127.0.0.1", "docket.home");
    const { page, faults } = await openPage(atHome, url);
    await setUp(page, fresh.code);
    expect([await heading(page), faults]).toEqual(["Overview", []]);
    await atHome.close();
  });

  test("have no serious accessibility problem, at any size, light and dark", async () => {
    const { page, faults } = await openPage(browser, fresh.server.url);
    const found: string[] = [];
    const look = async (name: string, path: string): Promise<void> => {
      await page.goto(path);
      found.push(...(await lookAt(page, name)));
    };
    await look("setup-done", "/setup");
    await look("invitation", "/invitation");
    await look("sign-in", "/sign-in?next=/account");
    await signIn(page, "not the password");
    found.push(...(await lookAt(page, "sign-in-wrong")));
    await signIn(page);
    for (const place of [
      "",
      "/keys",
      "/keys/new",
      "/activity",
      "/deleted",
      "/devices",
      "/security",
      "/email",
      "/delete",
      "/confirm",
    ])
      await look(`account${place.replace("/", "-")}`, `/account${place}`);
    expect([found, faults]).toEqual([[], []]);
  });
});
