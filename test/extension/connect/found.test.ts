import { afterAll, beforeAll, expect, test } from "bun:test";
import { inBrowser } from "../../support/browser/browser.ts";
import { type Chrome, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";
import { testDirectory } from "../../support/server.ts";

inBrowser("The extension's first page", () => {
  let [home, chrome] = [null as Home | null, null as Chrome | null];
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];
  beforeAll(async () => {
    home = await startHome(data);
    unpack(folder);
    // The server is where people have it.
    const rule = `MAP localhost:3625 ${new URL(home.url).host}`;
    chrome = await startChrome(folder, profile, [`--host-resolver-rules=${rule}`]);
  });
  afterAll(async () => {
    await chrome?.close();
    await home?.end();
  });

  test("has found the server on this computer, and leaves alone what somebody types", async () => {
    const page = await (chrome as Chrome).open("options.html");
    const seen = () =>
      page.$$eval("#address, .outcome", (all) =>
        all
          .map((one) => (one instanceof HTMLInputElement ? one.value : one.textContent))
          .filter((text) => text !== ""),
      );
    // The line is there, and empty, before the server has answered.
    expect(await until(seen, (all) => all.length === 2)).toEqual([
      "http://localhost:3625",
      "Docket runs on this computer. Sign in to connect it.",
    ]);
    await page.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await page.type("#address", "http://nas:3625");
    await page.reload();
    await page.waitForSelector("#address");
    await Bun.sleep(500);
    expect(await seen()).toEqual(["http://nas:3625"]);
  });
});
