import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { testDirectory } from "../../support/server.ts";
import { saveLink } from "../../support/extension/ask.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { press } from "../../support/extension/chrome.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

inEachBrowser("the file that the options export", (start) => {
  let home: Home;
  let browser: Extended;
  afterAll(async () => {
    await browser.close();
    await home.end();
  });
  const [data, folder, profile, downloads] = [
    testDirectory(),
    testDirectory(),
    testDirectory(),
    testDirectory(),
  ];

  beforeAll(async () => {
    home = await startHome(data);
    browser = await start(folder, profile);
    await browser.downloadTo(downloads);
  });

  test("holds what was saved, also what no server has", async () => {
    await saveLink(browser.page, "https://example.org/mine", "Mine");
    await browser.page.bringToFront();
    await press(browser.page, "Export as JSON");
    const [name = ""] = await until(
      // Firefox makes an empty file of the name first, and another one that it then renames.
      async () =>
        readdirSync(downloads).filter(
          (one) => (statSync(join(downloads, one), { throwIfNoEntry: false })?.size ?? 0) > 0,
        ),
      (names) => names.some((one) => /^docket-[\d-]+\.json$/.test(one)),
    );
    const text = readFileSync(join(downloads, name), "utf8");
    expect(JSON.stringify(JSON.parse(text))).toContain("https://example.org/mine");
  });
});
