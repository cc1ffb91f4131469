import { afterAll, beforeAll, expect, test } from "bun:test";
import { png } from "../../support/png.ts";
import { testDirectory } from "../../support/server.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { ask } from "../../support/extension/ask.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

const ICON = png(32, [200, 30, 30]);

/** Web pages with an icon, and how often the icon was fetched. */
const startSite = () => {
  let fetched = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      if (!url.endsWith("/icon.png"))
        return new Response("<title>Pictured</title><link rel=icon href=/icon.png>", {
          headers: { "content-type": "text/html" },
        });
      fetched += 1;
      return new Response(Buffer.from(ICON, "base64"), {
        headers: { "content-type": "image/png" },
      });
    },
  });
  return { server, url: server.url.href, host: server.url.host, fetched: () => fetched };
};

/** Whether the browser has the icon of an open page by now: Firefox with its tab, Chromium where it keeps them all. */
const hasIcon = (url: string): string => `(async () => {
  const [tab] = (await chrome.tabs.query({})).filter((one) => one.url === ${JSON.stringify(url)});
  if (location.protocol === "moz-extension:") return tab?.favIconUrl?.startsWith("data:") === true;
  const kept = async (page) => {
    const address = chrome.runtime.getURL("/_favicon/?size=32&pageUrl=" + encodeURIComponent(page));
    return (await (await fetch(address)).blob()).text();
  };
  return (await kept(${JSON.stringify(url)})) !== (await kept("http://nobody.invalid/"));
})()`;

inEachBrowser("the icons of sites", (start) => {
  let home: Home;
  let extended: Extended;
  const site = startSite();
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];
  beforeAll(async () => {
    home = await startHome(data);
    extended = await start(folder, profile);
    await extended.signIn(home);
  });
  afterAll(async () => {
    await extended.close();
    await home.end();
    await site.server.stop(true);
  });

  const kept = async (host: string): Promise<string | undefined> =>
    (await home.api("GET", `/icons?hosts=${host}`)).icons[0]?.png;

  /** Saves the tab that shows a page to the inbox. */
  const save = async (url: string): Promise<void> => {
    const open = `chrome.tabs.query({}).then((all) => all.filter((tab) => tab.url === ${JSON.stringify(url)} && tab.status === "complete").map(({ id }) => id))`;
    const tabIds = await until(
      () => extended.page.evaluate(open) as Promise<readonly number[]>,
      (ids) => ids.length === 1,
    );
    const saved = { kind: "tabs", tabIds };
    const request = { saved, place: { kind: "inbox" }, close: false };
    expect(await ask(extended.page, "save", request)).toMatchObject({ kind: "done" });
  };

  test("are taken from the browser when a tab is saved, and sent to the server once", async () => {
    const first = `${site.url}first`;
    await extended.visit(first);
    await until(
      async () => site.fetched(),
      (times) => times > 0,
    );
    // The browser keeps what it fetched a moment later.
    await until(
      () => extended.page.evaluate(hasIcon(first)) as Promise<boolean>,
      (has) => has,
    );
    await save(first);
    const sent = await until(
      () => kept(site.host),
      (found) => found !== undefined,
    );
    const bytes = Buffer.from(sent ?? "", "base64");
    expect([bytes.readUInt32BE(16), bytes.length <= 2_048]).toEqual([32, true]);
  });

  test("are not made up for a site that has none", async () => {
    const plain = new URL("Plain", home.web).href;
    await extended.visit(plain);
    await save(plain);
    await until(
      async () => (await home.api("GET", "/sync")).changes.sync_tasks[0]?.payload.pages.length,
      (pages) => pages === 2,
    );
    await Bun.sleep(500);
    expect(await kept(home.web.host)).toBeUndefined();
  });
});
