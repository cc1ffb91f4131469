import { afterAll, beforeAll, expect, test } from "bun:test";
import { testDirectory } from "../../support/server.ts";
import { storedTasks } from "../../support/extension/ask.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

inEachBrowser("the popup, when the worker is stopped while it saves,", (start) => {
  let home: Home;
  let browser: Extended;
  afterAll(async () => {
    await browser.close();
    await home.end();
  });
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    browser = await start(folder, profile);
    await browser.visit(new URL("Oslo", home.web).href);
  }, 180_000);

  test("asks again, and says that the tabs are saved, once", async () => {
    const popup = await browser.popup();
    await popup.waitForSelector("input[name=what][value=window]");
    await popup.click("input[name=what][value=window]");
    await popup.type(".chooser input", "Norway");
    await popup.evaluate(`globalThis.reached = new Promise((resolve) => {
      globalThis.ear = new BroadcastChannel("test steps");
      ear.onmessage = ({ data }) => resolve(data);
    }), 0`);
    await browser.holdAt("end of a transaction");
    await popup.keyboard.press("Enter");
    expect(await popup.evaluate("reached")).toBe("end of a transaction");
    await browser.stop();
    const said = await until(
      () => popup.evaluate("document.querySelector('.notice > span')?.textContent ?? ''"),
      (text) => text !== "",
    );
    expect(said).toMatch(/^1 tab saved to “Norway”/);
    expect(await storedTasks(browser.page)).toMatchObject([
      { payload: { title: "Norway", pages: [{ title: "Oslo" }] } },
    ]);
  });
});
