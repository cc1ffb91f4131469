import { expect, test } from "bun:test";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, saved, useDesk } from "../support/app/desk.ts";

const DAY = (day: number) => ({ updated_at: `2026-03-0${day}T12:00:00.000Z` });
const TASKS: readonly (readonly [title: string, day: number, status?: string])[] = [
  ["Prepare the report", 7],
  ["Reporter's notes", 6],
  ["Report to Bob", 5],
  ["Report", 2],
  ["Misreported hours", 8],
  ["Report", 9, "done"],
];

inBrowser("What pickers and the palette find", () => {
  const desk = useDesk({
    prepare: async ({ agent, device, open, page }) => {
      const tasks = TASKS.map(([title, day, status = "todo"], at) => ({
        table: "sync_tasks",
        id: `task-${at}`,
        payload: { title, status, pages: [{ id: "tab", url: "https://boat.example/" }] },
        ...DAY(day),
      }));
      await device("POST", "/sync", tasks);
      await agent("POST", "/inbox/tabs", [{ url: "https://report.example/" }]);
      await open("/tasks/open");
      await saved(page);
    },
  });

  /** What is offered, from top to bottom. */
  const offered = (): Promise<readonly string[]> =>
    desk.page.getByRole("option").locator(".name").allInnerTexts();

  const offers = async (...names: readonly string[]): Promise<void> => {
    await eventually(async () => (await offered()).length === names.length, names.join(", "));
    expect(await offered()).toEqual([...names]);
  };

  test("the palette offers what the words name first, and goes there with Enter", async () => {
    const { page } = desk;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("report");
    const [first, second] = ["Report", "Reporter's notes"];
    const rest = ["Report to Bob", "Report", "Prepare the report", "Misreported hours", "Inbox"];
    await offers(first, second, ...rest);
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Task: Report", exact: true }).waitFor();
    expect(page.url()).toEndWith("task=task-3");
  });

  test("an action comes before a task that fits as well, not before one that fits better", async () => {
    const { page } = desk;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("port");
    await eventually(async () => (await offered())[0] === "Export everything", "the action first");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("inbox");
    await eventually(async () => (await offered()).includes("Inbox"), "the inbox is offered");
    expect(await offered()).toEqual(["Inbox", "Go to Inbox"]);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/tasks/inbox*");
  });

  test("the picker offers the task that Ann opened last, and ranks as the palette does", async () => {
    const { page, open } = desk;
    await open("/tasks/open?task=task-2");
    await open("/tasks/open?task=task-1");
    await page.getByLabel("Select https://boat.example/").click();
    await page.getByRole("toolbar").getByRole("button", { name: "Move", exact: true }).click();
    const recent = ["Report to Bob", "Report", "Inbox", "Misreported hours", "Prepare the report"];
    await offers(...recent);
    await page.keyboard.type("report");
    const ranked = ["Report", "Report to Bob", "Report", "Prepare the report"];
    await offers(...ranked, "Misreported hours", "Inbox", "New task “report”");
    expect(desk.faults).toEqual([]);
  });

  test("the picker finds a folder in any case, whether its letters are composed or not", async () => {
    const { page, open, device } = desk;
    const names = ["Cafe\u0301", "Caf\u00e9 bar", "Garage", "\u200B"];
    const records = names.map((name, at) => ({
      table: "sync_projects",
      id: `folder-${at}`,
      payload: { name },
      ...DAY(1),
    }));
    expect((await device("POST", "/sync", records)).json).toMatchObject({ invalid: [] });
    await open("/tasks/open");
    await page.getByRole("link", { name: "Garage" }).waitFor();
    await page.getByLabel("Select Report to Bob").setChecked(true, { force: true });
    await page.getByRole("toolbar").getByRole("button", { name: "Move", exact: true }).click();
    for (const typed of ["CAF\u00c9", "cafe\u0301"]) {
      await page.getByRole("combobox", { name: "Choose a folder" }).fill(typed);
      await offers("Cafe\u0301", "Caf\u00e9 bar", `New folder “${typed}”`);
    }
    await page.getByRole("combobox", { name: "Choose a folder" }).fill("unnamed");
    await offers("Unnamed folder", "New folder “unnamed”");
  });
});
