import { beforeAll, expect, test } from "bun:test";
import { atEachAddress } from "../support/browser/engines.ts";
import { afterTyping, eventually, row, saved, titles, useDesk } from "../support/app/desk.ts";

atEachAddress("Ann pastes, drops, selects and copies:", (engine) => {
  const desk = useDesk({ engine });

  /** Does what the browser does when someone pastes a text that they copied elsewhere. */
  const paste = async (text: string): Promise<void> => {
    await desk.page.evaluate((copied) => {
      const give = (event: ClipboardEvent): void => {
        event.clipboardData?.setData("text/plain", copied);
        event.preventDefault();
      };
      document.addEventListener("copy", give, { once: true });
      document.execCommand("copy");
    }, text);
    await desk.page.keyboard.press("Control+v");
  };
  /** What someone gets who pastes what was copied. */
  const clipboard = async (): Promise<string> => {
    const { page } = desk;
    await page.evaluate(() => {
      const area = Object.assign(document.createElement("textarea"), { id: "pasted" });
      document.body.append(area);
      area.focus();
    });
    await page.keyboard.press("Control+v");
    const text = await page.locator("#pasted").inputValue();
    await page.evaluate("pasted.remove()");
    return text;
  };
  /** Drops something from another window, as the browser reports it. */
  const drop = (selector: string, data: Readonly<Record<string, string>>) =>
    desk.page.evaluate(
      ([place = "", entries = ""]) => {
        const dataTransfer = new DataTransfer();
        for (const [type, text] of Object.entries<string>(JSON.parse(entries)))
          dataTransfer.setData(type, text);
        for (const kind of ["dragover", "drop"])
          document
            .querySelector(place)
            ?.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
      },
      [selector, JSON.stringify(data)],
    );
  const task = async (title: string) =>
    (await desk.device("GET", "/tasks")).json.tasks.find(
      (one: { readonly title: string }) => one.title === title,
    );
  const lists = (...expected: readonly string[]) =>
    eventually(async () => (await titles(desk.page)).join() === expected.join());

  beforeAll(async () => {
    await desk.open("/tasks/open");
  });

  test("several lines at once become as many tasks, in their order, in one step", async () => {
    const { page } = desk;
    await page.getByLabel("Add a task").focus();
    await paste("Buy milk\n- [ ] Call Bob\nhttps://bob.example/\n\nPay the rent");
    const dialog = page.getByRole("dialog", { name: "New task" });
    await dialog.getByText("Each line will become a task, and its links tabs").waitFor();
    await dialog.getByRole("button", { name: "Add 3 tasks" }).click();
    await lists("Buy milk", "Call Bob", "Pay the rent");
    await saved(page);
    expect((await task("Call Bob")).tab_count).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await lists();
    await page.keyboard.press("n");
    await paste("Buy milk\nCall Bob\nPay the rent");
    await page.keyboard.press("Enter");
    await lists("Buy milk", "Call Bob", "Pay the rent");
    await page.keyboard.press("Escape");
  });

  test("one line keeps its number, and several links are one task", async () => {
    const { page } = desk;
    await page.getByLabel("Add a task").fill("2. Draft");
    await page.keyboard.press("Enter");
    await lists("2. Draft", "Buy milk", "Call Bob", "Pay the rent");
    await page.getByLabel("Add a task").focus();
    await paste("https://a.example/\nhttps://b.example/");
    await page.keyboard.press("Enter");
    await eventually(async () => (await task("https://a.example/"))?.tab_count === 2);
    await page.keyboard.press("Escape");
    await row(page, "https://a.example/").getByRole("link").focus();
    await afterTyping(page);
    await page.keyboard.press("#");
    await lists("2. Draft", "Buy milk", "Call Bob", "Pay the rent");
  });

  test("links pasted beside an open task become its tabs; pasted words a new task", async () => {
    const { page } = desk;
    await row(page, "Call Bob").getByRole("link").click();
    await page.getByRole("complementary", { name: "Task: Call Bob" }).waitFor();
    await paste("See https://one.example/ and https://two.example/");
    await page.getByText("2 tabs added to “Call Bob”").waitFor();
    await eventually(async () => (await task("Call Bob")).tab_count === 2);
    await page.keyboard.press("Escape");
    await paste("Water the plants");
    await page.getByRole("dialog", { name: "New task" }).waitFor();
    await page.keyboard.press("Enter");
    await eventually(async () => (await titles(page)).includes("Water the plants"));
  });

  test("a link dropped onto a task becomes a tab, onto the list a task, onto a place what belongs there", async () => {
    const { page } = desk;
    await drop(".row:has([aria-label='Select Buy milk'])", {
      "text/uri-list": "https://milk.example/",
      "text/html": '<a href="https://milk.example/">The dairy</a>',
    });
    await page.getByText("1 tab added to “Buy milk”").waitFor();
    await drop("main .scroll", {
      "text/uri-list": "https://list.example/",
      "text/html": '<a href="https://list.example/">From the list</a>',
    });
    await eventually(async () => (await titles(page)).includes("From the list"));
    await drop("main .scroll", { "text/plain": "Only words" });
    await eventually(async () => (await titles(page)).includes("Only words"));
    await drop(".place[href='/tasks/inbox']", { "text/uri-list": "https://inbox.example/" });
    await page.getByText("1 tab added to the inbox").waitFor();
    await drop(".place[href='/tasks/today']", { "text/plain": "For today" });
    await eventually(async () => typeof (await task("For today"))?.due === "string");
    await saved(page);
    const { id } = await task("Buy milk");
    expect((await desk.device("GET", `/tasks/${id}`)).json.tabs).toMatchObject([
      { url: "https://milk.example/", title: "The dairy" },
    ]);
    expect((await task("Agent unsorted")).tab_count).toBe(1);
  });

  test("a link that is dropped beside everything does not lead her away", async () => {
    const prevented = await desk.page.evaluate(() => {
      const event = new DragEvent("drop", {
        bubbles: true,
        cancelable: true,
        dataTransfer: new DataTransfer(),
      });
      document.querySelector(".side-foot")?.dispatchEvent(event);
      return event.defaultPrevented;
    });
    expect(prevented).toBe(true);
  });

  test("a press on one checkbox and, with Shift, on another selects all between; Shift and arrows too", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    const all = await titles(page);
    const box = (at: number) => page.getByLabel(`Select ${all[at]}`, { exact: true });
    await box(1).click({ force: true });
    await box(3).click({ force: true, modifiers: ["Shift"] });
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Escape");
    await row(page, all[0] ?? "")
      .getByRole("link")
      .focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Shift+J");
    await page.getByText("4 selected").waitFor();
    await page.keyboard.press("Escape");
  });

  test("Ctrl+C copies tasks as Markdown, and pasting that makes the same tasks", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await page.getByLabel("Select Buy milk").click({ force: true });
    await page.getByLabel("Select Call Bob").click({ force: true });
    await page.keyboard.press("Control+c");
    await page.getByText("2 tasks copied as Markdown").waitFor();
    const text = await clipboard();
    expect(text).toBe(
      [
        "- [ ] Buy milk",
        "  - [The dairy](https://milk.example/)",
        "- [ ] Call Bob",
        "  - [https://one.example/](https://one.example/)",
        "  - [https://two.example/](https://two.example/)",
      ].join("\n"),
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+v");
    await page
      .getByRole("dialog", { name: "New task" })
      .getByRole("button", { name: "Add 2 tasks" })
      .click();
    await eventually(
      async () => (await titles(page)).filter((one) => one === "Call Bob").length === 2,
    );
    expect(desk.faults).toEqual([]);
  });

  test("the key after Escape counts already", async () => {
    const { page } = desk;
    await afterTyping(page);
    for (let times = 0; times < 5; times += 1) {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("n");
      await page.getByRole("dialog", { name: "New task" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });

  test("what agents did is moved, and keeping it can be taken back", async () => {
    const { page, agent } = desk;
    await agent("POST", "/tasks", { title: "From an agent" });
    await page.getByRole("link", { name: /^From agents/ }).click();
    await page.getByRole("button", { name: "Move From an agent" }).click();
    await page.keyboard.type("Sorted");
    await page.keyboard.press("Enter");
    // The task is open beside the list, which is too narrow for names of folders then.
    await row(page, "From an agent").getByText("Sorted").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Keep all" }).click();
    await eventually(async () => (await page.locator(".row-acts").count()) === 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Keep all" }).waitFor();
  });

  test("a task says who made it and when; its history leads back to it", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await row(page, "Water the plants").getByRole("link").click();
    expect(await page.locator(".panel-foot").innerText()).toMatch(/^Made by you, .+ · Changed /);
    const history = page.locator(".panel-foot").getByRole("link", { name: "History" });
    await page.goto((await history.getAttribute("href")) ?? "");
    await page.getByRole("link", { name: "Open this task" }).click();
    await page.getByRole("complementary", { name: "Task: Water the plants" }).waitFor();
    await page.getByRole("button", { name: /account menu$/ }).click();
    await page.getByRole("menuitem", { name: "What agents did" }).click();
    await page.getByRole("link", { name: "Open From an agent" }).first().click();
    await page.getByRole("complementary", { name: "Task: From an agent" }).waitFor();
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("link", { name: "All deleted items" }).click();
    await page.getByRole("heading", { level: 1, name: "Deleted" }).waitFor();
    expect(desk.faults).toEqual([]);
  });
});
