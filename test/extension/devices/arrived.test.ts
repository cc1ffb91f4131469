import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { ask } from "../../support/extension/ask.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { until, useHome } from "../../support/extension/home.ts";

inBrowser("A tab that was sent to this device", () => {
  const home = useHome();
  const chrome = useChrome();
  let page: Page;
  beforeAll(async () => {
    const updated_at = new Date().toISOString();
    const payload = { title: "Sent to Desk", status: "todo", tags: ["device:Desk"], pages: [] };
    const record = { table: "sync_tasks", id: "desk", updated_at, deleted_at: null, payload };
    await home.api("POST", "/sync", [record]);
    await home.signIn(chrome);
    await chrome.inWorker(`chrome.storage.local.set({ device: "Desk" })`);
    page = await chrome.open("options.html");
  });

  const at = (path: string): string => new URL(path, home.web).href;
  const send = async (path: string): Promise<void> => {
    await home.agent("POST", "/tasks/desk/tabs", [{ url: at(path) }]);
    await ask(page, "sync");
  };
  const waiting = async (): Promise<readonly string[]> =>
    (await home.api("GET", "/tasks/desk")).tabs.map(({ url }: { url: string }) => url);
  const opened = async (path: string): Promise<number> =>
    (await chrome.inWorker<readonly string[]>(OPEN)).filter((url) => url === at(path)).length;
  const ONE = { kind: "done", report: { opened: 1, refused: [] } };

  test("is looked for every two minutes; without a name, news is fetched every 15", async () => {
    const minutes = async (): Promise<number | undefined> => {
      await ask(page, "sync");
      return chrome.inWorker(`chrome.alarms.get("pull").then((alarm) => alarm?.periodInMinutes)`);
    };
    expect(await minutes()).toBe(2);
    await chrome.inWorker(`chrome.storage.local.remove("device")`);
    expect(await minutes()).toBe(15);
    await chrome.inWorker(`chrome.storage.local.set({ device: "Desk" })`);
    expect(await minutes()).toBe(2);
  });

  test("opens once, however often the page asks, and leaves its task", async () => {
    await send("Oslo");
    const key = crypto.randomUUID();
    for (let asked = 0; asked < 2; asked += 1)
      expect(await ask(page, "open-arrived", null, key)).toEqual(ONE);
    await until(waiting, (left) => left.length === 0);
    expect(await opened("Oslo")).toBe(1);
  });

  test("stays there if it comes while the page asks again, until it is opened", async () => {
    const key = crypto.randomUUID();
    await send("Bergen");
    expect(await ask(page, "open-arrived", null, key)).toEqual(ONE);
    await until(waiting, (left) => left.length === 0);
    await send("Voss");
    expect(await ask(page, "open-arrived", null, key)).toEqual(ONE);
    await ask(page, "sync");
    expect(await waiting()).toEqual([at("Voss")]);
    expect(await opened("Voss")).toBe(0);
    expect(await ask(page, "open-arrived")).toEqual(ONE);
    await until(waiting, (left) => left.length === 0);
    expect(await opened("Voss")).toBe(1);
  });

  test("goes back into its task if she undoes that, once, and stays open", async () => {
    await send("Rome");
    const popup = await chrome.open("popup.html");
    await popup.waitForSelector(".arrived");
    await press(popup, "Open here");
    await until(waiting, (left) => left.length === 0);
    expect(await opened("Rome")).toBe(1);
    await popup.bringToFront();
    await press(popup, "Undo");
    await until(waiting, (left) => left.length === 1);
    expect(await waiting()).toEqual([at("Rome")]);
    expect(await ask(page, "put-back")).toEqual({ kind: "done", report: null });
    expect(await opened("Rome")).toBe(1);
    await popup.close();
    await ask(page, "open-arrived");
    await until(waiting, (left) => left.length === 0);
  });

  test("is said to be an agent's if it is in an agent's task, and hides no other one", async () => {
    await home.api("POST", "/tasks/desk/tabs", [{ url: at("Naples") }]);
    const made = await home.agent("POST", "/tasks", {
      title: "Look here",
      tags: ["Device:DESK"],
      tabs: [{ url: at("Bari") }],
    });
    await home.api("POST", `/tasks/${made.id}/tabs`, [{ url: at("Lecce") }]);
    await ask(page, "sync");
    const popup = await chrome.open("popup.html");
    await popup.waitForSelector(".arrived .soft");
    expect(await popup.$$eval(".arrived span", (all) => all.map((one) => one.textContent))).toEqual(
      ["3 tabs were sent here", "2 by an agent: helper"],
    );
    expect(await popup.evaluate("document.body.innerText")).not.toContain("Send to Desk");
    await popup.close();
    expect(await ask(page, "open-arrived")).toEqual({
      kind: "done",
      report: { opened: 3, refused: [] },
    });
    for (const path of ["Naples", "Bari", "Lecce"]) expect(await opened(path)).toBe(1);
    await until(waiting, (left) => left.length === 0);
    await until(
      () => home.api("GET", `/tasks/${made.id}`),
      ({ tab_count: left }) => left === 0,
    );
  });

  test("opens once if two pages ask at the same moment", async () => {
    await send("Flam");
    const replies = await Promise.all([ask(page, "open-arrived"), ask(page, "open-arrived")]);
    expect(replies).toContainEqual(ONE);
    expect(replies).toContainEqual({ kind: "failed", problem: "Nothing was sent here." });
    expect(await opened("Flam")).toBe(1);
  });
});

const OPEN =
  "chrome.tabs.query({}).then((tabs) => tabs.map(({ url, pendingUrl }) => pendingUrl || url))";
