import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_ANSWER, sanitise } from "../../src/mcp/results.ts";
import { cases } from "../support/random.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { agent, type Agent, type Data } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 100_000, perHour: 100_000 } });

/**
 * What a device may have stored, whoever wrote its pages: short texts and endless ones, plain and
 * hostile.
 */
const UNITS = [
  "a",
  "é",
  "😀",
  "\u200B",
  "\u202E",
  "\u{E0041}",
  '"',
  "\\",
  "\n",
  "\u0001",
  "क\u200D",
];
const text = fc
  .tuple(
    fc.array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 4 }),
    fc.nat({ max: 40_000 }),
  )
  .map(([units, length]) =>
    units
      .join("")
      .repeat(1 + length / units.length)
      .slice(0, length),
  );
const short = fc.oneof(fc.string({ maxLength: 20 }), text);
const tab = fc.record({ id: text, url: short, title: short }, { requiredKeys: ["url"] });
const note = fc.record({ id: short, text: short }, { requiredKeys: ["text"] });
const anyTask = fc.record({
  title: short,
  status: short,
  colour: short,
  project_id: short,
  pages: fc.array(tab, { maxLength: 8 }),
  notes: fc.array(note, { maxLength: 4 }),
});
/** Ids that a device may choose, as hostile as possible. */
const anyId = fc
  .array(fc.constantFrom("a", "\u200B", "\u202E", "é", '"', "\\"), { minLength: 1, maxLength: 255 })
  .map((units) => units.join(""));
const world = fc.record({
  tasks: fc.uniqueArray(fc.tuple(anyId, anyTask), {
    selector: ([one]) => one,
    minLength: 1,
    maxLength: 5,
  }),
  folders: fc.uniqueArray(fc.tuple(anyId, short), { selector: ([one]) => one, maxLength: 8 }),
});

type World = typeof world extends fc.Arbitrary<infer Made> ? Made : never;

/** A person whose device pushed all this, and their agent. */
const someoneWith = async ({ tasks, folders }: World) => {
  const ann = await newcomer(server);
  const body = [
    ...tasks.map(([one, payload]) => change("sync_tasks", one, payload)),
    ...folders.map(([one, name]) => change("sync_projects", one, { name, colour: name })),
  ];
  const { json } = await server.call("POST", "/sync", { token: ann.session, body });
  if (json.invalid.length > 0) return null;
  return { ann, bot: agent(server, await ann.key()) };
};

/** Calls a tool, and checks that its answer has the documented size. */
const readBy = async (bot: Agent, tool: string, args: object): Promise<Data> => {
  const { text: answer, data, error } = await bot.use(tool, args);
  expect(error).toBeNull();
  expect(answer.length).toBeLessThanOrEqual(MAX_ANSWER);
  return data;
};

/** All rows of a list, as a client that follows it gets them. */
const follow = async (
  bot: Agent,
  [tool, list, next, from]: readonly [string, string, string, string],
  args: object,
): Promise<readonly Data[]> => {
  const rows: Data[] = [];
  let more: object | null = {};
  for (let calls = 0; more !== null; calls++) {
    expect(calls).toBeLessThan(200);
    const data: Data = await readBy(bot, tool, { ...args, ...more });
    expect(data[list].length > 0 || data[next] === null).toBe(true);
    rows.push(...data[list]);
    more = data[next] === null ? null : { [from]: data[next] };
  }
  return rows;
};

const TASKS = ["find_tasks", "tasks", "next_cursor", "cursor"] as const;
const FOLDERS = ["list_folders", "folders", "next", "from"] as const;
const PARTS = [
  ["read_task", "tabs", "tabs_next", "tabs_from"],
  ["read_task", "notes", "notes_next", "notes_from"],
] as const;

const first = (bot: Agent, id: string): Promise<Data> => readBy(bot, "read_task", { task_id: id });

/** Checks one list of a task: what the first answer says of it, and all of its items. */
const expectWhole = async (
  bot: Agent,
  id: string,
  read: Data,
  part: (typeof PARTS)[number],
  count: number,
): Promise<void> => {
  const [, list, next, from] = part;
  expect(read[next]).toBe(read[list].length < count ? read[list].length : null);
  expect(await follow(bot, part, { task_id: id, [from]: 0 })).toHaveLength(count);
};

test("Whatever is stored, no answer is too large, and a client that goes on gets every row once", async () => {
  const property = fc.asyncProperty(
    world,
    fc.integer({ min: 1, max: 50 }),
    async (stored, limit) => {
      const someone = await someoneWith(stored);
      if (!someone) return;
      const { bot } = someone;
      const found = await follow(bot, TASKS, { limit, closed: true });
      expect(found.map((row) => row.id).toSorted()).toEqual(
        stored.tasks.map(([one]) => sanitise(one)).toSorted(),
      );
      const whole = await follow(bot, TASKS, { limit, closed: true, whole: true });
      expect(whole.map((row) => row.id)).toEqual(found.map((row) => row.id));
      expect(await follow(bot, FOLDERS, {})).toHaveLength(stored.folders.length);
      for (const [one, { pages, notes }] of stored.tasks) {
        const read = await first(bot, one);
        await expectWhole(bot, one, read, PARTS[0], pages.length);
        await expectWhole(bot, one, read, PARTS[1], notes.length);
      }
    },
  );
  await fc.assert(property, cases(8));
});

test("A shortened text says how long the whole is, and is its beginning", async () => {
  const long = `${"\u202E".repeat(50_000)}end`;
  const name = `${"😀".repeat(400)}end`;
  const page = { url: `https://a.example/${"x".repeat(8_000)}`, title: "x".repeat(9_000) };
  const stored = {
    title: name,
    status: name,
    colour: null,
    pages: [page],
    notes: [{ text: long }],
  };
  const someone = await someoneWith({ tasks: [["t", stored as never]], folders: [] });
  const {
    task: row,
    tabs,
    notes,
  } = await readBy((someone ?? expect.unreachable()).bot, "read_task", { task_id: "t" });
  expect([row.title.length, row.title_length]).toEqual([803, undefined]);
  expect(row.status).toBe("😀".repeat(150));
  expect(row.status_length).toBe(803);
  expect([tabs[0].url, tabs[0].url_length]).toEqual([page.url.slice(0, 2_000), page.url.length]);
  expect([tabs[0].title, tabs[0].title_length]).toEqual(["x".repeat(2_000), 9_000]);
  const [{ text: shown, text_length }] = notes;
  expect(text_length).toBe(long.length);
  // In JSON, its backslash is written twice.
  expect(shown).toBe("\\u{202e}".repeat(21_000 / 9));
});

test("A note of the greatest length that an agent can add is shown whole", async () => {
  const ann = await newcomer(server);
  const bot = agent(server, await ann.key());
  const { task } = await bot.does("add_task", { title: "t" });
  const notes = Array.from({ length: 5 }, (_, at) =>
    `${at} ${"word ".repeat(3_990)}`.padEnd(20_000, "."),
  );
  for (const one of notes) await bot.does("write_note", { task_id: task.id, text: one });
  const rows = await follow(bot, PARTS[1], { task_id: task.id, notes_from: 0 });
  expect(rows.map((row) => row.text)).toEqual(notes);
});

test("A page of many tasks holds fewer than requested, and says so", async () => {
  const ann = await newcomer(server);
  const bot = agent(server, await ann.key());
  const status = "x".repeat(64);
  const body = [change("sync_tasks", "first", { title: "first", status })];
  await server.call("POST", "/sync", { token: ann.session, body });
  for (let at = 0; at < 89; at++)
    await bot.does("add_task", {
      title: `${at} ${"x".repeat(495)}`,
      status,
      colour: "x".repeat(64),
    });
  const page = await readBy(bot, "find_tasks", { limit: 50 });
  expect(page.tasks.length).toBeWithin(40, 50);
  expect(page.next_cursor).toBeString();
  const rows = await follow(bot, TASKS, { limit: 50 });
  expect(rows.map(({ title }) => Number.parseInt(title, 10))).toEqual([
    ...Array.from({ length: 89 }, (_, at) => 88 - at),
    Number.NaN,
  ]);
});

test("Tasks with the longest ids can be listed one by one", async () => {
  const ann = await newcomer(server);
  const ids = Array.from({ length: 4 }, (_, at) => `${at}${"\u202E".repeat(254)}`);
  const body = ids.map((one) => change("sync_tasks", one, { title: one }));
  await server.call("POST", "/sync", { token: ann.session, body });
  const bot = agent(server, await ann.key());
  const rows = await follow(bot, TASKS, { limit: 1 });
  expect(rows.map((row) => row.id).toSorted()).toEqual(ids.map(sanitise));
});

test("list_folders has room for the folders of a key of 50 folders with the longest ids", async () => {
  const ann = await newcomer(server);
  const ids = Array.from({ length: 50 }, (_, at) => `${at}${"\u200B".repeat(250)}`);
  const body = ids.map((one) => change("sync_projects", one, { name: one }));
  await server.call("POST", "/sync", { token: ann.session, body });
  const restriction = { kind: "folders", folders: ids } as const;
  const bot = agent(server, await ann.key(["read"], "bot", restriction));
  expect(await follow(bot, FOLDERS, {})).toHaveLength(50);
});
