import { afterAll, beforeAll, expect, test } from "bun:test";
import { times } from "../../support/random.ts";
import { testDirectory } from "../../support/server.ts";
import { ask } from "../../support/extension/ask.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

const MANY = times(100);

inEachBrowser(`${MANY} tabs at once`, (start) => {
  let home: Home;
  let browser: Extended;
  afterAll(async () => {
    // Firefox takes minutes to end with some hundreds of tabs.
    await browser.page.evaluate(`${IDS}.then((ids) => chrome.tabs.remove(ids)).then(() => null)`);
    await browser.close();
    await home.end();
  });
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    browser = await start(folder, profile);
    await browser.signIn(home);
    const isFirefox = "discarded: true, title: String(at)";
    await browser.page.evaluate(`(async () => {
      const isFirefox = location.protocol === "moz-extension:";
      for (let at = 0; at < ${MANY}; at += 1)
        await chrome.tabs.create({
          url: "${home.web.href}many-" + at, active: false, ...(isFirefox ? { ${isFirefox} } : {}) });
    })()`);
  });

  const open = async (): Promise<readonly string[]> => {
    const urls = (await browser.page.evaluate(OPEN)) as readonly string[];
    return urls.filter((url) => url.includes("/many-"));
  };

  test("are saved and closed, arrive, and open again, each once", async () => {
    const before = await open();
    expect(new Set(before).size).toBe(MANY);
    const reply = await ask<{ report: { taskId: string } }>(browser.page, "save", {
      saved: { kind: "tabs", tabIds: await browser.page.evaluate(IDS) },
      place: { kind: "new", title: "Many" },
      close: true,
    });
    expect(reply).toMatchObject({
      kind: "done",
      report: { label: `${MANY} tabs saved to “Many”` },
    });
    expect(await until(open, (urls) => urls.length === 0)).toEqual([]);
    await ask(browser.page, "sync");
    const { tasks } = await home.api("GET", "/tasks");
    expect(tasks).toMatchObject([{ title: "Many", tab_count: MANY }]);
    const request = { taskId: reply.report.taskId, names: null, where: "here" };
    expect(await ask(browser.page, "reopen", request)).toMatchObject({
      kind: "done",
      report: { opened: MANY, refused: [] },
    });
    expect((await open()).toSorted()).toEqual(before.toSorted());
  });
});

const OPEN =
  "chrome.tabs.query({}).then((tabs) => tabs.map(({ url, pendingUrl }) => url || pendingUrl))";

const IDS = `chrome.tabs.query({}).then((tabs) => tabs
  .filter(({ url, pendingUrl }) => (url || pendingUrl).includes("/many-")).map(({ id }) => id))`;
