import { beforeAll, expect, test } from "bun:test";
import { storedTasks } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { until, useHome } from "../../support/extension/home.ts";

inEachBrowser("the popup, when the worker is stopped while it saves,", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  beforeAll(async () => {
    await browser.visit(new URL("Oslo", home.web).href);
  });

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
