import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser, lookAt } from "../support/browser/browser.ts";
import { atEachAddress } from "../support/browser/engines.ts";
import { signIn } from "../support/browser/person.ts";
import { add, eventually, row, saved, useDesk } from "../support/app/desk.ts";

const banner = (page: Page) => page.locator(".banner");
const dismiss = (page: Page) => page.getByRole("button", { name: "OK", exact: true });

inBrowser("An account that is full", () => {
  const desk = useDesk({ flags: ["--account-quota", "1"], statuses: [401, 422, 507] });

  test("says so in the server's words, also after a reload, until there is room again", async () => {
    const { page, open, device } = desk;
    const sized = async (bytes: number): Promise<void> => {
      const payload = {
        title: "Large",
        status: "todo",
        notes: [{ id: "n", text: "x".repeat(bytes) }],
      };
      const updated_at = formatInstant(Date.now());
      const record = { table: "sync_tasks", id: "large", updated_at, payload };
      expect((await device("POST", "/sync", [record])).json).toMatchObject({ applied: 1 });
    };
    await sized(1_030_000);
    await open("/tasks/open");
    await saved(page);
    await add(page, "Too much");
    await saved(page);
    await row(page, "Too much").getByRole("link").click();
    await page.getByLabel("Add a note").fill("y".repeat(19_000));
    await page.keyboard.press("Control+Enter");
    for (const shown of ["at once", "after a reload"]) {
      if (shown === "after a reload") await page.reload();
      await banner(page).getByText("This account may take up 1 MiB on this server").waitFor();
      expect(await banner(page).innerText()).toContain("1 change waits in this browser.");
      expect(await page.getByText("All saved").count()).toBe(0);
    }
    expect(await lookAt(page, "banner-full")).toEqual([]);
    // On a phone, where the task lies over the list, too.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await banner(page).isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await sized(10);
    await page.locator(".sync").click();
    await saved(page);
    await banner(page).waitFor({ state: "detached" });
    expect(desk.faults).toEqual([]);
  });
});

inBrowser("A title that was changed offline and on another device", () => {
  const desk = useDesk();

  test("says that one of the two gave way, also after a reload, until Ann has chosen", async () => {
    const { page, context, device, open } = desk;
    const write = async (title: string): Promise<void> => {
      const payload = { title, status: "todo" };
      const record = { table: "sync_tasks", id: "call", updated_at: formatInstant(Date.now()) };
      const { json } = await device("POST", "/sync", [{ ...record, payload }]);
      expect(json).toMatchObject({ invalid: [] });
    };
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    const titleOnServer = async () => (await device("GET", "/tasks/call")).json.title;
    const typeOffline = async (text: string, before?: string): Promise<void> => {
      await context.setOffline(true);
      if (before !== undefined) await write(before);
      await title.fill(text);
      await title.blur();
      await page
        .getByText(/^Offline.*1 change/)
        .first()
        .waitFor();
    };
    const arrive = async (): Promise<void> => {
      await context.setOffline(false);
      await banner(page).getByText("The title of a task was changed in two places.").waitFor();
    };
    await write("Call at noon");
    await open("/tasks/open?task=call");
    await saved(page);

    await typeOffline("Call at one");
    await write("Call at two");
    await arrive();
    await page.locator(".row .conflict").waitFor();
    await page.reload();
    await banner(page).getByText("“Call at two” was kept.").waitFor();
    expect(await title.inputValue()).toBe("Call at two");
    expect(await lookAt(page, "banner-two-titles")).toEqual([]);
    await banner(page).getByRole("button", { name: "Use “Call at one”" }).click();
    await banner(page).waitFor({ state: "detached" });
    await eventually(async () => (await titleOnServer()) === "Call at one");

    await typeOffline("Call at four", "Call at three");
    await arrive();
    await banner(page).getByText("“Call at four” was kept.").waitFor();
    await banner(page).getByRole("button", { name: "Leave it" }).click();
    await banner(page).waitFor({ state: "detached" });
    await eventually(async () => (await titleOnServer()) === "Call at four");
  });
});

atEachAddress("A session that has ended", (engine) => {
  const desk = useDesk({ engine });

  for (const [number, words] of [
    [1, "1 change in this browser will be saved when you sign in."],
    [2, "2 changes in this browser will be saved when you sign in."],
  ] as const)
    test(`says in the app, and on the sign-in page, that ${words}`, async () => {
      const { page, open } = desk;
      await open("/tasks/open");
      await saved(page);
      if (engine === "Chromium over plain http" && number === 1) await dismiss(page).click();
      // As another window of hers does it that has erased nothing.
      await page.evaluate(
        `fetch("/sign-out", { method: "POST", body: new URLSearchParams({ erased: "yes" }) }).then(() => null)`,
      );
      for (let at = 1; at <= number; at += 1) await add(page, `Written ${at} of ${number}`);
      await banner(page).getByText(words).waitFor();
      if (number === 2 && engine === "Chromium")
        expect(await lookAt(page, "banner-signed-out")).toEqual([]);
      await page.goto("/tasks/open");
      await page.waitForURL(/\/sign-in/);
      await page.getByText(words).waitFor();
      if (number === 2 && engine === "Chromium")
        expect(await lookAt(page, "sign-in-unsent")).toEqual([]);
      await signIn(page);
      await page.goto("/tasks/open");
      await saved(page);
      const { tasks } = (await desk.device("GET", "/tasks")).json;
      expect(tasks.map(({ title }: { title: string }) => title)).toContain(
        `Written 1 of ${number}`,
      );
      expect(await banner(page).count()).toBe(0);
    });
});

atEachAddress("What browsers do not offer over plain http", (engine) => {
  const desk = useDesk({ engine });
  const isPlain = engine === "Chromium over plain http";

  test(`is ${isPlain ? "said in one line, until she has read it" : "not mentioned here"}`, async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await saved(page);
    const line = banner(page).getByText("Over plain http, your browser cannot open Docket offline");
    expect(await line.count()).toBe(isPlain ? 1 : 0);
    if (!isPlain) return;
    const guide = banner(page).getByRole("link", { name: "How to set up https" });
    const [shown] = await Promise.all([page.waitForEvent("popup"), guide.click()]);
    await shown.locator("h2#https-without-a-proxy").waitFor();
    await shown.close();
    expect(await lookAt(page, "banner-plain-http")).toEqual([]);
    await dismiss(page).click();
    await page.reload();
    await saved(page);
    expect(await line.count()).toBe(0);
  });

  test("does not keep her from copying in a dialog, nor does the focus move", async () => {
    const { page } = desk;
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "Get the bookmarklet" }).click();
    const dialog = page.getByRole("dialog", { name: "Bookmarklet" });
    await dialog.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Bookmarklet copied").waitFor();
    expect(await dialog.innerText()).toContain(
      isPlain ? "only if its address has https" : "install Docket from the browser’s menu",
    );
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Copy");
    await dialog.getByRole("button", { name: "Close" }).click();
    const field = page.getByLabel("Add a task");
    await field.focus();
    await page.keyboard.press("Control+v");
    expect(await field.inputValue()).toStartWith("javascript:void open(");
    await field.fill("");
  });

  test("does not keep her copy in the browser when she signs out on the account page", async () => {
    const { page } = desk;
    await page.goto("/account");
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.waitForURL(/\/sign-in/);
    const left = "indexedDB.databases().then((all) => all.length + localStorage.length)";
    await eventually(async () => (await page.evaluate(left)) === 0);
  });
});
