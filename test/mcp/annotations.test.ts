import { expect, test } from "bun:test";
import { TOOLS } from "../../src/mcp/tools.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { type Agent, agent, dumpOf } from "../support/mcp/agent.ts";

// These tests compare what a tool's annotations tell a client with what the tool does to the
// database.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const TABS = [{ url: "https://a.example/", title: "A" }];

/** Arguments with which each tool does everything it can. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  find_tasks: { folder: "Work", closed: true, limit: 1 },
  read_task: { task_id: "t" },
  add_task: {
    title: "new",
    status: "done",
    colour: "red",
    folder: "Work",
    tabs: TABS,
    notes: ["n"],
  },
  file_tabs: { task_id: "t", tabs: TABS },
  move_tabs: { from: "t", task_id: "u", tabs: ["p"] },
  write_note: { task_id: "t", text: "n" },
  change_tasks: { task_ids: ["t"], title: "u", status: "done", colour: null, folder: null },
  list_folders: { from: 0 },
  add_folder: { name: "Home", colour: "red" },
  find_changes: { since: "2026-03-04T11:00:00Z" },
  claim_task: { status: "todo" },
  release_task: { task_id: "u" },
};

/** A person whose device has a task and a folder. */
const someone = async () => {
  const ann = await newcomer(server);
  await server.call("POST", "/sync", {
    token: ann.session,
    body: [
      change("sync_projects", "work", { name: "Work" }),
      change("sync_tasks", "t", {
        title: "t",
        colour: "blue",
        project_id: "work",
        pages: [{ id: "p", url: "https://mine.example/", title: "mine" }],
        notes: [{ id: "n", text: "mine" }],
        own: { of: "the extension" },
      }),
      change("sync_tasks", "u", { title: "u" }),
    ],
  });
  const bot = agent(server, await ann.key());
  const pulled = async () =>
    (await server.call("GET", "/sync", { token: ann.session })).json.changes as Pulled;
  return { bot, pulled };
};

/** Only a claim can be released. */
const getReady = async (bot: Agent, name: string): Promise<void> => {
  if (name === "release_task") await bot.does("claim_task", { task_id: "u" });
};

type Pulled = Readonly<
  Record<string, readonly { readonly id: string; readonly payload: object }[]>
>;

const each = TOOLS.map((tool) => [tool.name, tool] as const);

test("Every tool is tested, describes its effects, and reaches only this server", () => {
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
  for (const { annotations } of TOOLS) {
    const kinds = Object.values(annotations).map((value) => typeof value);
    expect(kinds).toEqual(["boolean", "boolean", "boolean", "boolean"]);
    expect(annotations.openWorldHint).toBe(false);
  }
});

test.each(each)(
  "%s writes if and only if it does not call itself read-only",
  async (name, { annotations }) => {
    const { bot } = await someone();
    // The first time the server tells its time, the floor for the next one rises.
    await bot.does("find_tasks");
    await getReady(bot, name);
    const before = dumpOf(server);
    await bot.does(name, ARGUMENTS[name]);
    const same = Bun.deepEquals(dumpOf(server), before);
    expect(same).toBe(annotations.readOnlyHint);
  },
);

test.each(each)(
  "%s called twice has the effect of one call, if and only if it says so",
  async (name, { annotations }) => {
    const { bot } = await someone();
    await bot.does("find_tasks");
    await getReady(bot, name);
    await bot.does(name, ARGUMENTS[name]);
    const once = dumpOf(server);
    // A key cannot make two folders of one name.
    const other = name === "add_folder" ? { name: "Garden" } : {};
    // The tabs of a move are gone the second time, which is refused.
    await bot.use(name, { ...ARGUMENTS[name], ...other });
    const same = Bun.deepEquals(dumpOf(server), once);
    expect(same).toBe(annotations.idempotentHint);
  },
);

/**
 * Whether all of `old` is still in `now`: lists may have grown at their end, and objects by new
 * fields.
 */
const holds = (now: unknown, old: unknown): boolean => {
  if (Array.isArray(old)) return Array.isArray(now) && old.every((one, at) => holds(now[at], one));
  if (typeof old !== "object" || old === null) return now === old;
  return Object.entries(old).every(([field, value]) =>
    holds((now as Record<string, unknown> | null)?.[field], value),
  );
};

test.each(each)(
  "%s takes nothing away, unless it says that it overwrites things",
  async (name, { annotations }) => {
    const { bot, pulled } = await someone();
    const before = await pulled();
    await bot.does(name, ARGUMENTS[name]);
    const after = await pulled();
    const kept = Object.entries(before).every(([table, rows]) =>
      rows.every(({ id, payload }) =>
        holds(after[table]?.find((row) => row.id === id)?.payload, payload),
      ),
    );
    expect(kept).toBe(!annotations.destructiveHint);
  },
);

test("Ann finds what change_tasks overwrote in the task's history", async () => {
  const { bot, pulled } = await someone();
  await bot.does("change_tasks", ARGUMENTS["change_tasks"]);
  const task = (await pulled())["sync_tasks"]?.find(({ id }) => id === "t");
  expect(task?.payload).toMatchObject({
    title: "u",
    own: { of: "the extension" },
    notes: [{ id: "n" }],
  });
  expect(dumpOf(server)["version"]?.join("\n")).toContain("blue");
});
