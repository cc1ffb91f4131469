import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { inBrowser, lookAt, openPage, startBrowser } from "../support/browser/browser.ts";
import { freshServer, heading, PASSWORD, press, signIn } from "../support/browser/person.ts";

inBrowser("Bob", () => {
  const data = testDirectory();

  test("changes his address, saves an export, and deletes his account", async () => {
    const { binary, server } = await freshServer([], data);
    for (const email of ["ann@example.org", "bob@example.org"]) {
      const add = ["account", "add", email, "--password-stdin", "--data", data];
      await run(binary, add, { input: `${PASSWORD}\n` });
    }
    const browser = await startBrowser();
    const found: string[] = [];
    const { page, faults } = await openPage(browser, server.url);
    const look = async (name: string): Promise<void> => {
      found.push(...(await lookAt(page, name)));
    };
    await page.goto("/sign-in?next=/account/security");
    await signIn(page, PASSWORD, "bob@example.org");
    await look("security-bob");
    const words = ["account", "email", "bob@example.org", "robert@example.org", "--data", data];
    expect((await run(binary, words)).code).toBe(0);
    await page.reload();
    await look("security-email-changed");
    await press(page, "link", "delete your account");
    await look("delete");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save an export first" }).click();
    const file = await (await download).path();
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ account: "robert@example.org" });
    await page.getByLabel("Your e-mail address").fill("bob@example.org");
    await press(page, "button", "Delete my account");
    await look("delete-wrong");
    await page.getByLabel("Your e-mail address").fill("robert@example.org");
    await press(page, "button", "Delete my account");
    expect(await heading(page)).toBe("Your account is deleted");
    await look("delete-done");
    await page.goto("/account");
    await signIn(page, PASSWORD, "robert@example.org");
    expect(await page.getByRole("alert").innerText()).toBe("Wrong e-mail address or password.");
    await browser.close();
    await server.stop();
    expect([found, faults]).toEqual([[], []]);
  });
});
