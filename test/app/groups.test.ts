import { beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { lookAt } from "../support/browser/browser.ts";
import { inChromium } from "../support/browser/engines.ts";
import { drag } from "../support/browser/pointer.ts";
import { eventually, row, saved, useDesk } from "../support/app/desk.ts";

const page = (id: string, group?: string) => ({
  id,
  url: `https://${id}.example/`,
  title: `Page ${id}`,
  ...(group === undefined ? {} : { group }),
});

inChromium("Ann's tab groups:", (engine) => {
  const desk = useDesk({ engine });

  type Sent = { readonly id: string; readonly payload: Readonly<Record<string, unknown>> };
  /** A task as other devices get it. */
  const payload = async (id: string) => {
    const sent: readonly Sent[] = (await desk.device("GET", "/sync")).json.changes.sync_tasks;
    return sent.find((one) => one.id === id)?.payload;
  };
  /** The tabs as the screen shows them, heads of groups included. */
  const lines = () =>
    desk.page
      .locator(".tabs ol > li")
      .evaluateAll((all) =>
        all.map(
          (one) =>
            one.querySelector("textarea")?.value ?? one.querySelector(".title")?.textContent ?? "",
        ),
      );
  const shows = (...expected: readonly string[]) =>
    eventually(async () => (await lines()).join() === expected.join());
  const tab = (id: string) => desk.page.locator(".tab", { hasText: `Page ${id}` });

  beforeAll(async () => {
    const updated_at = formatInstant(Date.now() - 60_000);
    await desk.device("POST", "/sync", [
      {
        table: "sync_tasks",
        id: "trip",
        updated_at,
        payload: {
          title: "Trip",
          status: "todo",
          pages: [page("a"), page("b", "g"), page("c", "g"), page("d"), page("e", "nobody")],
          groups: [{ id: "g", title: "Hotels", colour: "cyan", collapsed: true }],
        },
      },
      { table: "sync_tasks", id: "other", updated_at, payload: { title: "Other", status: "todo" } },
    ]);
    await desk.open("/tasks/open?task=trip");
  });

  test("a group is shown with the name and the colour that it has in the browser", async () => {
    await shows("Page a", "Hotels", "Page b", "Page c", "Page d", "Page e");
    expect(await desk.page.locator(".tab-group.c-teal").count()).toBe(1);
    expect(await desk.page.locator(".tab.grouped").count()).toBe(2);
    expect(await lookAt(desk.page, "app-groups")).toEqual([]);
  });

  test("moved away from its group a tab leaves it; into the middle of one, it joins", async () => {
    await tab("c").locator(".title").focus();
    await desk.page.keyboard.press("Alt+ArrowDown");
    await shows("Page a", "Hotels", "Page b", "Page d", "Page c", "Page e");
    await desk.page.keyboard.press("Control+z");
    await shows("Page a", "Hotels", "Page b", "Page c", "Page d", "Page e");
    await tab("d").locator(".title").focus();
    await desk.page.keyboard.press("Alt+ArrowUp");
    await shows("Page a", "Hotels", "Page b", "Page d", "Page c", "Page e");
    expect(await desk.page.locator(".tab.grouped").count()).toBe(3);
    await desk.page.keyboard.press("ArrowUp");
    await desk.page.keyboard.press("ArrowUp");
    await eventually(() =>
      desk.page.evaluate<boolean>("document.activeElement.textContent === 'Page a'"),
    );
  });

  test("a tab that moves to another task takes its group's name and colour along", async () => {
    await drag(engine, tab("c"), row(desk.page, "Other"));
    await shows("Page a", "Hotels", "Page b", "Page d", "Page e");
    await saved(desk.page);
    expect(await payload("other")).toMatchObject({
      pages: [{ id: "c", group: "g" }],
      groups: [{ id: "g", title: "Hotels", colour: "cyan", collapsed: true }],
    });
    expect((await payload("trip"))?.["groups"]).toHaveLength(1);
  });

  test("she renames, recolours, makes and dissolves groups", async () => {
    const { page: at } = desk;
    await at.getByLabel("Name of the group").fill("Where to sleep");
    await at.keyboard.press("Enter");
    await at.locator(".tab-group").getByRole("button", { name: "Colour" }).click();
    await at.getByRole("button", { name: "red" }).click();
    await at.getByLabel("Select Page a").click();
    await at.getByLabel("Select Page e").click();
    await at.getByRole("button", { name: "Group", exact: true }).click();
    await shows("", "Page a", "Page e", "Where to sleep", "Page b", "Page d");
    await at.getByRole("button", { name: "More for the group Where to sleep" }).click();
    await at.getByRole("menuitem", { name: "Ungroup" }).click();
    await shows("", "Page a", "Page e", "Page b", "Page d");
    await at.getByRole("button", { name: "Undo" }).click();
    await shows("", "Page a", "Page e", "Where to sleep", "Page b", "Page d");
    await saved(at);
    expect((await payload("trip"))?.["groups"]).toMatchObject([
      { id: "g", title: "Where to sleep", colour: "red", collapsed: true },
      { title: "", colour: "orange" },
    ]);
  });

  test("a tab is taken out of its group by its menu, and a range is selected with Shift", async () => {
    const { page: at } = desk;
    await tab("b").hover();
    await at.getByRole("button", { name: "More for Page b" }).click();
    await at.getByRole("menuitem", { name: "Take out of the group" }).click();
    await shows("", "Page a", "Page e", "Where to sleep", "Page d", "Page b");
    await at.getByLabel("Select Page a").click();
    await at.getByLabel("Select Page d").click({ modifiers: ["Shift"] });
    await at.getByText("3 selected").waitFor();
    expect(desk.faults).toEqual([]);
  });
});
