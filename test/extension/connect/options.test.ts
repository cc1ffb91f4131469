import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { ask } from "../../support/extension/ask.ts";
import { press as pressOn, useChrome } from "../../support/extension/chrome.ts";
import { PASSWORD, until, useHome } from "../../support/extension/home.ts";

inBrowser("The extension's options", () => {
  const home = useHome();
  const chrome = useChrome();
  let options: Page;
  beforeAll(async () => {
    options = await chrome.open("options.html");
    await options.waitForSelector("#address");
  });

  const type = async (text: string): Promise<void> => {
    await options.bringToFront();
    await options.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await options.type("#address", text);
  };
  const press = (name: string) => pressOn(options, name);
  const says = (text: string) =>
    until(
      () => options.$eval(".outcome", (line) => line.textContent),
      (said) => said === text,
    );
  const tests = async (address: string): Promise<void> => {
    await type(address);
    await press("Test the connection");
  };

  test("say that an address is none", async () => {
    await tests("example.org/docket");
    await says("Enter the address without “/docket”. Docket is at the root of its server.");
  });

  test("still have the address, and the name of the device, after a reload", async () => {
    await type("example.org/docket");
    await options.reload();
    const field = await options.waitForSelector("#address");
    expect(await field?.evaluate((one) => (one as HTMLInputElement).value)).toBe(
      "example.org/docket",
    );
  });

  test("say that Docket answers", async () => {
    await tests(`${home.url}/api/public/v1`);
    await says(`Docket answers at ${home.url}.`);
  });

  test("do not sign in if she closes the window, mistypes her password, or refuses", async () => {
    const closed = await signInWindow();
    await closed.close();
    await says("The window was closed before you signed in.");
    const asked = await signInWindow();
    // Chrome would close the window for a page whose status says that something is wrong.
    await asked.type("[name=email]", "ann@example.org");
    await answer(asked, "correct horse buttery", ".main");
    expect(await textOf(asked)).toContain("Wrong e-mail address or password.");
    await answer(asked, PASSWORD, ".main");
    // She has just proved who she is, for this very request.
    expect(await asked.$("[name=password]")).toBeNull();
    await asked.click("[name=decision][value=deny]");
    await says("You did not allow it, so you are not signed in.");
    expect(await chrome.inWorker("chrome.storage.local.get('connection')")).toEqual({});
  });

  test("sign in on the server's own pages", async () => {
    const asked = await signInWindow();
    await asked.waitForSelector("[name=decision][value=allow]");
    // She proved who she is a moment ago, and this is Docket's own extension.
    expect(await asked.$("[name=password]")).toBeNull();
    await asked.click("[name=decision][value=allow]");
    await says("You are signed in as ann@example.org.");
    const devices = await home.docket(["session", "list"]);
    expect(devices).toContain("Chrome on Linux, extension");
  });

  test("say that the session has ended", async () => {
    // The first sync after the sign-in would meet that before she asks.
    await ask(options, "sync");
    const devices = await home.docket(["session", "list"]);
    const line = devices.split("\n").find((one) => one.includes("extension")) ?? "";
    await home.docket(["session", "revoke", line.split(/\s+/)[0] ?? ""]);
    await press("Test the connection");
    await says(`Docket answers at ${home.url}, but your session has ended. Sign in again.`);
    await press("Sync now");
    await options.waitForFunction(() =>
      document.body.innerText.includes("Your session has ended. Sign in again."),
    );
  });

  test("sign in with a pairing code after signing out", async () => {
    await press("Sign out");
    await options.waitForSelector("#address");
    await options.click("summary");
    await type(home.url);
    await options.type("#code", "ABCD-EFGH");
    await press("Sign in with the code");
    await until(
      () => options.$eval(".outcome", (line) => line.textContent ?? ""),
      (said) => said.startsWith("This code is not valid."),
    );
    await options.$eval("#code", (field) => ((field as HTMLInputElement).value = ""));
    // As people type it.
    const typed = (await pairingCode()).toLowerCase().replaceAll("-", " ");
    await options.type("#code", typed);
    await press("Sign in with the code");
    await says("You are signed in as ann@example.org.");
  });

  test("sign in again without the password, because the server remembers the extension", async () => {
    await press("Sign out");
    await options.waitForSelector("#address");
    const asked = await signInWindow();
    await asked.waitForSelector("[name=decision][value=allow]");
    expect(await asked.$("[name=password]")).toBeNull();
    await asked.click("[name=decision][value=allow]");
    await says("You are signed in as ann@example.org.");
  });

  const signInWindow = async (): Promise<Page> => {
    await type(home.url);
    const opened = chrome.browser.waitForTarget((target) =>
      target.url().startsWith(`${home.url}/`),
    );
    await options.click(".button.main");
    const page = await (await opened).page();
    if (page === null) throw new Error("No window opened.");
    await page.waitForSelector("form");
    return page;
  };

  /** The sign-in window has left a signed-in browser behind. */
  const pairingCode = async (): Promise<string> => {
    const page = await chrome.visit(`${home.url}/account/devices`);
    await page.click("form[action$='/pair'] button");
    await page.waitForSelector(".secret code");
    const code = await page.$eval(".secret code", (shown) => shown.textContent ?? "");
    await page.close();
    return code;
  };
});

const answer = async (page: Page, password: string, button: string): Promise<void> => {
  await page.type("[name=password]", password);
  await Promise.all([page.waitForNavigation(), page.click(button)]);
};

const textOf = (page: Page): Promise<string> => page.$eval("main", (main) => main.innerText);
