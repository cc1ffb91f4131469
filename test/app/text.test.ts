import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, saved, useDesk } from "../support/app/desk.ts";

const RAN = "document.title='ran'";

/** Texts that would break a careless page. */
const ODD = {
  markup: `<img src=x onerror="${RAN}"><script>${RAN}</script> {{7*7}} &amp; %s`,
  long: "W".repeat(500),
  longSigns: "👩‍👩‍👧‍👦".repeat(45),
  rightToLeft: "\u202eمرحبا بالعالم، هذا عنوان طويل 123",
  emoji: "🦊🇵🇹👩🏽‍🚀 e\u0301 ﷽ ",
  lines: "one\ntwo\t\u0007three\u0000".replaceAll("\u0000", ""),
} as const;

const names = Object.keys(ODD) as readonly (keyof typeof ODD)[];

inBrowser("Text is text, and fits a phone:", () => {
  const desk = useDesk({
    screen: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } },
    prepare: async ({ agent, device, open, page }) => {
      const updated_at = formatInstant(Date.now() - 60_000);
      const today = updated_at.slice(0, 10);
      const records = names.flatMap((id) => {
        const text = ODD[id];
        return [
          { table: "sync_projects", id: `f-${id}`, updated_at, payload: { name: text } },
          { table: "sync_buckets", id: `b-${id}`, updated_at, payload: { name: text } },
          {
            table: "sync_tasks",
            id,
            updated_at,
            payload: {
              title: text,
              status: text.slice(0, 50),
              colour: text,
              due: today,
              project_id: `f-${id}`,
              bucket_id: `b-${id}`,
              tags: [text.slice(0, 50), text],
              pages: [
                { id: "1", url: `https://a.example/${encodeURIComponent(text)}`, title: text },
                { id: "2", url: `javascript:${RAN}`, title: text },
                { id: "3", url: text },
              ],
              notes: [{ id: "n", text }],
            },
          },
        ];
      });
      const { json } = await device("POST", "/sync", records);
      expect(json).toMatchObject({ invalid: [] });
      await agent("POST", "/inbox/tabs", [{ url: "https://a.example/", title: ODD.markup }]);
      await agent("POST", "/inbox/tabs", [{ url: "https://b.example/", title: ODD.long }]);
      await open("/tasks/open");
      await saved(page);
    },
  });

  const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  /** Whatever a script of the text would have done. */
  const harmed = `document.title === "ran" || document.querySelectorAll("main img, aside img, main script, aside script").length > 0`;
  const fits = async (where: string): Promise<void> => {
    const { page } = desk;
    expect([where, await page.evaluate(wide), await page.evaluate(harmed)]).toEqual([
      where,
      false,
      false,
    ]);
  };

  test.each(names)("a task of %s", async (id) => {
    const { page, open, faults } = desk;
    await open(`/tasks/open?task=${id}`);
    const title = page.getByRole("textbox", { name: "Title" });
    await eventually(
      async () =>
        (await title.inputValue()).trim() === ODD[id].replaceAll("\n", " ").trim() ||
        (await title.inputValue()) === ODD[id],
    );
    expect(await page.getByLabel("Note", { exact: true }).inputValue()).toBe(ODD[id]);
    const tabs = page.getByRole("region", { name: "Tabs" });
    expect(await tabs.locator(".tab .title").first().textContent()).toBe(ODD[id]);
    expect(await tabs.locator(".tab a.title").count()).toBe(1);
    await fits(id);
    for (const menu of ["More for this task", "Colour"]) {
      await page.getByRole("button", { name: menu, exact: true }).tap();
      await fits(`${id}, ${menu}`);
      await page.keyboard.press("Escape");
    }
    expect(faults).toEqual([]);
  });

  test.each([
    "/tasks/today",
    "/tasks/open",
    "/tasks/board",
    "/tasks/inbox",
    "/tasks/agents",
    "/tasks/search?q=W",
    "/tasks/search",
    ...names.map((id) => `/tasks/folder/f-${id}`),
    `/tasks/open?tag=${encodeURIComponent(ODD.markup)}`,
    `/tasks/share?url=${encodeURIComponent(`https://a.example/${ODD.long}`)}&title=${encodeURIComponent(ODD.markup)}`,
  ])("%s", async (path) => {
    const { page, open, faults } = desk;
    await open(path);
    await page.locator("main h1").waitFor({ state: "attached" });
    await fits(path);
    await page.getByRole("button", { name: "More", exact: true }).tap();
    await fits(`${path}, with the list of views`);
    expect(faults).toEqual([]);
  });

  test("dialogs and messages", async () => {
    const { page, open } = desk;
    await open("/tasks/inbox");
    await page
      .getByRole("button", { name: /^Move to…/ })
      .last()
      .tap();
    await page.getByRole("option").first().waitFor();
    await fits("choose a task");
    await page.getByLabel("Choose a task").first().fill(ODD.long);
    await fits("choose a task, with a long title");
    await page.getByRole("option").last().tap();
    await page.getByText("moved to").waitFor();
    await fits("a message with a long title");
    await open("/tasks/open");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("www");
    await page.getByRole("option").first().waitFor();
    await fits("the palette");
  });
});
