import { expect, test } from "bun:test";
import { inBrowser, lookAt } from "../support/browser/browser.ts";
import { useDesk } from "../support/app/desk.ts";

inBrowser("The account page of a task, far west of Greenwich", () => {
  const desk = useDesk({
    timezoneId: "America/Los_Angeles",
    prepare: async ({ device }) => {
      const payload = { title: "Trip", status: "in_progress", due: "2020-03-04", colour: "teal" };
      const updated_at = "2020-03-01T03:00:00.000Z";
      await device("POST", "/sync", [{ table: "sync_tasks", id: "trip", updated_at, payload }]);
    },
  });

  test("shows times as they are there, and days as they are everywhere", async () => {
    const { page, faults } = desk;
    await page.goto("/account/tasks/trip");
    const fact = (name: string) => page.locator("dt", { hasText: name }).locator("+ dd");
    expect(await fact("Status").innerText()).toBe("In progress");
    expect(await fact("Due").innerText()).toBe("Mar 4, 2020");
    expect(await fact("Due").locator("time").getAttribute("datetime")).toBe("2020-03-04");
    expect(await fact("Last changed").innerText()).toStartWith("Feb 29, 2020");
    expect(await fact("Colour").innerText()).toBe("teal");
    expect(await lookAt(page, "account-task")).toEqual([]);
    expect(faults).toEqual([]);
  });
});
