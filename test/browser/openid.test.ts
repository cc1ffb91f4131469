import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { buildBinary, type Running, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { startProvider } from "../support/web/provider.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";

const EMAIL = "ann@example.org";
const PASSWORD = "a horse, a battery and a staple";

const provider = await startProvider();
const { issuer, clientId, clientSecret } = provider.settings;

inBrowser.each([
  ["with script", true],
  ["without script", false],
] as const)("Ann with an OpenID identity, in a browser %s,", (_name, javaScript) => {
  const data = testDirectory();
  let server: Running;
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  let url: string;

  const press = async (role: "button" | "link", name: string): Promise<void> => {
    const target = page.getByRole(role, { name, exact: true });
    await Promise.all([page.waitForEvent("load"), target.click()]);
  };

  const at = (): string => page.url().slice(url.length);

  beforeAll(async () => {
    const binary = await buildBinary();
    const words = ["account", "add", EMAIL, "--password-stdin", "--data", data];
    await run(binary, words, { input: PASSWORD });
    const openId = ["--oidc-issuer", issuer.href, "--oidc-client-id", clientId];
    server = await serve(binary, ["--data", data, "--log", "off", ...openId], {
      env: { DOCKET_OIDC_CLIENT_SECRET: clientSecret },
    });
    // On a different site from the provider, as in real life.
    url = server.url.replace("127.0.0.1", "localhost");
    provider.serve(url);
    browser = await startBrowser();
    opened = await openPage(browser, url, { javaScript, statuses: [403, 422] });
    page = opened.page;
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("is not signed in before linking, and is told how to link", async () => {
    provider.expect({ subject: "ann.there" });
    await page.goto("/account/keys");
    await press("link", `Sign in with ${issuer.host}`);
    expect(at()).toStartWith("/sign-in/openid/callback?");
    expect(await page.getByText("no account on this server is linked").isVisible()).toBe(true);
    if (javaScript) expect(await lookAt(page, "openid-unlinked")).toEqual([]);
    await press("link", "Go back to try again or another way");
    expect(at()).toBe("/sign-in?next=%2Faccount%2Fkeys");
  });

  test("links the identity under Security, after seeing which one it is", async () => {
    await page.goto("/sign-in?next=/account/security");
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await press("button", "Sign in");
    await press("link", `Link an identity from ${issuer.host}`);
    expect(at()).toStartWith("/account/openid/found?");
    expect(await page.locator("strong").innerText()).toBe("ann.there there");
    if (javaScript) expect(await lookAt(page, "openid-found")).toEqual([]);
    await press("button", "Link identity");
    expect(at()).toBe("/account/security?done=linked");
    if (javaScript) expect(await lookAt(page, "security-openid")).toEqual([]);
  });

  test("signs in with it, and continues to the page she wanted", async () => {
    await press("button", "Sign out");
    await page.goto("/account/devices");
    await press("link", `Sign in with ${issuer.host}`);
    expect(at()).toBe("/account/devices");
    await page.goto("/account/security");
    const here = page.getByRole("row").filter({ hasText: "this browser" });
    expect(await here.innerText()).toContain("OpenID");
  });

  test("confirms her identity with it, which a silent sign-in at the provider did not", async () => {
    await page.goto("/account/keys/new");
    expect(await page.getByLabel("Confirm with your password").count()).toBe(1);
    await page.goto("/account/confirm?next=/account/keys/new");
    if (javaScript) expect(await lookAt(page, "confirm-openid")).toEqual([]);
    await press("link", `Sign in again with ${issuer.host}`);
    expect(at()).toBe("/account/keys/new");
    expect(await page.getByLabel("Confirm with your password").count()).toBe(0);
  });

  test("unlinks it", async () => {
    await page.goto("/account/security");
    page.once("dialog", (dialog) => void dialog.accept());
    await press("button", "Unlink ann.there there");
    expect(at()).toBe("/account/security?done=unlinked");
  });

  test("meets no error on the way, and sends no request except to the provider", () => {
    const there = `elsewhere: ${issuer.origin}/`;
    expect(opened.faults.filter((fault) => !fault.startsWith(there))).toEqual([]);
  });
});
