import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inChromium } from "../support/browser/engines.ts";
import { drag } from "../support/browser/pointer.ts";
import { add, eventually, row, titles, useDesk } from "../support/app/desk.ts";

const record = (table: string, id: string, payload: object) => ({
  table,
  id,
  updated_at: formatInstant(Date.now() - 60_000),
  payload,
});

inChromium("The Inbox has what nobody has put anywhere:", (engine) => {
  const desk = useDesk({
    engine,
    prepare: async ({ agent, device }) => {
      await device("POST", "/sync", [
        record("sync_projects", "f", { name: "Work" }),
        record("sync_tasks", "a", { title: "Loose" }),
        record("sync_tasks", "b", { title: "In a folder", project_id: "f" }),
        record("sync_tasks", "c", { title: "With a day", due: "2031-01-01" }),
        record("sync_tasks", "d", { title: "Finished", status: "done" }),
        record("sync_tasks", "e", { title: "In a folder that is gone", project_id: "gone" }),
      ]);
      await agent("POST", "/tasks", { title: "By an agent" });
      await agent("POST", "/inbox/tabs", [{ url: "https://b.example/", title: "Filed" }]);
    },
  });
  const number = () => desk.page.locator(".place[href='/tasks/inbox'] .number").innerText();
  const lists = async (...wanted: readonly string[]) =>
    eventually(
      async () => (await titles(desk.page)).toSorted().join() === wanted.toSorted().join(),
    );

  test("tasks without a folder, a day and a column, and links without a task", async () => {
    await desk.open("/tasks/inbox");
    await lists("Loose", "By an agent", "In a folder that is gone");
    await desk.page.locator(".inbox .tab", { hasText: "Filed" }).waitFor();
    expect(await number()).toBe("4");
  });

  test("a task that is typed there stays there until it gets a place", async () => {
    const { page } = desk;
    await add(page, "Typed here");
    expect((await titles(page))[0]).toBe("Typed here");
    await drag(engine, row(page, "Typed here"), page.locator("[data-folder='f']"), {
      x: 60,
      y: 10,
    });
    await lists("Loose", "By an agent", "In a folder that is gone");
  });

  test("a task that is dragged to it has no place any more", async () => {
    const { page, open } = desk;
    await open("/tasks/folder/f");
    await drag(engine, row(page, "Typed here"), page.locator(".place[href='/tasks/inbox']"), {
      x: 60,
      y: 10,
    });
    await lists("In a folder");
    await open("/tasks/inbox");
    await lists("Loose", "By an agent", "In a folder that is gone", "Typed here");
  });
});
