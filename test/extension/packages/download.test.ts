import { expect, test } from "bun:test";
import { join } from "node:path";
import { inBrowser } from "../../support/browser/browser.ts";
import { useChrome } from "../../support/extension/chrome.ts";
import { PASSWORD, useHome } from "../../support/extension/home.ts";

const DIST = join(import.meta.dir, "../../../dist");
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

inBrowser("The page Devices of the executable", () => {
  const home = useHome();
  const chrome = useChrome();
  test("has the extension for the browser that asks, and the steps to load it", async () => {
    const page = await chrome.visit(`${home.url}/sign-in?next=%2Faccount%2Fdevices`);
    await page.type("[name=email]", "ann@example.org");
    await page.type("[name=password]", PASSWORD);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    const text = () => page.$eval("main", (main) => main.textContent ?? "");
    expect(await text()).toContain("press Load unpacked, and choose the folder.");
    expect(await text()).toContain(`Docket opens a page of its own. Enter ${home.url} there`);
    expect(await text()).not.toContain("about:debugging");
    await page.setUserAgent({ userAgent: FIREFOX });
    await page.reload();
    expect(await text()).toContain("about:debugging#/runtime/this-firefox");
    expect(await text()).not.toContain("Load unpacked");
  });

  for (const target of ["chrome", "firefox"])
    test(`gives ${target} the same bytes as the build`, async () => {
      const page = (await chrome.browser.pages()).find((one) => one.url().startsWith(home.url));
      const name = `docket-extension-${target}.zip`;
      const got = await page?.evaluate(async (path) => {
        const reply = await fetch(path);
        const type = reply.headers.get("content-type");
        return [reply.status, type, [...new Uint8Array(await reply.arrayBuffer())]] as const;
      }, `/account/devices/${name}`);
      expect(got?.slice(0, 2)).toEqual([200, "application/zip"]);
      const built = await Bun.file(join(DIST, name)).bytes();
      expect(Buffer.from(got?.[2] ?? []).equals(built)).toBe(true);
    });

  test("gives it to nobody who is not signed in", async () => {
    const path = "/account/devices/docket-extension-chrome.zip";
    const { status, headers } = await fetch(`${home.url}${path}`, { redirect: "manual" });
    expect([status, headers.get("location")]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent("/account/devices/docket-extension-chrome.zip")}`,
    ]);
  });
});
