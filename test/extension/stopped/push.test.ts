import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inBrowser } from "../../support/browser/browser.ts";
import { ask, saveLink } from "../../support/extension/ask.ts";
import { useChrome } from "../../support/extension/chrome.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { until, useHome } from "../../support/extension/home.ts";

inBrowser("When the browser stops the extension's worker", () => {
  const home = useHome();
  let gate: Gate;
  const chrome = useChrome();
  /** A page of the extension that is always open: with it, the test can wake the worker. */
  let options: Page;
  afterAll(() => gate.stop());
  beforeAll(async () => {
    gate = startGate(home.url);
    options = await chrome.open("options.html");
    await home.signIn(chrome, gate.url);
    await until(
      () => chrome.inWorker<unknown>("chrome.alarms.get('pull')"),
      (alarm) => alarm !== undefined && alarm !== null,
    );
  });

  /** Saves a link. Resolves when the extension says that it is saved. */
  const save = async (path: string): Promise<void> => {
    const reply = await saveLink(options, new URL(path, home.web).href);
    expect(reply).toMatchObject({
      kind: "done",
      report: { label: "1 tab saved to “Inbox”", refused: [] },
    });
  };
  /** The alarms of the sync. */
  const alarms = () =>
    chrome.inWorker<readonly { readonly name: string }[]>(
      "chrome.alarms.getAll().then((all) => all.filter(({ name }) => name !== 'back up'))",
    );
  const urlsOnServer = async (): Promise<readonly string[]> => {
    const { changes } = await home.api("GET", "/sync");
    const pages = changes.sync_tasks.flatMap(
      ({ payload }: { payload: { pages: unknown } }) => payload.pages,
    );
    return pages.map(({ url }: { url: string }) => new URL(url).pathname);
  };
  /** As the alarm does within a minute. */
  const ring = () => options.evaluate("chrome.alarms.create('push', { when: Date.now() })");

  test("between the store and the server, what was saved arrives after it is woken, once", async () => {
    gate.close();
    await save("before-the-push");
    await gate.arrived();
    expect((await alarms()).map(({ name }) => name)).toContain("push");
    await chrome.stopWorker();
    gate.open();
    expect(await urlsOnServer()).toEqual([]);
    await ring();
    await until(urlsOnServer, (urls) => urls.length > 0);
    expect(await urlsOnServer()).toEqual(["/before-the-push"]);
  });

  test("between the server and its reply, what was saved is there once", async () => {
    gate.holdReplies();
    await save("after-the-push");
    await gate.arrived();
    await until(urlsOnServer, (urls) => urls.includes("/after-the-push"));
    await chrome.stopWorker();
    gate.open();
    await ring();
    await save("next");
    await until(urlsOnServer, (urls) => urls.includes("/next"));
    expect(await urlsOnServer()).toEqual(["/before-the-push", "/after-the-push", "/next"]);
  });

  test("while the server is away, everything waits, and nothing else is lost", async () => {
    await home.kill();
    await save("away-1");
    await save("away-2");
    await chrome.stopWorker();
    await home.startAgain();
    await ring();
    await until(urlsOnServer, (urls) => urls.length === 5);
    expect((await urlsOnServer()).slice(3)).toEqual(["/away-1", "/away-2"]);
  });

  test("while the server asks to be left alone, alarms obey, and a person does not have to", async () => {
    gate.answer(503, '{"error":"Busy."}', { "retry-after": "600" });
    await save("busy");
    await until(
      () => chrome.inWorker<object>("chrome.storage.session.get('rest until')"),
      (noted) => "rest until" in noted,
    );
    await chrome.stopWorker();
    // Only now: the save and the round before it may both have been on their way.
    const before = gate.answered();
    await ring();
    await until(alarms, (found) => !found.some(({ name }) => name === "push"));
    await Bun.sleep(1_000);
    expect(gate.answered()).toBe(before);
    gate.open();
    await ask(options, "sync");
    await until(urlsOnServer, (urls) => urls.includes("/busy"));
  });

  test("and when nothing waits, no alarm runs but the one that asks for news", async () => {
    const names = await until(alarms, (found) => found.length === 1);
    expect(names.map(({ name }) => name)).toEqual(["pull"]);
  });
});
