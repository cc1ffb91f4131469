import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inFirefox } from "../../support/browser/firefox.ts";
import { ask } from "../../support/extension/ask.ts";
import { useFirefox } from "../../support/extension/firefox.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { taskRecord } from "../../support/extension/looks.ts";

inFirefox("In Firefox, the window of a task", () => {
  const home = useHome();
  const firefox = useFirefox();
  let page: Page;
  let windowId: number;

  const run = <T>(code: string) => page.evaluate(code) as Promise<T>;
  const at = (path: string): string => new URL(path, home.web).href;
  const saved = async (): Promise<readonly string[]> =>
    (await home.api("GET", "/tasks/norway")).tabs.map(({ title }: { title: string }) => title);
  const open = () =>
    run<readonly { readonly title: string; readonly discarded: boolean }[]>(
      `browser.tabs.query({ windowId: ${windowId} })`,
    );

  beforeAll(async () => {
    await home.api("POST", "/sync", [taskRecord("norway", "Norway", null, home.web)]);
    page = await firefox.open("panel.html", ".side-panel");
    await home.signIn({ inWorker: run });
    await page.waitForSelector(".row");
  });

  test("opens with the task's tabs, and they sleep", async () => {
    expect(await ask(page, "window", "norway")).toEqual({ kind: "done", report: null });
    const { windows } = await run<{ windows: readonly { windowId: number }[] }>(
      "browser.storage.session.get('windows')",
    );
    windowId = windows[0]?.windowId ?? 0;
    const tabs = await until(open, (all) => all.length === 3);
    expect(tabs.map(({ discarded }) => discarded)).toEqual([false, true, true]);
  });

  test("saves what is opened there, keeps what is closed, and opens what an agent files", async () => {
    await run(`browser.tabs.create({ windowId: ${windowId}, url: "${at("Voss")}" }).then(() => 0)`);
    await until(saved, (all) => all.includes("Voss"));
    await run("browser.tabs.query({ title: 'Voss' }).then(([{ id }]) => browser.tabs.remove(id))");
    await home.api("POST", "/tasks/norway/tabs", [{ url: at("Bodo"), title: "Bodo" }]);
    await ask(page, "sync");
    const tabs = await until(open, (all) => all.some(({ title }) => title === "Bodo"));
    expect(tabs.map(({ title }) => title)).not.toContain("Voss");
    expect(await saved()).toContain("Voss");
  });

  test("keeps everything in the task when it is closed", async () => {
    const before = await saved();
    await run(`browser.windows.remove(${windowId})`);
    await until(
      () => run<{ windows?: readonly unknown[] }>("browser.storage.session.get('windows')"),
      ({ windows = [] }) => windows.length === 0,
    );
    expect(await saved()).toEqual(before);
  });
});
