import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { run } from "../support/program.ts";
import { send } from "../support/server.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";
import { freshServer, heading, press, setUp } from "../support/browser/person.ts";

inBrowser.each([
  ["with script", true],
  ["without script", false],
] as const)("Looking back and undoing in a browser %s:", (_name, javaScript) => {
  let browser: Browser;
  let fresh: Awaited<ReturnType<typeof freshServer>>;
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  let [laptop, key] = ["", ""];

  const found: string[] = [];
  /** If scripts run, checks the page in light and dark, on a desktop and on a phone. */
  const look = async (name: string): Promise<void> => {
    if (javaScript) found.push(...(await lookAt(page, name)));
  };
  const docket = async (...words: readonly string[]) =>
    (await run(fresh.binary, [...words, "--data", fresh.data])).out.trim();
  const api = (method: string, path: string, token: string, body?: unknown) =>
    send(method, `${fresh.server.url}/api/public/v1${path}`, { token, body });
  const pull = async () =>
    (await api("GET", "/sync", laptop)).json.changes.sync_tasks.find(
      ({ id }: { readonly id: string }) => id === "trip",
    );
  const push = (fields: object) =>
    api("POST", "/sync", laptop, [
      { table: "sync_tasks", id: "trip", updated_at: formatInstant(Date.now()), ...fields },
    ]);
  const cards = () => page.getByRole("article").allInnerTexts();

  beforeAll(async () => {
    fresh = await freshServer();
    browser = await startBrowser();
    opened = await openPage(browser, fresh.server.url, { javaScript, statuses: [404] });
    page = opened.page;
    await setUp(page, fresh.code);
    laptop = await docket("session", "create", "--name", "laptop");
    key = await docket("key", "create", "--name", "helper", "--scopes", "read,write");
    await push({ payload: { title: "Trip", status: "todo", notes: ["mine"] } });
    await api("PATCH", "/tasks/trip", key, { title: "Wrong", status: "done" });
    await api("POST", "/tasks/trip/tabs", key, [{ url: "https://spam.example/", title: "Spam" }]);
  });

  afterAll(async () => {
    await browser.close();
    await fresh.server.stop();
  });

  test("ann finds what a key did to a task, sees what restoring would change, and restores it", async () => {
    await press(page, "link", "Activity");
    await press(page, "link", "Wrong");
    await press(page, "link", "History of this task");
    expect([await heading(page), (await cards()).length]).toEqual(["History of Wrong", 2]);
    expect((await cards())[0]).toContain("Changed by the key helper");
    expect((await cards())[0]).toMatch(/Tab added\s+Spam\s+https:\/\/spam\.example\//);
    await look("history");
    await press(page, "link", "Restore the version before this");
    expect(await page.getByRole("main").innerText()).toMatch(/Tab removed\s+Spam/);
    await look("history-restore");
    expect((await pull()).payload.pages).toHaveLength(1);
    await press(page, "button", "Restore this version");
    expect(await page.getByRole("status").innerText()).toContain("The version is restored.");
    expect((await pull()).payload).toEqual({
      title: "Wrong",
      status: "done",
      notes: ["mine"],
    });
  });

  test("she undoes the rest of what the key did, after seeing it, and revokes the key", async () => {
    await press(page, "link", "API keys");
    await page.getByLabel("Actions for").first().click();
    await look("keys-undo");
    await press(page, "link", "Undo changes");
    expect(await heading(page)).toBe("Undo a key’s changes");
    await look("undo");
    await page.getByLabel("Changes made").selectOption("in the last hour");
    await press(page, "button", "Show changes");
    expect(await page.getByRole("main").innerText()).toContain("Can be undone: 2 changes");
    expect((await cards())[0]).toMatch(/Title\s+from Wrong back to Trip/);
    await look("undo-preview");
    expect((await pull()).payload.title).toBe("Wrong");
    await press(page, "button", "Undo these 2 changes");
    expect(await page.getByRole("status").first().innerText()).toContain(
      "Undone. 1 task or folder was changed back.",
    );
    expect((await pull()).payload).toMatchObject({ title: "Trip", status: "todo" });
    await look("undo-done");
    if (javaScript) page.once("dialog", (dialog) => void dialog.accept());
    await press(page, "button", "Revoke key");
    expect((await api("GET", "/me", key)).status).toBe(401);
    await page.getByLabel("Actions for").first().click();
    expect(await page.getByRole("link", { name: "Undo changes" }).count()).toBe(2);
  });

  test("she can type a date and time, in her time zone if scripts run", async () => {
    await press(page, "link", "Undo changes");
    const words = await page.getByText(/^In (UTC|your time zone)/).innerText();
    expect(words.startsWith("In your time zone")).toBe(javaScript);
    await page.getByLabel("Or since a date and time").fill("2026-01-31T09:30");
    await press(page, "button", "Show changes");
    const since = new URL(page.url()).searchParams;
    expect([since.get("at"), since.get("zone")]).toEqual([
      "2026-01-31T09:30",
      javaScript ? String(await page.evaluate("new Date().getTimezoneOffset()")) : "0",
    ]);
    expect(await page.getByRole("heading", { level: 2 }).first().innerText()).toMatch(/Since .*31/);
  });

  test("she restores a task that a device deleted", async () => {
    await push({ payload: {}, deleted_at: formatInstant(Date.now()) });
    await page.goto("/account/tasks/trip");
    await look("history-gone");
    await press(page, "link", "All deleted items");
    const row = page.getByRole("row").filter({ hasText: "Trip" });
    expect(await row.innerText()).toMatch(/task\s+deleted[^]*laptop[^]*0 tabs, 1 note/);
    await look("deleted");
    await press(page, "button", "Restore Trip");
    expect(await page.getByRole("status").innerText()).toContain("The task Trip is restored.");
    expect(await pull()).toMatchObject({ deleted_at: null, payload: { title: "Trip" } });
    await look("deleted-none");
    await press(page, "link", "Trip");
    expect(await heading(page)).toBe("Trip");
  });

  test("no page has a serious problem or sends a request elsewhere", () => {
    expect([found, opened.faults]).toEqual([[], []]);
  });
});
