import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { crash } from "../support/browser/crash.ts";
import { inEachBrowser } from "../support/browser/engines.ts";
import { signIn } from "../support/browser/person.ts";
import { testDirectory } from "../support/server.ts";
import { add, eventually, saved, titles, useDesk } from "../support/app/desk.ts";

const waits = (page: Page) => page.getByText("to send").first().waitFor({ state: "attached" });

/** A script that keeps the next push from the server, or the server's reply from the page. It ends once that is so. */
const holdPush = (moment: "before" | "after"): string => `new Promise((held) => {
  const { fetch } = globalThis;
  globalThis.fetch = async (url, init) => {
    if (init?.method !== "POST" || !url.includes("/sync")) return fetch(url, init);
    if (${moment === "after"}) await fetch(url, init);
    held();
    return new Promise(() => {});
  };
})`;

inEachBrowser("what Ann did is not lost when", (engine) => {
  const desk = useDesk({ engine });
  const backups = testDirectory();

  const onServer = async (): Promise<readonly string[]> =>
    (await desk.device("GET", "/tasks")).json.tasks.map(({ title }: { title: string }) => title);
  const arrives = (title: string) =>
    eventually(async () => (await onServer()).includes(title), `${title} is on the server`);
  const backupFile = () => join(backups, `${randomUUID()}.db`);

  test("the tab crashes right after her edits", async () => {
    const { page, context, open } = desk;
    context.setDefaultTimeout(30_000);
    await open("/tasks/open");
    await saved(page);
    await desk.stop();
    await add(page, "Written before the crash");
    await page.locator("[data-row]", { hasText: "Written before the crash" }).click();
    await page.getByLabel("Add a note").fill("A note before the crash");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByLabel("Note", { exact: true }).waitFor();
    await crash(engine, page);
    await desk.start();

    const next = await context.newPage();
    await next.goto("/tasks/open");
    await eventually(async () => (await titles(next)).includes("Written before the crash"));
    await arrives("Written before the crash");
    const [task] = (await desk.device("GET", "/tasks")).json.tasks;
    await eventually(async () => {
      const { notes } = (await desk.device("GET", `/tasks/${task.id}`)).json;
      return notes[0]?.text === "A note before the crash";
    });
    await next.close();
  });

  test("she reloads in the middle of a push, before and after the server has it", async () => {
    const page = await desk.context.newPage();
    await page.goto("/tasks/open");
    await saved(page);
    for (const moment of ["before", "after"] as const) {
      const held = page.evaluate(holdPush(moment));
      await add(page, `Reloaded ${moment}`);
      await held;
      await page.reload();
      await eventually(async () => (await titles(page)).includes(`Reloaded ${moment}`));
      await arrives(`Reloaded ${moment}`);
      await saved(page);
    }
    expect((await onServer()).toSorted()).toEqual([
      "Reloaded after",
      "Reloaded before",
      "Written before the crash",
    ]);
    await page.close();
  });

  test("the server is killed, and starts again", async () => {
    const page = await desk.context.newPage();
    await page.goto("/tasks/open");
    await saved(page);
    await desk.stop("SIGKILL");
    await add(page, "Written while the server was down");
    await waits(page);
    await desk.start();
    // Without a press on “Sync now”.
    await arrives("Written while the server was down");
    await saved(page);
    await page.close();
  });

  test("the server is restored from a backup: what only her browser has goes back to it, and she is told", async () => {
    const page = await desk.context.newPage();
    await page.goto("/tasks/open");
    await saved(page);
    const file = backupFile();
    await desk.command("backup", file);
    await add(page, "Saved after the backup");
    await saved(page);
    await desk.agent("POST", "/tasks", { title: "By the agent, after the backup" });
    await eventually(async () => (await titles(page)).includes("By the agent, after the backup"));
    await desk.stop();
    await add(page, "Written before the restore");
    await waits(page);
    await desk.command("restore", file, "--yes");
    await desk.start();
    await page.getByText("restored from a backup").waitFor({ timeout: 30_000 });
    await saved(page);
    const all = await onServer();
    expect(all).toContain("Saved after the backup");
    expect(all).toContain("By the agent, after the backup");
    expect(all).toContain("Written before the restore");
    expect((await titles(page)).toSorted()).toEqual(all.toSorted());
    // She is told until she has read it.
    await page.reload();
    await page.getByRole("button", { name: "OK" }).click();
    await page.getByText("restored from a backup").waitFor({ state: "detached" });
    await page.reload();
    await saved(page);
    expect(await page.getByText("restored from a backup").count()).toBe(0);
    await page.close();
  });

  test("the backup is older than her sign-in: she signs in again, and everything is there", async () => {
    const page = await desk.context.newPage();
    await page.goto("/tasks/open");
    await saved(page);
    const file = backupFile();
    await desk.command("backup", file);
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    await signIn(page);
    await page.goto("/tasks/open");
    await saved(page);
    await add(page, "Saved in the new session");
    await saved(page);
    await desk.stop();
    await add(page, "Waiting in the new session");
    await desk.command("restore", file, "--yes");
    await desk.start();
    await page.getByRole("link", { name: "Sign in to save them" }).click();
    await signIn(page);
    await page.waitForURL(/\/tasks\/open/);
    await arrives("Waiting in the new session");
    await arrives("Saved in the new session");
    await page.getByText("restored from a backup").waitFor();
    await page.close();
  });
});
