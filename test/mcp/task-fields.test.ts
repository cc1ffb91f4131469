import { expect, test } from "bun:test";
import { newcomer, sharedServer } from "../support/replies.ts";
import { agent } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const SET = { due: "2026-03-04", tags: ["work", "home"], position: "a0" };

/** Ann's agent, and what REST shows of a task. */
const someone = async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const shown = async (id: string) =>
    (await server.call("GET", `/tasks/${id}`, { token: ann.session })).json;
  return { bot: agent(server, token), shown };
};

test("add_task and change_tasks take a date, tags and a position, which REST shows", async () => {
  const { bot, shown } = await someone();
  const { task } = await bot.does("add_task", { title: "t", ...SET });
  expect(task).toMatchObject(SET);
  expect(await shown(task.id)).toMatchObject(SET);
  const changed = await bot.does("change_tasks", {
    task_ids: [task.id],
    due: null,
    tags: ["home"],
  });
  expect(changed.tasks[0]).toMatchObject({ tags: ["home"], position: "a0" });
  expect(changed.tasks[0]).not.toHaveProperty("due");
  expect(await shown(task.id)).toMatchObject({ due: null, tags: ["home"], position: "a0" });
});

test("a task without them shows none of them", async () => {
  const { bot } = await someone();
  const { task } = await bot.does("add_task", { title: "t", due: null, tags: [], position: null });
  expect(Object.keys(task as object)).not.toContainAnyValues(["due", "tags", "position"]);
});

test("find_tasks finds by tag and date, with words too", async () => {
  const { bot } = await someone();
  for (const [title, due, tags] of [
    ["night trains", "2026-03-04", ["travel"]],
    ["rooms", "2026-03-05", ["travel", "home"]],
    ["day trains", null, ["travel"]],
  ] as const)
    await bot.does("add_task", { title, due, tags });
  const titles = async (query: object) => {
    const { tasks } = await bot.does("find_tasks", query);
    return (tasks as { title: string }[]).map(({ title }) => title);
  };
  expect(await titles({ tag: "travel", q: "trains" })).toEqual(["day trains", "night trains"]);
  expect(await titles({ tag: "home" })).toEqual(["rooms"]);
  expect(await titles({ due_before: "2026-03-05" })).toEqual(["night trains"]);
  expect(await titles({ due_after: "2026-03-03", due_before: "2026-03-06" })).toEqual([
    "rooms",
    "night trains",
  ]);
});

test("Tags are equal in any case, and in composed and decomposed letters", async () => {
  const { bot, shown } = await someone();
  const tags = ["Work", "Caf\u00E9", "WORK", "cafe\u0301"];
  const { task } = await bot.does("add_task", { title: "t", tags });
  expect(task.tags).toEqual(["Work", "Caf\u00E9"]);
  const { tasks } = await bot.does("find_tasks", { tag: "CAFE\u0301" });
  expect(tasks).toMatchObject([{ id: task.id }]);
  const changed = { task_ids: [task.id], tags: ["work", "CAFE\u0301", "new"] };
  expect((await bot.does("change_tasks", changed)).tasks[0].tags).toEqual([
    "Work",
    "Caf\u00E9",
    "new",
  ]);
  expect((await shown(task.id)).tags).toEqual(["Work", "Caf\u00E9", "new"]);
});

test.each([
  ["add_task", { title: "t", due: "tomorrow" }, "due must be a date that exists"],
  ["add_task", { title: "t", due: "2026-02-30" }, "due must be a date that exists"],
  ["add_task", { title: "t", tags: ["x".repeat(51)] }, "tags must be at most 20 tags"],
  ["find_tasks", { due_before: "2026-02-30" }, "due_before must be a date that exists"],
  ["find_tasks", { due_after: "soon" }, "due_after must be a date that exists, such as 2026-01-31"],
  ["find_tasks", { tag: "" }, "tag must have 1 to 50 characters"],
])("%s refuses %j", async (tool, args, says) => {
  const { bot } = await someone();
  expect((await bot.use(tool, args)).error).toStartWith(says);
});
