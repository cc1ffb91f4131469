import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { inFirefox } from "../support/browser/firefox.ts";
import { png } from "../support/png.ts";
import { afterTyping, saved, useDesk } from "../support/app/desk.ts";

// A day of Ann's: 60 acts, each with the keys, words and clicks that it takes, and what she then sees.

const DAY = 24 * 60 * 60 * 1_000;
const day = (from: number): string => formatInstant(Date.now() + from * DAY).slice(0, 10);

const record = (table: string, id: string, payload: object) => ({
  table,
  id,
  updated_at: formatInstant(Date.now() - 60_000),
  payload,
});

const page = (id: string, host: string, title: string) => ({ id, url: `https://${host}/`, title });

const RECORDS = [
  record("sync_projects", "work", { name: "Work", colour: "blue" }),
  record("sync_projects", "site", { name: "Work / Site", colour: "green" }),
  record("sync_projects", "home", { name: "Home", colour: "amber" }),
  record("sync_tasks", "o1", { title: "Renew the passport", due: day(-3), position: "a1" }),
  record("sync_tasks", "o2", { title: "Call the bank", due: day(-1), position: "a2" }),
  record("sync_tasks", "t1", {
    title: "Plan the release",
    due: day(0),
    project_id: "work",
    position: "a3",
    pages: [
      page("p1", "status.example", "Status of the build"),
      page("p2", "docs.example", "Documentation"),
    ],
    notes: [{ id: "n1", text: "The draft is at https://draft.example/" }],
  }),
  record("sync_tasks", "t2", { title: "Water the plants", due: day(0), position: "a4" }),
  record("sync_tasks", "c1", { title: "Read about sync", project_id: "site", position: "a5" }),
  record("sync_tasks", "c2", { title: "Old idea", project_id: "home", position: "a6" }),
  record("sync_tasks", "c3", { title: "Order a lamp", position: "a7" }),
  record("sync_tasks", "d1", { title: "Pay the rent", status: "done" }),
];

/** What is done: `type …` types words, `click …` clicks on what a selector finds, all else is a key. */
type Act = readonly [what: string, presses: readonly string[], shows: string];

const ROW = (title: string): string => `.row:has-text("${title}")`;
const OPEN = (title: string): string => `click ${ROW(title)} .title`;
const MENU = (item: string): string => `click [role=menuitem]:has-text("${item}")`;
const PANEL = (title: string): string => `aside[aria-label="Task: ${title}"]`;
const HEAD = (title: string): string => `h1:has-text("${title}")`;
const ADDED = (title: string): string => `text=Added “${title}”`;
const NONE = "main";

const ACTS: readonly Act[] = [
  // In the morning: what is due.
  ["look at today", ["g", "t"], ROW("Renew the passport")],
  ["take what is late along", [`click button:has-text("Move all to today")`], NONE],
  ["finish the plants", [`click ${ROW("Water the plants")} .status-button`], NONE],
  ["note an errand", ["n", "type Buy milk tomorrow #errands", "Enter"], ADDED("Buy milk")],
  ["note a call for today", ["type Ring Sam today", "Enter", "Escape"], ROW("Ring Sam")],
  ["open the release", [OPEN("Plan the release")], PANEL("Plan the release")],
  ["see where the draft is", [], ".note-links a:has-text('draft.example')"],
  [
    "write a note",
    ["click [aria-label='Add a note']", "type Sam reads it first.", "Control+Enter"],
    ".notes h2:has-text('2')",
  ],
  [
    "tag it",
    ["click button:has-text('Tag')", "type launch", "Enter"],
    ".fields .tag:has-text('launch')",
  ],
  [
    "say that it goes on",
    ["choose .fields [aria-label='Status'] in_progress"],
    ".fields .chip:has-text('In progress')",
  ],
  ["close it", ["Escape"], NONE],
  // What came in overnight.
  ["look at the inbox", ["g", "i"], HEAD("Inbox")],
  ["look at what agents did", ["g", "f"], ROW("Summarise the minutes")],
  ["keep it", [`click [aria-label="Keep Summarise the minutes"]`], NONE],
  ["go to all that is open", ["g", "a"], ROW("Order a lamp")],
  // Sorting.
  ["open a task", [OPEN("Order a lamp")], PANEL("Order a lamp")],
  ["put it into a folder", ["Escape", "m", "type Home", "Enter"], NONE],
  ["give it a day", ["d", "type friday", "Enter"], `${ROW("Order a lamp")} .due`],
  ["choose another", ["x"], ".row.selected"],
  ["clear that", ["Escape"], NONE],
  [
    "look at the folder",
    ["click nav a:has-text('Home')"],
    `nav [aria-current="page"]:has-text("Home")`,
  ],
  ["go back", ["g", "a"], HEAD("All open")],
  // Finding.
  [
    "search for the documentation",
    ["/", "type documentation"],
    ".row mark:has-text('ocumentation'), .row .match",
  ],
  ["open what was found", ["ArrowDown", "o"], PANEL("Plan the release")],
  ["close it again", ["Escape"], NONE],
  ["find the task that is done", ["/", "type rent"], ROW("Pay the rent")],
  ["find anything", ["Control+k", "type Site"], "[role=option]:has-text('Site')"],
  ["go there", ["Enter"], `nav [aria-current="page"]:has-text("Site")`],
  ["add to it", ["n", "type Fix the footer", "Enter"], ADDED("Fix the footer")],
  [
    "another one, with a link",
    ["type Read https://a.example/guide", "Enter", "Escape"],
    ROW("Read"),
  ],
  // On the board.
  ["look at the board", ["g", "b"], HEAD("Board")],
  ["see what is done", [], ".column:has-text('Done')"],
  ["go back", ["g", "t"], HEAD("Today")],
  ["finish the call", [`click ${ROW("Ring Sam")} .status-button`], NONE],
  ["that was too early", ["u"], ROW("Ring Sam")],
  ["finish it now", [`click ${ROW("Ring Sam")} .status-button`], NONE],
  ["look at what is done", ["g", "d"], ROW("Ring Sam")],
  ["and back", ["g", "a"], HEAD("All open")],
  // Tidying.
  [
    "throw an idea away",
    [OPEN("Old idea"), "click [aria-label='More for this task']", MENU("Delete task")],
    NONE,
  ],
  ["look at the trash", ["g", "x"], ROW("Old idea")],
  ["take it back", [`click ${ROW("Old idea")} [aria-label^="Restore"]`], NONE],
  ["see it again", ["g", "a"], ROW("Old idea")],
  ["throw it away after all", [OPEN("Old idea"), "Escape", "#"], NONE],
  [
    "empty the trash",
    [
      "g",
      "x",
      "click button:has-text('Empty the trash')",
      "click button:has-text('Delete 1 task')",
    ],
    "text=The trash is empty",
  ],
  ["go on", ["g", "a"], HEAD("All open")],
  ["open the passport", [OPEN("Renew the passport")], PANEL("Renew the passport")],
  ["see what happened to it", ["click .panel-foot a:has-text('History')"], "dialog article"],
  ["close that", ["Escape"], NONE],
  [
    "rename it",
    ["click .task-title", "End", "type  soon", "Enter"],
    PANEL("Renew the passport soon"),
  ],
  ["close it", ["Escape"], NONE],
  ["move it to next week", ["d", "type next week", "Enter"], NONE],
  [
    "a folder for it",
    ["click [aria-label='Add a folder']", "type Papers", "Enter"],
    "nav a:has-text('Papers')",
  ],
  [
    "put it there",
    ["g", "a", OPEN("Renew the passport soon"), "Escape", "m", "type Papers", "Enter"],
    NONE,
  ],
  ["look there", ["click nav a:has-text('Papers')"], ROW("Renew the passport soon")],
  ["read the keys", ["?"], "dialog:has-text('Keyboard shortcuts')"],
  ["close them", ["Escape"], NONE],
  [
    "set the colours",
    ["click [aria-label$='account menu']", MENU("Settings")],
    "dialog:has-text('Settings')",
  ],
  ["close that", ["Escape"], NONE],
  // In the evening.
  ["what is left today", ["g", "t"], HEAD("Today")],
  ["finish the release", [`click ${ROW("Plan the release")} .status-button`], NONE],
];

inFirefox("In Firefox, a day of 60 acts", () => {
  const desk = useDesk({
    engine: "Firefox",
    prepare: async ({ device, agent }) => {
      await device("POST", "/sync", RECORDS);
      await agent("POST", "/inbox/tabs", [{ url: "https://b.example/", title: "Filed" }]);
      await agent("POST", "/tasks", { title: "Summarise the minutes" });
    },
  });

  let typedAt = 0;
  const press = async (what: string): Promise<void> => {
    const { keyboard } = desk.page;
    const [kind = "", rest = ""] = what.split(/ (.*)/s);
    if (kind === "type") {
      await keyboard.type(rest, { delay: 15 });
      typedAt = performance.now();
    } else if (kind === "choose") {
      const [selector = "", value = ""] = rest.split(/ (?=\S+$)/);
      await desk.page.locator(selector).selectOption(value);
    } else if (kind === "click") await desk.page.locator(rest).first().click();
    else {
      // Letters are no commands right after something was typed. Nobody is that fast.
      if (what.length === 1 && performance.now() - typedAt < 2_000) await afterTyping(desk.page);
      await keyboard.press(what);
    }
  };

  test("is done with few keys and clicks", async () => {
    await desk.open("/tasks/open");
    await desk.page.locator(ROW("Summarise the minutes")).waitFor();
    let presses = 0;
    let slowest: readonly [number, string] = [0, ""];
    const began = performance.now();
    for (const [what, how, shows] of ACTS) {
      const start = performance.now();
      try {
        for (const one of how) await press(one);
        await desk.page.locator(shows).first().waitFor();
      } catch (error) {
        throw new Error(`It came to “${what}”.`, { cause: error });
      }
      presses += how.length;
      const took = performance.now() - start;
      if (took > slowest[0]) slowest = [took, what];
    }
    const seconds = (performance.now() - began) / 1000;
    await saved(desk.page);
    process.stdout.write(
      `${ACTS.length} acts, ${presses} presses, ${seconds.toFixed(1)} s, the longest: ${slowest[1]}, ${Math.round(slowest[0])} ms\n`,
    );
    expect([ACTS.length, presses]).toEqual([60, 113]);
    expect(desk.faults).toEqual([]);
  });

  test("leaves nothing that an agent, or a device of the specification alone, does not know", async () => {
    const { device, agent } = desk;
    const icons = [{ host: "docs.example", png: png(32, [255, 0, 0]) }];
    expect((await device("POST", "/icons", { icons })).status).toBe(200);
    const before = (await device("GET", "/sync")).json.changes.sync_tasks as readonly Row[];
    const fields = new Set(before.flatMap(({ payload }) => Object.keys(payload)));
    expect([...fields].filter((field) => !KNOWN.includes(field))).toEqual([]);
    // The one changes a task, the other sends a task again as it was given it, with another title.
    expect((await agent("PATCH", "/tasks/t2", { colour: "green" })).status).toBe(200);
    const mine = before.find(({ id }) => id === "c1");
    const payload = { ...mine?.payload, title: "Read about sync again" };
    const change = { table: "sync_tasks", id: "c1", updated_at: new Date().toISOString(), payload };
    expect((await device("POST", "/sync", [change])).json).toMatchObject({
      applied: 1,
      rejected: [],
    });
    const after = (await device("GET", "/sync")).json.changes.sync_tasks as readonly Row[];
    const expected = { c1: payload, t2: { colour: "green" } } as Readonly<Record<string, object>>;
    for (const { id, payload: was } of before)
      expect(after.find((row) => row.id === id)?.payload).toEqual({ ...was, ...expected[id] });
  });
});

type Row = { readonly id: string; readonly payload: Readonly<Record<string, unknown>> };

const KNOWN =
  "bucket_id colour created_at due groups notes pages position project_id status tags title".split(
    " ",
  );
