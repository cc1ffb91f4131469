import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { testDirectory } from "../../support/server.ts";
import { ask } from "../../support/extension/ask.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { type Home, startHome } from "../../support/extension/home.ts";

type Tab = { readonly id: number; readonly url: string; readonly pendingUrl?: string };

/** The smallest document that a PDF viewer opens. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>`;

inEachBrowser("of the pages that are no web pages", (start) => {
  let home: Home;
  let browser: Extended;
  const web = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(PDF, { headers: { "content-type": "application/pdf" } }),
  });
  afterAll(async () => {
    await browser.close();
    await home.end();
    await web.stop(true);
  });
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    await Bun.write(join(data, "plan.html"), "<title>Plan</title>");
    home = await startHome(join(data, "home"));
    browser = await start(folder, profile);
    await browser.visit(`file://${join(data, "plan.html")}`);
    await browser.visit(browser.ownPage);
    await browser.visit(new URL("plan.pdf", web.url).href);
  });

  const tabs = async (): Promise<readonly Tab[]> =>
    (await browser.page.evaluate("chrome.tabs.query({})")) as readonly Tab[];

  test("each is named with the reason, the others are saved, and none of them is closed", async () => {
    const open = await tabs();
    const reply = await ask<{ report: { refused: readonly string[]; label: string } }>(
      browser.page,
      "save",
      {
        saved: { kind: "tabs", tabIds: open.map(({ id }) => id) },
        place: { kind: "new", title: "All" },
        close: true,
      },
    );
    // The viewer's page has the document's own address.
    expect(reply).toMatchObject({ report: { label: "1 tab saved to “All”" } });
    const { refused } = reply.report;
    expect(refused).toHaveLength(open.length - 1);
    expect(refused.filter((one) => one.includes("it is a file on this computer"))).toHaveLength(1);
    expect(refused.filter((one) => one.includes("it is a page of the browser"))).toHaveLength(
      open.length - 2,
    );
    const left = await tabs();
    expect(left.map(({ id }) => id)).toEqual(
      open.filter(({ url }) => !url.endsWith("plan.pdf")).map(({ id }) => id),
    );
  });

  test("a task that has only such pages says why none opens", async () => {
    await browser.signIn(home);
    const pages = [
      { id: "a", url: "file:///a", title: "A file" },
      { id: "b", url: "chrome://settings/", title: "Settings" },
    ];
    const payload = { title: "Not on the web", status: "todo", pages, notes: [] };
    const updated_at = new Date().toISOString();
    const record = { table: "sync_tasks", id: "t", updated_at, deleted_at: null, payload };
    await home.api("POST", "/sync", [record]);
    await ask(browser.page, "sync");
    const reply = await ask(browser.page, "reopen", { taskId: "t", names: null, where: "here" });
    expect(reply).toEqual({
      kind: "failed",
      problem: "“A file” was not opened: file:///a is not a web address.",
    });
  });

  test("the extension does not run in private windows", async () => {
    expect(await browser.page.evaluate("chrome.extension.isAllowedIncognitoAccess()")).toBe(false);
    expect(await browser.page.evaluate("chrome.runtime.getManifest().incognito")).toBe(
      "not_allowed",
    );
  });
});
