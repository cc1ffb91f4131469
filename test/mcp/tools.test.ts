import { expect, test } from "bun:test";
import { BY_BOT, change, newcomer, sharedServer } from "../support/replies.ts";
import type { TestServer } from "../support/server.ts";
import { agent, lastCalls } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const BY_PERSON = { created_by: "person" };
const TAB = { url: "https://a.example/", title: "A" };

/** Ann, her device, and an agent called bot. */
const someone = async (on: TestServer = server) => {
  const ann = await newcomer(on);
  const token = await ann.key();
  const rest = async (method: string, path: string, body?: unknown, by = ann.session) =>
    (await on.call(method, path, { token: by, body })).json;
  return { ann, token, rest, bot: agent(on, token) };
};

test("add_task makes a task with tabs and notes in one call, and REST shows it as the agent's", async () => {
  const { rest, bot } = await someone();
  const folder = await rest("POST", "/projects", { name: "Travel" });
  const { task } = await bot.does("add_task", {
    title: "Plan the trip",
    status: "in_progress",
    colour: "red",
    folder: "Travel",
    tabs: [TAB, { url: "https://b.example/" }],
    notes: ["book it", "pack"],
  });
  expect(task).toEqual({
    id: expect.any(String) as string,
    title: "Plan the trip",
    status: "in_progress",
    colour: "red",
    folder: folder.id,
    folder_name: "Travel",
    tab_count: 2,
    note_count: 2,
    ...BY_BOT,
    created_at: "2026-03-04T12:00:00.000Z",
    updated_at: expect.any(String) as string,
  });
  const { tabs, notes, ...row } = await rest("GET", `/tasks/${task.id}`);
  expect(row).toMatchObject(task);
  expect(tabs).toMatchObject([
    { ...TAB, ...BY_BOT },
    { url: "https://b.example/", title: "https://b.example/", ...BY_BOT },
  ]);
  expect(notes).toMatchObject([
    { text: "book it", ...BY_BOT },
    { text: "pack", ...BY_BOT },
  ]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "add_task", 200, `task:${task.id}`]]);
});

test("A task needs only a title", async () => {
  const { bot } = await someone();
  const { task } = await bot.does("add_task", { title: "t", colour: null, folder: null });
  expect(task).toMatchObject({ status: "todo", tab_count: 0, note_count: 0 });
  expect(task).not.toHaveProperty("colour");
});

test("read_task shows who made what, in the order filed, without absent fields", async () => {
  const { rest, bot } = await someone();
  const task = await rest("POST", "/tasks", { title: "t", tabs: [TAB], notes: ["mine"] });
  await bot.does("file_tabs", { task_id: task.id, tabs: [{ url: "https://b.example/" }] });
  await bot.does("write_note", { task_id: task.id, text: "the bot's" });
  const read = await bot.does("read_task", { task_id: task.id });
  expect(read).toEqual({
    task: {
      id: task.id,
      title: "t",
      status: "todo",
      tab_count: 2,
      note_count: 2,
      created_at: task.created_at,
      updated_at: expect.any(String) as string,
    },
    etag: expect.any(String) as string,
    tabs: [
      { id: task.tabs[0].id, ...TAB },
      { id: expect.any(String) as string, url: "https://b.example/", ...BY_BOT },
    ],
    tabs_next: null,
    notes: [
      { id: task.notes[0].id, text: "mine", created_at: task.created_at },
      {
        id: expect.any(String) as string,
        text: "the bot's",
        ...BY_BOT,
        created_at: expect.any(String) as string,
      },
    ],
    notes_next: null,
  });
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "read_task", 200, `task:${task.id}`]]);
});

test("file_tabs adds tabs at the end of a task", async () => {
  const { rest, bot } = await someone();
  const { id } = await rest("POST", "/tasks", { title: "t", tabs: [TAB] });
  const filed = await bot.does("file_tabs", {
    task_id: id,
    tabs: [
      { url: " https://b.example/ ", title: "B" },
      { url: "https://c.example/", title: null },
    ],
  });
  expect(filed).toMatchObject({ tabs_filed: 2, task: { id, tab_count: 3 } });
  const { tabs } = await rest("GET", `/tasks/${id}`);
  expect(tabs).toMatchObject([
    { ...TAB, ...BY_PERSON },
    { url: "https://b.example/", title: "B", ...BY_BOT },
    { url: "https://c.example/", ...BY_BOT },
  ]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "file_tabs", 200, `task:${id}`]]);
});

test("file_tabs without a task files into the same inbox as REST", async () => {
  const { rest, bot } = await someone();
  const first = await bot.does("file_tabs", { tabs: [TAB] });
  expect(first.task).toMatchObject({ title: "Agent unsorted", tab_count: 1, ...BY_BOT });
  const second = await rest("POST", "/inbox/tabs", [{ url: "https://b.example/" }]);
  expect(second.task.id).toBe(first.task.id);
  const third = await bot.does("file_tabs", { tabs: [TAB] });
  expect(third.task).toMatchObject({ id: first.task.id, tab_count: 3 });
});

test("write_note adds a note, and REST shows it", async () => {
  const { rest, bot } = await someone();
  const { id } = await rest("POST", "/tasks", { title: "t", notes: ["mine"] });
  expect(await bot.does("write_note", { task_id: id, text: "line 1\nline 2" })).toMatchObject({
    task: { id, note_count: 2 },
  });
  const { notes } = await rest("GET", `/tasks/${id}`);
  expect(notes).toMatchObject([
    { text: "mine", created_by: "person" },
    { text: "line 1\nline 2", ...BY_BOT },
  ]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "write_note", 200, `task:${id}`]]);
});

test("change_tasks changes the fields sent, keeps the rest, and removes with null", async () => {
  const { rest, bot } = await someone();
  const folder = await rest("POST", "/projects", { name: "Travel" });
  const { id } = await rest("POST", "/tasks", { title: "t", colour: "red", notes: ["mine"] });
  const changed = await bot.does("change_tasks", {
    task_ids: [id],
    status: "done",
    folder: folder.id,
  });
  expect(changed.tasks[0]).toMatchObject({ title: "t", status: "done", colour: "red" });
  expect(changed.tasks[0]).toMatchObject({ folder: folder.id, note_count: 1 });
  await bot.does("change_tasks", { task_ids: [id], title: "u", colour: null, folder: null });
  expect(await rest("GET", `/tasks/${id}`)).toMatchObject({
    title: "u",
    status: "done",
    colour: null,
    folder: null,
    created_by: "person",
    notes: [{ text: "mine", created_by: "person" }],
  });
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "change_tasks", 200, `task:${id}`]]);
});

test("add_folder makes a folder, and list_folders lists it with its number of open tasks", async () => {
  const { rest, bot } = await someone();
  const { folder } = await bot.does("add_folder", { name: "Travel", colour: "blue" });
  const made = { id: folder.id, name: "Travel", colour: "blue", task_count: 0, ...BY_BOT };
  expect(folder).toEqual(made);
  expect(await lastCalls(server, 1)).toEqual([
    ["POST /mcp", "add_folder", 200, `folder:${folder.id}`],
  ]);
  await rest("POST", "/projects", { name: "Work" });
  await bot.does("add_task", { title: "t", folder: "Travel" });
  await bot.does("add_task", { title: "t", folder: "Travel", status: "done" });
  const { folders, next } = await bot.does("list_folders");
  expect(next).toBeNull();
  expect(folders).toEqual([
    { ...made, task_count: 1 },
    { id: expect.any(String) as string, name: "Work", task_count: 0 },
  ]);
  const { projects } = await rest("GET", "/projects");
  expect(projects).toMatchObject(folders as object[]);
  expect(await bot.does("list_folders", { from: 1 })).toEqual({ folders: [folders[1]], next });
  expect(await bot.does("list_folders", { from: 9 })).toEqual({ folders: [], next });
});

test("find_tasks finds the same tasks as GET /tasks with each filter, in the same order", async () => {
  const { rest, bot } = await someone();
  const folder = await rest("POST", "/projects", { name: "Travel" });
  const body = [change("sync_tasks", "device's", { title: "from the device", status: "blocked" })];
  await rest("POST", "/sync", body);
  await rest("POST", "/tasks", { title: "in Travel", folder: folder.id });
  await rest("POST", "/tasks", { title: "closed", status: "done" });
  await bot.does("add_task", { title: "the bot's", tabs: [TAB] });
  const early = (await bot.does("find_tasks")).server_time;
  await bot.does("add_task", { title: "later", status: "in_review" });
  const titles = async (args: object) =>
    (await bot.does("find_tasks", args)).tasks.map(({ title }: { title: string }) => title);
  const listed = async (query: string) =>
    (await rest("GET", `/tasks?${query}`)).tasks.map(({ title }: { title: string }) => title);
  for (const [args, query, count] of [
    [{}, "", 4],
    [{ status: "done" }, "status=done", 1],
    [{ status: "blocked, in_review" }, "status=blocked,in_review", 2],
    [{ folder: "Travel" }, `project_id=${folder.id}`, 1],
    [{ folder: folder.id }, `project_id=${folder.id}`, 1],
    [{ folder: "none" }, "project_id=none", 3],
    [{ created_by: "agent" }, "created_by=agent", 2],
    [{ created_by: "person" }, "created_by=person", 2],
    [{ url: TAB.url }, `url=${TAB.url}`, 1],
    [{ since: early }, `since=${early}`, 1],
    [{ limit: 2 }, "limit=2", 2],
  ] as const) {
    const found = await titles(args);
    expect([args, found]).toEqual([args, await listed(query)]);
    expect([args, found.length]).toEqual([args, count]);
  }
  expect(await titles({ closed: true })).toContain("closed");
  const page = await bot.does("find_tasks", { limit: 3 });
  expect(page.next_cursor).toBeString();
  const last = await bot.does("find_tasks", { limit: 3, cursor: page.next_cursor });
  expect([last.tasks.length, last.next_cursor]).toEqual([1, null]);
  expect(last.server_time).toBe(page.server_time);
});

test("find_tasks finds words in titles, tabs and notes", async () => {
  const { rest, bot } = await someone();
  await rest("POST", "/tasks", { title: "Book a ferry to Bergen" });
  await rest("POST", "/tasks", { title: "Later", notes: ["the ferry leaves at nine"] });
  await rest("POST", "/tasks", { title: "Reading", tabs: [{ url: "https://ferry.example/" }] });
  await rest("POST", "/tasks", { title: "Groceries" });
  const titles = async (args: object) =>
    (await bot.does("find_tasks", args)).tasks.map(({ title }: { title: string }) => title);
  expect((await titles({ q: "ferry" })).toSorted()).toEqual([
    "Book a ferry to Bergen",
    "Later",
    "Reading",
  ]);
  expect(await titles({ q: "ferry bergen" })).toEqual(["Book a ferry to Bergen"]);
  expect(await titles({ q: 'NOT ferry" OR *' })).toEqual([]);
});

test("Everything an agent finds is labelled with its author", async () => {
  const { ann, rest, bot } = await someone();
  const other = agent(server, await ann.key(["read", "write"], "scout"));
  await rest("POST", "/tasks", { title: "ann's" });
  await bot.does("add_task", { title: "bot's" });
  await other.does("add_task", { title: "scout's" });
  const { tasks } = await bot.does("find_tasks");
  const labels = tasks.map((task: object) => {
    const { title, created_by, created_by_key } = task as Record<string, string>;
    return [title, created_by, created_by_key];
  });
  expect(labels).toEqual([
    ["scout's", "agent", "scout"],
    ["bot's", "agent", "bot"],
    ["ann's", undefined, undefined],
  ]);
});

test("Deleted tasks and tasks in the trash are never found", async () => {
  const { rest, bot } = await someone();
  const at = "2026-03-04T12:00:00.000Z";
  await rest("POST", "/sync", [
    change("sync_buckets", "trash", { name: "Trash", kind: "trash" }),
    change("sync_tasks", "gone", { title: "gone" }, { deleted_at: at }),
    change("sync_tasks", "thrown", { title: "thrown", bucket_id: "trash" }),
    change("sync_projects", "old", { name: "old" }, { deleted_at: at }),
  ]);
  expect((await bot.does("find_tasks", { closed: true })).tasks).toEqual([]);
  expect((await bot.does("list_folders")).folders).toEqual([]);
  const error = "Task not found. It may have been deleted. Ids come from find_tasks.";
  expect((await bot.use("read_task", { task_id: "gone" })).error).toBe(error);
  for (const id of ["gone", "thrown"]) {
    expect((await bot.use("change_tasks", { task_ids: [id], title: "u" })).error).toBe(error);
    expect((await bot.use("write_note", { task_id: id, text: "n" })).error).toBe(error);
    expect((await bot.use("file_tabs", { task_id: id, tabs: [TAB] })).error).toBe(error);
  }
});

test("Bob's agent reaches nothing of ann's", async () => {
  const { rest } = await someone();
  const { bot } = await someone();
  const { id } = await rest("POST", "/tasks", { title: "ann's", tabs: [TAB] });
  await rest("POST", "/projects", { name: "Travel" });
  expect((await bot.does("find_tasks", { closed: true })).tasks).toEqual([]);
  expect((await bot.does("find_tasks", { url: TAB.url })).tasks).toEqual([]);
  expect((await bot.does("list_folders")).folders).toEqual([]);
  const error = "Task not found. It may have been deleted. Ids come from find_tasks.";
  expect((await bot.use("read_task", { task_id: id })).error).toBe(error);
  expect((await bot.use("change_tasks", { task_ids: [id], title: "u" })).error).toBe(error);
  expect((await bot.use("add_task", { title: "t", folder: "Travel" })).error).toBe(
    "folder does not match any folder in this account. Send an id or exact name from list_folders.",
  );
  expect(await rest("GET", `/tasks/${id}`)).toMatchObject({ title: "ann's", tab_count: 1 });
});
