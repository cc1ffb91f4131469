import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import { buildBinary, type Running, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";

const EMAIL = "ann@example.org";
const PASSWORD = "a horse, a battery and a staple";

/** Adds one of Chromium's virtual authenticators. Its user always passes the fingerprint check. */
const addDevice = async (cdp: CDPSession): Promise<string> => {
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  return (await cdp.send("WebAuthn.addVirtualAuthenticator", { options })).authenticatorId;
};

inBrowser("Ann with a passkey", () => {
  const data = testDirectory();
  let server: Running;
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  let cdp: CDPSession;
  let device: string;
  let url: string;

  const press = async (role: "button" | "link", name: string): Promise<void> => {
    const target = page.getByRole(role, { name, exact: true });
    await Promise.all([page.waitForEvent("load"), target.click()]);
  };

  const at = (): string => page.url().slice(url.length);

  /** Sets whether the device recognises its user's finger. */
  const setVerified = (isUserVerified: boolean) =>
    cdp.send("WebAuthn.setUserVerified", { authenticatorId: device, isUserVerified });

  beforeAll(async () => {
    const binary = await buildBinary();
    const words = ["account", "add", EMAIL, "--password-stdin", "--data", data];
    await run(binary, words, { input: PASSWORD });
    server = await serve(binary, ["--data", data, "--log", "off"]);
    url = server.url.replace("127.0.0.1", "localhost");
    browser = await startBrowser();
    opened = await openPage(browser, url);
    page = opened.page;
    cdp = await opened.context.newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    device = await addDevice(cdp);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("creates it under Security, with a name of her own", async () => {
    await page.goto("/sign-in?next=/account/security");
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await press("button", "Sign in");
    const name = page.getByLabel("Name", { exact: true });
    expect(await name.inputValue()).toBe("Chrome on Linux");
    await name.fill("my laptop");
    await press("button", "Create a passkey");
    expect(at()).toBe("/account/security?done=passkey-made");
    const row = page.getByRole("row").filter({ hasText: "my laptop" });
    expect(await row.innerText()).toContain("localhost");
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: device });
    expect(
      credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId]),
    ).toEqual([[true, "localhost"]]);
    expect(await lookAt(page, "security-passkey")).toEqual([]);
  });

  test("is told that the device already has one", async () => {
    await page.getByRole("button", { name: "Create a passkey" }).click();
    const told = page.getByText("already has a passkey for this account");
    await told.waitFor();
    expect(await page.getByRole("button", { name: "Create a passkey" }).isEnabled()).toBe(true);
  });

  test("signs in with it, typing nothing, and continues to the page she wanted", async () => {
    await press("button", "Sign out");
    await page.goto("/account/keys");
    expect(at()).toBe("/sign-in?next=%2Faccount%2Fkeys");
    expect(await lookAt(page, "sign-in-passkey")).toEqual([]);
    await press("button", "Sign in with a passkey");
    expect(at()).toBe("/account/keys");
    await page.goto("/account/security");
    const here = page.getByRole("row").filter({ hasText: "this browser" });
    expect(await here.innerText()).toContain("passkey");
  });

  test("confirms her identity with it", async () => {
    await page.goto("/account/confirm?next=/account/security");
    await press("button", "Use a passkey");
    expect(at()).toBe("/account/security");
  });

  test("cannot sign in with the wrong finger, and is told so", async () => {
    await press("button", "Sign out");
    await setVerified(false);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("This was cancelled or took too long. Nothing was changed.").waitFor();
    expect(at()).toStartWith("/sign-in");
    await setVerified(true);
    await press("button", "Sign in with a passkey");
    expect(at()).toBe("/tasks");
  });

  test("removes it, and can no longer sign in with it, although the device still has it", async () => {
    await page.goto("/account/security");
    page.once("dialog", (dialog) => void dialog.accept());
    await press("button", "Remove my laptop");
    expect(at()).toBe("/account/security?done=passkey-removed");
    await press("button", "Sign out");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    const told = page.getByText(
      "This passkey did not sign you in. Try again, or use your password.",
    );
    await told.waitFor();
    expect(at()).toStartWith("/sign-in");
  });

  test("is sent from the IP address to an address where passkeys work", async () => {
    await page.goto(`${server.url}/sign-in?next=/account/keys`);
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
    await press("link", url);
    expect(at()).toBe("/sign-in?next=%2Faccount%2Fkeys");
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).isVisible()).toBe(
      true,
    );
  });

  test("meets no error on the way", () => {
    const elsewhere = `elsewhere: ${server.url}/`;
    expect(opened.faults.filter((fault) => !fault.startsWith(elsewhere))).toEqual([]);
  });
});
