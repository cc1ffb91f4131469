import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { eventually, row, titles, useDesk } from "../support/app/desk.ts";

/** Notes the text of each row that is seen leaving. */
const WATCH = `globalThis.left = [];
  new MutationObserver(() => {
    for (const one of document.querySelectorAll(".ghost-row"))
      if (!globalThis.left.includes(one.innerText.trim())) globalThis.left.push(one.innerText.trim());
  }).observe(document.body, { childList: true, subtree: true });`;

const record = (table: string, id: string, payload: object) => ({
  table,
  id,
  updated_at: formatInstant(Date.now() - 60_000),
  payload,
});

inChromium("What moves says what happened:", (engine) => {
  const desk = useDesk({ engine });
  const left = () => desk.page.evaluate<readonly string[]>("globalThis.left");

  beforeAll(async () => {
    await desk.device("POST", "/sync", [
      record("sync_projects", "f", { name: "Work" }),
      record("sync_projects", "g", { name: "Home" }),
      ...["One", "Two", "Three"].map((title) =>
        record("sync_tasks", title, { title, project_id: "f" }),
      ),
      record("sync_tasks", "Four", { title: "Four", project_id: "g" }),
    ]);
    await desk.open("/tasks/folder/f");
    await desk.page.evaluate(WATCH);
  });

  test("a task that is done is seen leaving, and is gone after that", async () => {
    const { page } = desk;
    await row(page, "Two").getByRole("button", { name: /^Mark/ }).click();
    await eventually(async () => (await left()).join() === "Two");
    await eventually(async () => (await page.locator(".ghost").count()) === 0);
    expect((await titles(page)).toSorted()).toEqual(["One", "Three"]);
  });

  test("another list leaves nothing behind", async () => {
    const { page } = desk;
    await page.locator("[data-folder='g']").click();
    await eventually(async () => (await titles(page)).join() === "Four");
    expect(await left()).toEqual(["Two"]);
  });

  test("nothing moves for who has asked for that", async () => {
    const { page } = desk;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await row(page, "Four").getByRole("button", { name: /^Mark/ }).click();
    await eventually(async () => (await titles(page)).length === 0);
    expect(await left()).toEqual(["Two"]);
  });
});
