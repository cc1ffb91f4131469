import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { eventually, useDesk } from "../support/app/desk.ts";
import { png } from "../support/png.ts";

const tab = (url: string) => ({ id: url, url, title: url });

inChromium("Tabs have the icons of their sites:", (engine) => {
  const desk = useDesk({
    engine,
    prepare: async ({ device }) => {
      const pages = [
        tab("https://a.example/x"),
        tab("https://a.example/y"),
        tab("https://www.bücher.example/"),
        tab("file:///etc/hosts"),
      ];
      await device("POST", "/sync", [
        {
          table: "sync_tasks",
          id: "t",
          updated_at: formatInstant(Date.now() - 60_000),
          payload: { title: "Pictured", pages },
        },
      ]);
      const icons = [{ host: "a.example", png: png(32, [9, 99, 199]) }];
      const kept = await device("POST", "/icons", { icons });
      expect(kept.json).toEqual({ saved: 1 });
    },
  });

  const pictures = () => desk.page.locator(".panel img.favicon").count();
  const letters = () =>
    desk.page
      .locator(".panel .favicon.letter")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-letter")));

  test("a picture where the account has one, else a letter", async () => {
    await desk.open("/tasks/open?task=t");
    await eventually(async () => (await pictures()) === 2);
    expect(await letters()).toEqual(["x"]);
    const drawn = `[...document.querySelectorAll("img.favicon")].every((one) => one.naturalWidth === 32)`;
    await eventually(() => desk.page.evaluate<boolean>(drawn));
    expect(await desk.page.locator(".row .favicons > *").count()).toBe(2);
    expect(desk.faults).toEqual([]);
  });

  test("they are no text of the page, and the browser asks once", async () => {
    expect(await desk.page.locator(".row", { hasText: "Pictured" }).innerText()).not.toMatch(/x/i);
    const asked: string[] = [];
    desk.page.on("request", (request) => {
      if (request.url().includes("/icons")) asked.push(request.url());
    });
    await desk.open("/tasks/open?task=t");
    await eventually(async () => (await pictures()) === 2);
    expect(asked).toEqual([]);
  });
});
