import { expect, test } from "bun:test";
import { change, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { agent, type Agent, dumpOf, lastCalls } from "../support/mcp/agent.ts";
import { type Case, CASES } from "../support/mcp/refusals.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });

const ann = await newcomer(server);
const bot = agent(server, await ann.key());
const full = "x".repeat(1024 * 1024 - 200);
await server.call("POST", "/sync", {
  token: ann.session,
  body: [
    change("sync_tasks", "t", { title: "t", status: "done" }),
    change("sync_tasks", "odd", { title: "odd", pages: "none", notes: 7 }),
    change("sync_tasks", "full", { title: "full", blob: full }),
    change("sync_projects", "work", { name: "Work" }),
  ],
});

const TABS = [{ url: "https://a.example/" }];
const FOLDER = "does not match any folder in this account";

/** Checks that a call is refused and leaves nothing but its row in the activity list. */
const expectRefused = async (by: Agent, [tool, args, status, says, task]: Case) => {
  const before = dumpOf(server);
  const { error } = await by.use(tool, args);
  if (typeof says === "string") expect(error).toBe(says);
  else expect(error).toMatch(says);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", tool, status, task ?? null]]);
  expect(dumpOf(server)).toEqual(before);
};

test.each(CASES.map((one) => [one[0], JSON.stringify(one[1]).slice(0, 60), one] as const))(
  "%s refuses %s",
  (_tool, _args, one) => expectRefused(bot, one),
);

test("A message of more than 1 MiB is refused as a whole", async () => {
  const before = dumpOf(server);
  const answer = await bot.post(" ".repeat(1024 * 1024 + 1));
  expect([answer.status, answer.json]).toEqual([
    413,
    { error: "The message must be at most 1 MiB." },
  ]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", null, 413, null]]);
  expect(dumpOf(server)).toEqual(before);
});

test("A long made-up name is shortened in the refusal", async () => {
  const { error } = await bot.use("list_folders", { ["x".repeat(500)]: 1 });
  expect(error).toBe(`list_folders has no argument "${"x".repeat(60)}…". Its arguments are from.`);
  const hidden = await bot.use("list_folders", { "a\u202eb": 1 });
  expect(hidden.error).toBe('list_folders has no argument "a\\u{202e}b". Its arguments are from.');
});

const INBOX =
  "This key is restricted to the inbox, so it can only file tabs there. Nothing was changed.";
const NO_FOLDERS = (deed: string) =>
  `This key is restricted to its folders, so it cannot ${deed}. Nothing was changed.`;

const within = agent(
  server,
  await ann.key(["read", "write"], "restricted", { kind: "folders", folders: ["work"] }),
);
const inboxOnly = agent(server, await ann.key(["read", "write"], "inbox", { kind: "inbox" }));

const RESTRICTED: readonly (readonly [string, Agent, Case])[] = [
  ["a key of a folder", within, ["read_task", { task_id: "t" }, 404, SAYS.noTaskInTools, "task:t"]],
  [
    "a key of a folder",
    within,
    ["change_tasks", { task_ids: ["t"], title: "u" }, 404, SAYS.noTaskInTools, "task:t"],
  ],
  [
    "a key of a folder",
    within,
    ["write_note", { task_id: "t", text: "n" }, 404, SAYS.noTaskInTools, "task:t"],
  ],
  [
    "a key of a folder",
    within,
    ["file_tabs", { task_id: "t", tabs: TABS }, 404, SAYS.noTaskInTools, "task:t"],
  ],
  [
    "a key of a folder",
    within,
    ["file_tabs", { tabs: TABS }, 403, NO_FOLDERS("file into the inbox")],
  ],
  ["a key of a folder", within, ["add_folder", { name: "n" }, 403, NO_FOLDERS("create a folder")]],
  [
    "a key of a folder",
    within,
    ["add_task", { title: "t" }, 422, /Send one of them as folder\. list_folders lists them\./],
  ],
  [
    "a key of a folder",
    within,
    [
      "add_task",
      { title: "t", folder: "Nowhere" },
      422,
      `folder ${FOLDER}. Send an id or exact name from list_folders. The nearest: "Work".`,
    ],
  ],
  [
    "a key of the inbox",
    inboxOnly,
    ["read_task", { task_id: "t" }, 404, SAYS.noTaskInTools, "task:t"],
  ],
  ["a key of the inbox", inboxOnly, ["add_task", { title: "t" }, 403, INBOX]],
  [
    "a key of the inbox",
    inboxOnly,
    ["change_tasks", { task_ids: ["t"], title: "u" }, 403, INBOX, "task:t"],
  ],
  [
    "a key of the inbox",
    inboxOnly,
    ["write_note", { task_id: "t", text: "n" }, 403, INBOX, "task:t"],
  ],
  [
    "a key of the inbox",
    inboxOnly,
    ["file_tabs", { task_id: "t", tabs: TABS }, 403, INBOX, "task:t"],
  ],
  ["a key of the inbox", inboxOnly, ["add_folder", { name: "n" }, 403, INBOX]],
];

test.each(RESTRICTED.map(([name, by, one]) => [name, one[0], by, one] as const))(
  "%s cannot use %s outside the restriction",
  (_name, _tool, by, one) => expectRefused(by, one),
);

test("A restriction allows everything inside it, and shows nothing else", async () => {
  const { task } = await within.does("add_task", { title: "within", folder: "Work" });
  expect((await within.does("find_tasks", { closed: true })).tasks).toMatchObject([
    { id: task.id },
  ]);
  expect((await within.does("list_folders")).folders).toMatchObject([
    { id: "work", task_count: 1 },
  ]);
  expect((await within.use("change_tasks", { task_ids: [task.id], folder: null })).error).toMatch(
    /restricted to its folders/,
  );
  expect((await inboxOnly.does("find_tasks", { closed: true })).tasks).toEqual([]);
  const inbox = await inboxOnly.does("file_tabs", { tabs: TABS });
  expect((await inboxOnly.does("find_tasks")).tasks).toMatchObject([{ id: inbox.task.id }]);
  expect((await inboxOnly.does("read_task", { task_id: inbox.task.id })).tabs).toMatchObject(TABS);
  expect((await inboxOnly.does("list_folders")).folders).toEqual([]);
});
