import { expect, test } from "bun:test";
import { MAX_PAYLOAD } from "../../src/domain/base/payload.ts";
import { inChromium } from "../support/browser/engines.ts";
import { eventually, titles, useDesk } from "../support/app/desk.ts";

/** Where an app leads that shares something with the installed web app. */
const share = (text: string, title: string): string =>
  `/tasks/share?text=${encodeURIComponent(text)}&title=${encodeURIComponent(title)}`;

inChromium("Ann saves links, in two windows and from other pages:", (engine) => {
  const desk = useDesk({ engine });

  test("a shared link is saved to the inbox, but only once she says so", async () => {
    const { page, open, device } = desk;
    await open(share("Look at this: https://a.example/page", "A page"));
    expect((await device("GET", "/tasks")).json.tasks).toEqual([]);
    await page.getByRole("button", { name: "Save to the inbox" }).click();
    await page.getByText("Saved to “Inbox”.").waitFor();
    await eventually(async () => (await device("GET", "/tasks")).json.tasks[0]?.tab_count === 1);
    const [inbox] = (await device("GET", "/tasks")).json.tasks;
    expect((await device("GET", `/tasks/${inbox.id}`)).json.tabs).toMatchObject([
      { url: "https://a.example/page", title: "A page" },
    ]);
  });

  test("a full inbox is left as it is, and the link is saved to another", async () => {
    const { page, open, device } = desk;
    const inboxes = async (): Promise<readonly { readonly id: string }[]> =>
      (await device("GET", "/tasks")).json.tasks.filter(
        ({ title }: { readonly title: string }) => title === "Agent unsorted",
      );
    const [full] = await inboxes();
    const filler = "x".repeat(MAX_PAYLOAD - 200);
    const updated_at = new Date().toISOString();
    const task = { table: "sync_tasks", updated_at, deleted_at: null };
    await device("POST", "/sync", [
      { ...task, id: full?.id, payload: { title: "Agent unsorted", pages: [], filler } },
      { ...task, id: "later", payload: { title: "It is full by now" } },
    ]);
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).includes("It is full by now"));
    await open(share("https://a.example/more", "More"));
    await page.getByRole("button", { name: "Save to the inbox" }).click();
    await page.getByText("Saved to “Inbox”.").waitFor();
    await eventually(async () => (await inboxes()).length === 2);
    const other = (await inboxes()).find(({ id }) => id !== full?.id);
    expect((await device("GET", `/tasks/${other?.id}`)).json.tabs).toMatchObject([
      { url: "https://a.example/more", title: "More" },
    ]);
    await page.getByRole("link", { name: "Go to the inbox" }).click();
    await page.getByText("More", { exact: true }).first().waitFor();
  });

  test("what is no web address cannot be saved", async () => {
    await desk.open(share("javascript:alert(1)", "Odd"));
    await desk.page.getByText("There is no web address to save.").waitFor();
    expect(await desk.page.getByRole("button", { name: "Save to the inbox" }).count()).toBe(0);
  });

  test("the installed app's shortcut starts a new task", async () => {
    await desk.open("/tasks/today?new");
    await desk.page.getByRole("dialog", { name: "New task" }).waitFor();
    await desk.page.keyboard.type("From the shortcut");
    await desk.page.keyboard.press("Enter");
    await eventually(async () => (await titles(desk.page)).includes("From the shortcut"));
    await desk.page.keyboard.press("Escape");
  });

  test("a second window shows at once what the first one does", async () => {
    const second = await desk.context.newPage();
    await second.goto("/tasks/today");
    await eventually(async () => (await titles(second)).includes("From the shortcut"));
    await desk.page.getByLabel("Add a task").fill("From the first window");
    await desk.page.keyboard.press("Enter");
    await eventually(async () => (await titles(second)).includes("From the first window"));
    await second.close();
    expect(desk.faults).toEqual([]);
  });

  test("the bookmarklet is offered as text, and leads to this server", async () => {
    await desk.page.getByRole("button", { name: /account menu$/ }).click();
    await desk.page.getByRole("menuitem", { name: "Get the bookmarklet" }).click();
    const text = await desk.page.getByLabel("Address of the bookmark").inputValue();
    expect(text).toStartWith(`javascript:void open("${desk.url}/tasks/share?url="`);
  });
});
