import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inFirefox } from "../../support/browser/firefox.ts";
import { WATCH } from "../../support/browser/pointer.ts";
import { press } from "../../support/extension/chrome.ts";
import { useFirefox } from "../../support/extension/firefox.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { taskRecord } from "../../support/extension/looks.ts";

inFirefox("In Firefox, the sidebar", () => {
  const home = useHome();
  const firefox = useFirefox();
  let panel: Page;

  beforeAll(async () => {
    await home.api("POST", "/sync", [taskRecord("norway", "Norway", null, home.web)]);
    panel = await firefox.open("panel.html", ".side-panel");
    await home.signIn({ inWorker: <T>(code: string) => panel.evaluate(code) as Promise<T> });
    await panel.evaluate(
      `browser.tabs.create({ url: "${new URL("Voss", home.web).href}", active: false })`,
    );
    await panel.waitForFunction("document.body.innerText.includes('Voss')");
    await panel.waitForSelector(".row");
  });

  const titles = async (): Promise<readonly string[]> =>
    (await home.api("GET", "/tasks/norway")).tabs.map(
      ({ title }: { readonly title: string }) => title,
    );

  test("takes an open tab onto a task by drag and drop", async () => {
    const tab = await panel.waitForSelector("xpath/.//li[.//button[text()='Voss']]");
    const row = await panel.waitForSelector("[data-row=norway]");
    const [from, to] = [await tab?.clickablePoint(), await row?.clickablePoint()];
    await panel.evaluate(WATCH);
    await panel.mouse.move(from?.x ?? 0, from?.y ?? 0);
    await panel.mouse.down();
    await panel.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 10, { steps: 4 });
    await panel.evaluate(`dragStarts.then((go) => go(${to?.x}, ${to?.y}))`);
    await panel.mouse.up();
    expect(await until(titles, (all) => all.length === 4)).toContain("Voss");
  });

  test("shows a task by keyboard alone", async () => {
    await panel.keyboard.press("j");
    await panel.waitForSelector(".row .title:focus");
    await panel.keyboard.press("o");
    await panel.waitForSelector(".panel-title");
    expect(await panel.evaluate("location.pathname + location.hash")).toBe(
      "/panel.html#/tasks/open?task=norway",
    );
    await panel.keyboard.press("Escape");
    await panel.waitForSelector(".inline-add");
  });

  test("opens by the button in the popup", async () => {
    expect(await panel.evaluate("browser.sidebarAction.isOpen({})")).toBe(false);
    const popup = await firefox.open("popup.html", ".popup-head");
    await press(popup, "Open the side panel").catch(() => {});
    await until(
      () => panel.evaluate("browser.sidebarAction.isOpen({})") as Promise<boolean>,
      (open) => open,
    );
  });

  test("has a key", async () => {
    expect(await panel.evaluate("browser.commands.getAll()")).toContainEqual(
      expect.objectContaining({ name: "_execute_sidebar_action", shortcut: "Alt+Shift+Comma" }),
    );
  });
});
