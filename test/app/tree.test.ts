import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { drag } from "../support/browser/pointer.ts";
import { eventually, saved, useDesk } from "../support/app/desk.ts";

inChromium("Folders named A / B are a tree:", (engine) => {
  const desk = useDesk({ engine });

  beforeAll(async () => {
    const names = [
      "Home",
      "Work / Hiring",
      "Work / Launch / Press",
      "Reading",
      "Work / Launch",
      "A /",
    ];
    await desk.device(
      "POST",
      "/sync",
      names.map((name, at) => ({
        table: "sync_projects",
        id: name.toLowerCase().replaceAll(/\W+/g, "-"),
        updated_at: formatInstant(Date.now() - 60_000),
        payload: { name, position: "abcdef"[at] },
      })),
    );
    await desk.open("/tasks/open");
  });

  /** The names at the side, with a dash for each folder that they are in. */
  const shown = (): Promise<string> =>
    desk.page.locator(".folders .name").evaluateAll((all) =>
      all
        .map((one) => {
          let depth = 0;
          for (
            let at = one.closest(".branch");
            at;
            at = at.parentElement?.closest(".branch") ?? null
          )
            depth += 1;
          return "-".repeat(depth) + (one.textContent ?? "");
        })
        .join(" "),
    );
  const reads = (wanted: string) => eventually(async () => (await shown()) === wanted);
  const sent = async (): Promise<Readonly<Record<string, string>>> => {
    const { changes } = (await desk.device("GET", "/sync")).json;
    return Object.fromEntries(
      changes.sync_projects.map((one: { id: string; payload: { name: string } }) => [
        one.id,
        one.payload.name,
      ]),
    );
  };

  test("each is below what it begins with", async () => {
    await reads("Home Work -Hiring -Launch --Press Reading A /");
  });

  test("a folder takes those below it along", async () => {
    const { page } = desk;
    await page.locator("[data-folder='work-launch']").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await reads("Home Work -Launch --Press -Hiring Reading A /");
    const place = (id: string) => page.locator(`[data-folder='${id}']`);
    await drag(engine, place("reading"), place("home"), { x: 60, y: 3 });
    await reads("Reading Home Work -Launch --Press -Hiring A /");
  });

  test("it is folded, and stays so after a reload", async () => {
    const { page, open } = desk;
    await page.getByRole("button", { name: "Folders in Launch" }).click();
    await reads("Reading Home Work -Launch -Hiring A /");
    await open("/tasks/open");
    await reads("Reading Home Work -Launch -Hiring A /");
    await page.getByRole("button", { name: "Folders in Launch" }).click();
    await page.getByRole("button", { name: "Work", exact: true }).click();
    await reads("Reading Home Work A /");
    await page.getByRole("button", { name: "Work", exact: true }).click();
  });

  test("a new name of a folder is that of those below it too", async () => {
    const { page, open } = desk;
    await open("/tasks/folder/work-launch");
    await page.getByLabel("Folder name").fill("Work / Release");
    await page.keyboard.press("Enter");
    await reads("Reading Home Work -Release --Press -Hiring A /");
    await saved(page);
    expect(await sent()).toMatchObject({
      "work-launch": "Work / Release",
      "work-launch-press": "Work / Release / Press",
      "work-hiring": "Work / Hiring",
    });
  });
});
