import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { extension, postForm, TOKEN } from "../support/extension.ts";
import type { Running } from "../support/program.ts";
import { send } from "../support/server.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";
import { freshServer, heading, press, setUp, signIn } from "../support/browser/person.ts";

inBrowser.each([
  ["with script", true],
  ["without script", false],
] as const)("An extension whose user is in a browser %s", (_name, javaScript) => {
  let browser: Browser;
  let server: Running;
  let elsewhere: Bun.Server<undefined>;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    elsewhere = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
    const fresh = await freshServer(["--extension-redirects", `${elsewhere.url.href}back`]);
    server = fresh.server;
    browser = await startBrowser();
    const also = [elsewhere.url.origin];
    ({ page, faults } = await openPage(browser, server.url, { javaScript, also }));
    await setUp(page, fresh.code);
    await press(page, "button", "Sign out");
  });

  afterAll(async () => {
    await browser.close();
    await server.stop();
    await elsewhere.stop(true);
  });

  const syncs = async (token: string): Promise<number> =>
    (await send("GET", `${server.url}/api/public/v1/sync`, { token })).status;

  test("gets a session that syncs, through consent and PKCE", async () => {
    const asker = extension(server, `${elsewhere.url.href}back`);
    await page.goto(asker.address({ device_name: "desk" }));
    await signIn(page);
    expect(await heading(page)).toBe("Sign in the extension");
    if (javaScript) expect(await lookAt(page, "consent")).toEqual([]);
    expect(await page.getByLabel("Name of this device").inputValue()).toBe("desk");
    await press(page, "button", "Allow");
    const answer = Object.fromEntries(new URL(page.url()).searchParams);
    expect(answer).toEqual({
      code: expect.stringMatching(/^docket_code_/),
      state: asker.state,
      iss: server.url,
    });
    const reply = await asker.exchange(answer["code"] ?? "");
    expect([reply.status, reply.json]).toEqual([200, TOKEN(expect.any(String))]);
    expect(await syncs(reply.json.access_token)).toBe(200);
    await page.goto("/account/devices");
    expect(await page.getByRole("row", { name: "desk" }).count()).toBe(1);
  });

  test("is told when its user refuses", async () => {
    const asker = extension(server, `${elsewhere.url.href}back`);
    await page.goto(asker.address());
    await press(page, "button", "Cancel");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      error: "access_denied",
      state: asker.state,
    });
  });

  test("gets a session that syncs through a pairing code that its user enters", async () => {
    await page.goto("/account/devices");
    await press(page, "button", "Create a pairing code");
    if (javaScript) expect(await lookAt(page, "pairing")).toEqual([]);
    const code = await page.locator(".secret code.copy").innerText();
    const form = {
      grant_type: "urn:docket:pairing",
      client_id: "docket-extension",
      code: code.toLowerCase().replaceAll("-", " "),
      device_name: "shelf",
    };
    const reply = await postForm(server, "/oauth/token", form);
    expect([reply.status, reply.json]).toEqual([200, TOKEN(expect.any(String))]);
    expect(await syncs(reply.json.access_token)).toBe(200);
    await page.goto("/account/devices");
    expect(await page.getByRole("row", { name: "shelf" }).count()).toBe(1);
  });

  test("sends no request elsewhere except to its own address, and nothing fails on the way", () => {
    expect(faults).toEqual([]);
  });
});
