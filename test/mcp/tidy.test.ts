import { expect, test } from "bun:test";
import { newcomer, sharedServer } from "../support/replies.ts";
import { agent, calling, dumpOf, resultOf } from "../support/mcp/agent.ts";

// Arguments as clients and models really send them.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const TAB = { url: "https://a.example/", title: "A" };
const text = (value: unknown): string => JSON.stringify(value);

const someone = async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const bot = agent(server, token);
  const { task } = await bot.does("add_task", { title: "t", colour: "red", tabs: [TAB] });
  const read = async (id: string = task.id) =>
    (await server.call("GET", `/tasks/${id}`, { token })).json;
  return { bot, id: task.id as string, read };
};

test.each<[string, Readonly<Record<string, unknown>>]>([
  ["an array as JSON text", { tabs: text([TAB]) }],
  ["an array as JSON text between blanks", { tabs: ` \n${text([TAB])} ` }],
  ["objects as JSON text", { tabs: [text(TAB)] }],
  ["both as JSON text", { tabs: text([text(TAB)]) }],
  ["null for what is left out", { tabs: [TAB], task_id: null, idempotency_key: null }],
  ["a tab as it was read", { tabs: [{ ...TAB, id: "x", created_by: "person" }] }],
])("file_tabs takes %s", async (_name, args) => {
  const { bot } = await someone();
  const { task, tabs_filed } = await bot.does("file_tabs", args);
  expect([tabs_filed, task.tab_count]).toEqual([1, 1]);
});

test("Numbers and booleans may be texts, and lists of texts JSON text", async () => {
  const { bot, id } = await someone();
  const { task } = await bot.does("add_task", {
    title: "second",
    status: "done",
    tags: text(["travel"]),
    notes: text(["first", "second"]),
    colour: null,
  });
  expect([task.tags, task.note_count]).toEqual([["travel"], 2]);
  for (const closed of ["true", "True", true]) {
    const found = await bot.does("find_tasks", { closed, limit: "1", q: null });
    expect(found.tasks).toMatchObject([{ id: task.id }]);
  }
  const open = await bot.does("find_tasks", { closed: "false", limit: "50.0" });
  expect(open.tasks).toMatchObject([{ id }]);
  expect((await bot.does("read_task", { task_id: id, tabs_from: "1" })).tabs).toEqual([]);
});

test("A text that looks like JSON stays text where a text belongs", async () => {
  const { bot, read } = await someone();
  const { task } = await bot.does("add_task", { title: "[1]", notes: ['{"a": 1}', "null"] });
  const { title, notes } = await read(task.id);
  expect([title, notes[0].text, notes[1].text]).toEqual(["[1]", '{"a": 1}', "null"]);
});

test("Null clears a field that can be empty, and leaves any other as it is", async () => {
  const { bot, id, read } = await someone();
  await bot.does("change_tasks", { task_ids: [id], title: null, status: null, colour: null });
  expect(await read()).toMatchObject({ title: "t", status: "todo", colour: null });
});

test.each([[null], [[]], ["{}"], ["null"], [{}]])(
  "%j as the arguments of a call means that there are none",
  async (args) => {
    const { bot } = await someone();
    const { data } = resultOf(await bot.post(calling("list_folders", args)));
    expect(data).toEqual({ folders: [], next: null });
  },
);

test("All arguments of a call may be JSON text", async () => {
  const { bot } = await someone();
  const { data } = resultOf(await bot.post(calling("find_tasks", text({ limit: 1 }))));
  expect(data.tasks).toHaveLength(1);
});

const SHAPE = 'tabs must be a list, such as [{"url": "https://…"}].';
const TAB_SHAPE = 'tabs.0 must be an object, such as {"url": "https://…"}.';
const NEVER =
  "An API key can never delete anything, so it cannot send deleted_at. Nothing was changed.";

test.each<[object, string]>([
  [{ tabs: ["https://a.example/"] }, TAB_SHAPE],
  [{ tabs: text(["https://a.example/"]) }, TAB_SHAPE],
  [{ tabs: "https://a.example/" }, SHAPE],
  [{ tabs: '[{"url": ' }, SHAPE],
  [{ tabs: "[".repeat(100) }, SHAPE],
  [{ tabs: TAB }, SHAPE],
  [{ tabs: null }, "tabs is missing."],
  [
    { tabs: [{ ...TAB, favicon: "x" }] },
    "tabs.0.favicon is not a known field. It takes: url, title.",
  ],
  [{ tabs: text([{ ...TAB, deleted_at: null }]) }, NEVER],
  [{ tabs: '[{"url": "https://a.example/\\u0000"}]' }, "The arguments contain a NUL character."],
])("file_tabs refuses %j with a sentence that shows what it takes", async (args, says) => {
  const { bot } = await someone();
  const before = dumpOf(server);
  expect((await bot.use("file_tabs", args)).error).toBe(says);
  expect(dumpOf(server)).toEqual(before);
});

test("Lists of texts and numbers are refused with their shape too", async () => {
  const { bot } = await someone();
  const refused = async (tool: string, args: object) => (await bot.use(tool, args)).error;
  expect(await refused("add_task", { title: "t", tags: "travel" })).toBe(
    'tags must be at most 20 tags of 1 to 50 printable characters, such as ["travel"], or null.',
  );
  expect(await refused("add_task", { title: "t", notes: "first" })).toBe(
    'notes must be a list, such as ["Ask bob."].',
  );
  expect(await refused("find_tasks", { limit: "many" })).toBe(
    "limit must be a whole number from 1 to 50.",
  );
  expect(await refused("find_tasks", { closed: "yes" })).toBe(
    "closed must be true to include closed tasks.",
  );
});

test.each([["Groceries"], [7], [["x"]], [true]])("%j as all arguments is refused", async (args) => {
  const { bot } = await someone();
  const { error } = resultOf(await bot.post(calling("list_folders", args)));
  expect(error).toBe('list_folders has no argument "arguments". Its arguments are from.');
});
