import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { eventually, row, useDesk } from "../support/app/desk.ts";

inChromium("Ann chooses how it looks and begins:", (engine) => {
  const desk = useDesk({
    engine,
    prepare: ({ device }) =>
      device("POST", "/sync", [
        {
          table: "sync_tasks",
          id: "t",
          updated_at: formatInstant(Date.now() - 60_000),
          payload: { title: "Dated", due: "2030-02-14" },
        },
      ]),
  });
  const choose = async (label: string, value: string): Promise<void> => {
    const { page } = desk;
    await page.getByRole("button", { name: /account menu/ }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByLabel(label).selectOption(value);
    await page.getByRole("button", { name: "Close", exact: true }).click();
  };
  const style = (code: string) => desk.page.evaluate<string>(code);
  const ground = "getComputedStyle(document.body).backgroundColor";

  test("colours, at once, after a reload and on the account pages", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await choose("Colours", "dark");
    const dark = await style(ground);
    await choose("Colours", "light");
    const light = await style(ground);
    expect(dark).not.toBe(light);
    await choose("Colours", "dark");
    await open("/tasks/open");
    expect(await style(ground)).toBe(dark);
    await page.goto("/account");
    expect(await style("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    await open("/tasks/open");
    await choose("Colours", "system");
  });

  test("how dense lists are", async () => {
    const { page } = desk;
    await row(page, "Dated").waitFor();
    const height = async () => (await row(page, "Dated").boundingBox())?.height;
    expect(await height()).toBe(38);
    await choose("Lines of a list", "compact");
    await eventually(async () => (await height()) === 32);
  });

  test("where Docket opens", async () => {
    const { page, open } = desk;
    await choose("Docket opens", "board");
    await open("/tasks");
    await page.getByRole("heading", { level: 1, name: "Board" }).waitFor();
  });

  test("a day in the month, by keys alone, with the weeks as chosen", async () => {
    const { page, open, device } = desk;
    await choose("Weeks begin on", "sunday");
    await open("/tasks/open?task=t");
    await row(page, "Dated").locator(".title").focus();
    await page.keyboard.press("d");
    const days = page.getByRole("grid", { name: "Days" });
    await days.waitFor();
    // 27 January 2030 is a Sunday.
    expect(await days.locator(".day").first().innerText()).toBe("27");
    await days.locator("[tabindex='0']").focus();
    for (const key of ["PageDown", "ArrowDown", "ArrowRight", "Enter"])
      await page.keyboard.press(key);
    await eventually(async () => (await device("GET", "/tasks/t")).json.due === "2030-03-22");
    await page.keyboard.press("d");
    await page.getByRole("option", { name: "No due date" }).click();
    await eventually(async () => (await device("GET", "/tasks/t")).json.due === null);
    expect(desk.faults).toEqual([]);
  });
});
