import { afterAll, beforeAll, expect, test } from "bun:test";
import { inBrowser } from "../../support/browser/browser.ts";
import { testDirectory } from "../../support/server.ts";
import { ask, storedTasks } from "../../support/extension/ask.ts";
import { type Chrome, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

inBrowser("A browser that ends and restores its session", () => {
  let home: Home;
  let chrome: Chrome;
  afterAll(async () => {
    await chrome.close();
    await home.end();
  });
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    unpack(folder);
    chrome = await startChrome(folder, profile);
    await home.signIn(chrome);
  });

  const open = async (): Promise<readonly string[]> => {
    const urls = await chrome.inWorker<readonly string[]>(
      "chrome.tabs.query({}).then((tabs) => tabs.map(({ url, pendingUrl }) => url || pendingUrl))",
    );
    return urls.filter((url) => url.startsWith(home.web.href)).toSorted();
  };
  const at = (path: string): string => new URL(path, home.web).href;

  test("opens nothing twice, and has all that was saved and all that waits", async () => {
    const page = await chrome.open("options.html");
    for (const path of ["saved-a", "saved-b", "open-a", "open-b"]) await chrome.visit(at(path));
    const tabIds = await page.evaluate(`chrome.tabs.query({}).then((tabs) => tabs
      .filter(({ url }) => url.includes("/saved-")).map(({ id }) => id))`);
    const place = { kind: "new", title: "Saved" };
    const reply = await ask<{ report: { taskId: string } }>(page, "save", {
      saved: { kind: "tabs", tabIds },
      place,
      close: true,
    });
    const request = { taskId: reply.report.taskId, names: null, where: "here" };
    await ask(page, "reopen", request);
    await home.kill();
    const saved = { kind: "link", url: at("waits"), title: null };
    await ask(page, "save", { saved, place: { kind: "inbox" }, close: false });
    const wanted = ["open-a", "open-b", "saved-a", "saved-b"].map(at);
    expect(await until(open, (urls) => urls.length === 4)).toEqual(wanted);
    // A browser restores no tab whose page it has only begun to load.
    const loading =
      "chrome.tabs.query({}).then((tabs) => tabs.filter(({ pendingUrl }) => pendingUrl))";
    await until(
      () => chrome.inWorker<readonly unknown[]>(loading),
      (tabs) => tabs.length === 0,
    );
    await chrome.close();
    await home.startAgain();
    chrome = await startChrome(folder, profile, ["--restore-last-session"]);
    expect(await until(open, (urls) => urls.length >= 4)).toEqual(wanted);
    const { tasks } = await until(
      () => home.api("GET", "/tasks"),
      (found) => found.tasks.length === 2,
    );
    expect(tasks.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      "Agent unsorted",
      "Saved",
    ]);
    const options = await chrome.open("options.html");
    expect((await storedTasks(options)).filter(({ waits }) => waits)).toEqual([]);
    // It goes on with nothing of what it did before: it names tabs by numbers that are others' now.
    await options.evaluate("chrome.alarms.create('open', { when: Date.now() })");
    await options.evaluate("chrome.alarms.create('close', { when: Date.now() })");
    await until(
      () =>
        options.evaluate(
          "chrome.alarms.getAll().then((all) => all.map(({ name }) => name).sort())",
        ) as Promise<readonly string[]>,
      (alarms) => alarms.join() === "back up,pull",
    );
    expect(await open()).toEqual(wanted);
  });
});
