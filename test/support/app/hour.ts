import type { Page } from "playwright-core";
import { afterTyping, eventually } from "./desk.ts";

// Fifty edits of every kind, a minute apart, made in one hour without a network.

const MINUTE = 60_000;

/**
 * A script that sets a page's clock: an hour back at first, and later as `localStorage.lag` says, in milliseconds.
 * It runs before the page's own scripts.
 */
export const SLOW_CLOCK = `{
  const Real = Date;
  const lag = () => {
    try { return Number(localStorage.getItem("lag") ?? ${-60 * MINUTE}); } catch { return 0; }
  };
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + lag()); }
    static now() { return Real.now() + lag(); }
  };
}`;

export const setLag = (page: Page, ms: number): Promise<void> =>
  page.evaluate(`localStorage.setItem("lag", "${ms}")`);

const START = [..."abcdefghijklm"];

/** What the account holds before the network goes: 13 tasks with three tabs and a note each, and a folder. */
export const startRecords = (updated_at: string) => [
  { table: "sync_projects", id: "home", updated_at, payload: { name: "Home" } },
  ...START.map((id) => ({ table: "sync_tasks", id, updated_at, payload: startPayload(id) })),
];

export const startPayload = (id: string) => ({
  title: `Task ${id}`,
  status: "todo",
  position: `a${id}`,
  pages: ["1", "2", "3"].map((n) => ({
    id: `${id}${n}`,
    url: `https://${id}${n}.example/`,
    title: `Page ${id}${n}`,
  })),
  notes: [{ id: `${id}n`, text: `Note of ${id}` }],
});

const TITLE = "[aria-label='Title']";
const NOTE = "[aria-label='Note']";

// Scripts that say whether the page shows something.
const listed = (title: string) =>
  `[...document.querySelectorAll(".row .title")].some((one) => one.textContent === ${JSON.stringify(title)})`;
const valued = (place: string, value: string) =>
  `[...document.querySelectorAll(${JSON.stringify(place)})].some((one) => one.value === ${JSON.stringify(value)})`;
const within = (place: string, text: string) =>
  `[...document.querySelectorAll(${JSON.stringify(place)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`;
const not = (script: string) => `!(${script})`;
const tabsOfPanel = (count: number) =>
  `document.querySelectorAll(".panel .tab").length === ${count}`;

/** Makes the edits, through the app's own screens. Returns what she typed and must find again. */
export const editForAnHour = async (page: Page): Promise<readonly string[]> => {
  const click = (place: string) => page.click(place);
  const fill = (place: string, text: string) => page.fill(place, text);
  const choose = (place: string, value: string) => page.selectOption(place, value);
  const type = (text: string) => page.keyboard.type(text);
  const ask = <T>(script: string): Promise<T> => page.evaluate<T>(script);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const texts: string[] = [];
  let edits = 0;
  let lag = -60 * MINUTE;

  const shows = (script: string) => eventually(() => ask<boolean>(script), script);
  const thereIs = (place: string) =>
    shows(`document.querySelector(${JSON.stringify(place)}) !== null`);
  const typed = (text: string): string => {
    texts.push(text);
    return text;
  };
  /** One edit, a minute after the one before. It has worked once `holds` does. */
  const edit = async (make: () => Promise<unknown>, holds: string): Promise<void> => {
    edits += 1;
    lag += MINUTE;
    await setLag(page, lag);
    await make();
    await shows(holds).catch((error: unknown) => {
      throw new Error(`Edit ${edits} did not show: ${holds}`, { cause: error });
    });
  };
  const task = async (id: string): Promise<void> => {
    await click(`[data-row='${id}']`);
    await thereIs(`[data-row='${id}'][aria-current]`);
    await thereIs(TITLE);
  };
  const fromMenu = async (menu: string, line: string): Promise<void> => {
    await click(`[aria-label='${menu}']`);
    const lines = `[...document.querySelectorAll("[role=menu] [role=menuitem]")]`;
    await shows(`${lines}.length > 0`);
    await ask(`${lines}.find((one) => one.textContent.includes("${line}")).click()`);
  };
  const addTask = (title: string, links = "") =>
    edit(
      async () => {
        await fill("[aria-label='Add a task']", title + links);
        await press("Enter", "Escape");
      },
      listed(typed(title)),
    );

  // 1 to 8: new tasks, some with tabs.
  for (const n of [1, 2, 3, 4, 5, 6]) await addTask(`Written on the train ${n}`);
  for (const n of [7, 8])
    await addTask(`With links ${n}`, ` ${typed(`https://train${n}.example/`)}`);

  // 9 to 13: titles.
  for (const id of ["a", "b", "c", "d", "e"])
    await edit(
      async () => {
        await task(id);
        await click(TITLE);
        await press("End");
        await type(" on the way");
        await press("Enter");
      },
      listed(typed(`Task ${id} on the way`)),
    );

  // 14 to 17: statuses.
  for (const [id, status] of [
    ["a", "in_progress"],
    ["b", "blocked"],
    ["c", "in_review"],
    ["d", "in_progress"],
  ] as const)
    await edit(
      async () => {
        await task(id);
        await choose("[aria-label='Status']", status);
      },
      valued("[aria-label='Status']", status),
    );

  // 18 to 20: due dates.
  for (const id of ["a", "b", "c"])
    await edit(
      async () => {
        await task(id);
        await fill("input[aria-label='Due date']", "2031-05-06");
      },
      valued("input[aria-label='Due date']", "2031-05-06"),
    );

  // 21 to 24: tags.
  for (const [id, tag] of [
    ["a", "rail"],
    ["a", "tunnel"],
    ["b", "bridge"],
    ["c", "valley"],
  ] as const)
    await edit(
      async () => {
        await task(id);
        await click("button[aria-label='Add a tag']");
        await fill("input[aria-label='Add a tag']", typed(tag));
        await press("Enter", "Escape");
      },
      within(".panel .tag", tag),
    );

  // 25 to 31: notes: four added, one changed, one removed and one of those added before changed.
  for (const id of ["a", "b", "c", "d"])
    await edit(
      async () => {
        await task(id);
        await fill("[aria-label='Add a note']", typed(`Thought of ${id} in the dining car`));
        await press("Control+Enter");
      },
      valued(NOTE, `Thought of ${id} in the dining car`),
    );
  await edit(
    async () => {
      await task("e");
      await fill(NOTE, typed("Note of e, longer"));
      await press("Control+Enter");
    },
    `!document.activeElement.matches("textarea") && ${valued(NOTE, "Note of e, longer")}`,
  );
  await edit(
    async () => {
      await task("f");
      await click("[aria-label='Remove the note']");
    },
    not(`document.querySelector("${NOTE}")`),
  );

  // 31 to 37: tabs: added, renamed, removed, moved within a task and to another.
  for (const id of ["a", "b"])
    await edit(async () => {
      await task(id);
      await fill("[aria-label='Add tabs']", typed(`https://added-${id}.example/`));
      await press("Enter");
    }, tabsOfPanel(4));
  await edit(
    async () => {
      await task("c");
      await fromMenu("More for Page c1", "Rename");
      await fill("[aria-label='Title of the tab']", typed("The tab, renamed"));
      await press("Enter");
    },
    within(".panel .tab .title", "The tab, renamed"),
  );
  await edit(async () => {
    await fromMenu("More for Page c2", "Remove");
  }, tabsOfPanel(2));
  await edit(async () => {
    await task("d");
    await fromMenu("More for Page d1", "Move to another task");
    await fill("[aria-label='Choose a task'][role=combobox]", "Task e on");
    await ask(
      `[...document.querySelectorAll("[role=option]")].find((one) => one.textContent.startsWith("Task e on")).click()`,
    );
  }, tabsOfPanel(2));
  await edit(async () => {
    await task("f");
    await fromMenu("More for Page f1", "Move down");
  }, `document.querySelector(".panel .tab .title").textContent === "Page f2"`);

  // 37 to 42: a new folder, tasks moved into it, another one's name and colour.
  await press("Escape");
  await edit(
    async () => {
      await click("[aria-label='Add a folder']");
      await fill("[aria-label='Name of the new folder']", typed("Errands"));
      await press("Enter");
    },
    within(".folders .place", "Errands"),
  );
  await click(".place[href='/tasks/open']");
  for (const id of ["g", "h"])
    await edit(async () => {
      await task(id);
      await ask("document.activeElement.blur()");
      await afterTyping({ evaluate: ask });
      await press("m");
      await fill("[aria-label='Choose a folder'][role=combobox]", "Errands");
      await press("Enter");
    }, `document.querySelector("[aria-label='Folder']").selectedOptions[0].text === "Errands"`);
  await click(".place[href='/tasks/folder/home']");
  await edit(
    async () => {
      await fill("[aria-label='Folder name']", typed("Home, sweet home"));
      await press("Enter");
    },
    within(".folders .place", "Home, sweet home"),
  );
  await edit(async () => {
    await click("[aria-label='Colour']");
    await click("[role=group] [aria-label='green']");
  }, `document.querySelector("[aria-label='Colour'] .none") === null`);

  // 42 to 44: order.
  await click(".place[href='/tasks/open']");
  for (const n of [1, 2, 3])
    await edit(
      async () => {
        await ask(`document.querySelector("[data-row='i']").focus()`);
        await press("Alt+ArrowUp");
      },
      `document.querySelectorAll(".row .title").length - [...document.querySelectorAll(".row .title")].findIndex((one) => one.dataset.row === "i") === ${5 + n}`,
    );

  // 45 to 50: finished, taken back, deleted twice, one of them taken back, a column of the board.
  await edit(
    async () => {
      await ask(`document.querySelector("[data-row='h']").focus()`);
      await afterTyping({ evaluate: ask });
      await press("e");
    },
    not(listed("Task h")),
  );
  await edit(() => press("u"), listed("Task h"));
  for (const id of ["i", "j"])
    await edit(
      async () => {
        await ask(`document.querySelector("[data-row='${id}']").focus()`);
        await press("Delete");
      },
      not(listed(`Task ${id}`)),
    );
  await edit(() => press("u"), listed("Task j"));
  await press("g", "b");
  await edit(
    async () => {
      await ask(
        `[...document.querySelectorAll("main .button")].find((one) => one.textContent.includes("Add a column")).click()`,
      );
      await fill("[aria-label='Name of the new column']", typed("Later this year"));
      await press("Enter");
    },
    within(".column header", "Later this year"),
  );

  if (edits !== 50) throw new Error(`These were ${edits} edits.`);
  return texts;
};
