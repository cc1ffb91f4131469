import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { lookAt, openPage } from "../support/browser/browser.ts";
import { inEachBrowser, startEngine } from "../support/browser/engines.ts";
import { freshServer, heading, press, setUp } from "../support/browser/person.ts";

const LINKS = Array.from({ length: 3_000 }, (_, at) => `https://a.example/${at} | Page ${at}`);
/** 30 groups of 100 links. */
const ONETAB = LINKS.map((line, at) => (at % 100 === 99 ? `${line}\n` : line)).join("\n");

inEachBrowser("importing on the page:", (engine) => {
  let browser: Browser;
  let fresh: Awaited<ReturnType<typeof freshServer>>;
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  const found: string[] = [];
  const look = async (name: string): Promise<void> => {
    found.push(...(await lookAt(page, name)));
  };
  const said = () => page.getByRole("main").innerText();
  const file = (name: string, text: string) =>
    page.getByLabel("Choose a file").setInputFiles({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    });

  beforeAll(async () => {
    fresh = await freshServer();
    browser = await startEngine(engine);
    opened = await openPage(browser, fresh.server.url, { statuses: [422] });
    page = opened.page;
    await setUp(page, fresh.code);
  });

  afterAll(async () => {
    await browser.close();
    await fresh.server.stop();
  });

  test("a file is looked at, imported and taken back", async () => {
    await press(page, "link", "Import");
    await look("import");
    await file("tabs.txt", ONETAB);
    await page.waitForURL("**/account/uploads/*");
    expect(await said()).toContain("30 tasks, 3000 tabs");
    await look("import-preview");
    await press(page, "button", "Import 30 tasks");
    await page.getByText("See your tasks").waitFor();
    expect([await heading(page), await said()]).toEqual([
      "tabs.txt",
      expect.stringContaining("30 tasks, 3000 tabs, 1 folder"),
    ]);
    await look("import-report");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Take this import back" }).click();
    await page.getByText(/^Taken back on/).waitFor();
    expect(await said()).toContain("Deleted: 30 tasks and 1 folder.");
    await press(page, "link", "All imports");
    await look("import-before");
  });

  test("what is pasted is imported too, with the keyboard alone", async () => {
    await page.goto("/account/import");
    await page.getByLabel("Or paste").focus();
    await page.keyboard.insertText("# Trip\nhttps://ferry.example/ Ferry\njavascript:alert(1)\n");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/account/uploads/*");
    expect(await said()).toMatch(/Trip\s+Pasted text\s+1/);
    await page.getByRole("button", { name: "Import 1 task" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("See your tasks").waitFor();
    expect(await said()).toContain("1 task, 1 tab");
  });

  test("what cannot be read is said beside the field, and another file can be chosen", async () => {
    await page.goto("/account/import");
    await file("broken.json", '{"sessions": [');
    await page.getByRole("alert").getByText("The file ends early or is damaged.").waitFor();
    await look("import-refused");
    await page.getByRole("button", { name: "Read what I pasted" }).click();
    await page.getByRole("alert").getByText("Paste something first.").waitFor();
    await file("a.txt", "https://b.example/");
    await page.waitForURL("**/account/uploads/*");
  });

  test("the pages look as they should, and do nothing that they must not", () => {
    expect({ found, faults: opened.faults }).toEqual({ found: [], faults: [] });
  });
});
