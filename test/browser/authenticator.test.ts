import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { totpCode, totpStep } from "../../src/domain/people/totp.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { secretOf } from "../support/web/authenticator-app.ts";
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

inBrowser("Ann's authenticator app", () => {
  let browser: Browser;
  let fresh: Awaited<ReturnType<typeof freshServer>>;
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  let codes: readonly string[];
  const found: string[] = [];
  const data = testDirectory();

  const look = async (name: string): Promise<void> => {
    found.push(...(await lookAt(page, name)));
  };

  const typeCode = async (code: string, button: string): Promise<void> => {
    await page.getByLabel("Code", { exact: true }).fill(code);
    await press(page, "button", button);
  };

  beforeAll(async () => {
    fresh = await freshServer([], data);
    browser = await startBrowser();
    opened = await openPage(browser, fresh.server.url);
    page = opened.page;
    await setUp(page, fresh.code);
  });

  afterAll(async () => {
    await browser.close();
    await fresh.server.stop();
  });

  test("is set up with a secret that she scans or types, and a code", async () => {
    await page.goto("/account/security");
    await look("security-app-off");
    await press(page, "button", "Set up an authenticator app");
    await look("authenticator-secret");
    const text = await page.locator("code.copy").innerText();
    const qr = page.getByRole("img", { name: "QR code of the secret below" });
    expect((await qr.boundingBox())?.width).toBeGreaterThan(150);
    await typeCode("000000", "Turn on");
    expect(await page.getByText("Wrong code.").count()).toBe(1);
    expect(await page.locator("code.copy").innerText()).toBe(text);
    await typeCode(totpCode(secretOf(text), totpStep(Date.now())), "Turn on");
    expect(await heading(page)).toBe("Your recovery codes");
    codes = (await page.locator("pre.copy").innerText()).trim().split("\n");
    expect(codes).toHaveLength(10);
    await look("authenticator-codes");
    await press(page, "link", "I have saved them");
    expect(await page.getByText("10 recovery codes left").count()).toBe(1);
    await look("security-app-on");
  });

  test("is asked for after the password, and a recovery code stands in for it", async () => {
    await press(page, "button", "Sign out");
    await page.goto("/sign-in?next=/account/confirm");
    await signIn(page);
    expect(await heading(page)).toBe("Enter your code");
    await look("sign-in-code");
    await typeCode("000000", "Continue");
    await look("sign-in-code-wrong");
    await typeCode(codes[0] ?? "", "Continue");
    expect(await heading(page)).toBe("Confirm that it is you");
    await look("confirm-code");
  });

  test("is turned off on the server's machine if she has lost it", async () => {
    const words = ["account", "second-factor", EMAIL, "off", "--data", data];
    const { out, code } = await run(fresh.binary, words);
    expect([code, out]).toEqual([0, ""]);
    await page.goto("/account");
    await signIn(page, PASSWORD);
    expect(await heading(page)).toBe("Overview");
  });

  test("no page on the way has a serious fault", () => {
    expect([found, opened.faults]).toEqual([[], []]);
  });
});
