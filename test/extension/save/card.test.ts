import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";

const reads = async (popup: Page, selector: string): Promise<string> => {
  const found = await popup.waitForSelector(selector);
  return (await found?.evaluate((one) => one.textContent?.trim())) ?? "";
};

inBrowser("The popup", () => {
  const home = useHome();
  const chrome = useChrome();
  const at = (path: string): string => new URL(path, home.web).href;

  beforeAll(async () => {
    await home.api("POST", "/tasks", { title: "Fjords of old", status: "done" });
    await home.signIn(chrome);
    for (const name of ["Oslo", "Bergen", "Voss"]) await chrome.visit(at(name));
  });

  const titlesIn = async (title: string): Promise<readonly string[]> => {
    const { tasks } = await home.api("GET", "/tasks?closed=true");
    const task = tasks.find((one: { readonly title: string }) => one.title === title);
    const found = task && (await home.api("GET", `/tasks/${task.id}`));
    return (found?.tabs ?? []).map((tab: { readonly title: string }) => tab.title).toSorted();
  };

  test("shows the page, and saves it by its button", async () => {
    const popup = await chrome.popup();
    expect(await reads(popup, ".page-card b")).toBe("Voss");
    expect(await reads(popup, ".choose")).toBe("Save 1 tab");
    await press(popup, "Save 1 tab");
    expect(await reads(popup, ".notice > span")).toBe("1 tab saved to “Inbox”");
    await popup.close();
  });

  test("lists the window's tabs, and saves those that are ticked, into a done task too", async () => {
    const popup = await chrome.popup();
    await popup.click("input[name=what][value=window]");
    await popup.waitForSelector(".tabs-to-save li");
    const box = await popup.waitForSelector("xpath/.//li[contains(., 'Bergen')]//input");
    await box?.click();
    expect(await reads(popup, ".choose")).toBe("Save 2 tabs");
    // The tick box has the focus. What is typed goes to the field.
    await popup.keyboard.type("fjords of");
    expect(await popup.$eval(".chooser input", (one) => (one as HTMLInputElement).value)).toBe(
      "fjords of",
    );
    await popup.keyboard.press("Enter");
    expect(
      await until(
        () => titlesIn("Fjords of old"),
        (all) => all.length > 0,
      ),
    ).toEqual(["Oslo", "Voss"]);
    await popup.close();
  });

  test("opens the tabs of a done task, once it is searched for", async () => {
    const popup = await chrome.popup();
    await press(popup, "Open");
    await popup.waitForSelector("input[placeholder='Find a task']");
    await popup.type(".chooser input", "fjords");
    await popup.waitForSelector("[role=option]");
    await popup.keyboard.press("Enter");
    expect(await reads(popup, ".task-head h1")).toBe("Fjords of old");
    expect(await popup.$$eval(".tabs-to-open .favicon", (all) => all.length)).toBe(2);
    await popup.close();
  });
});
