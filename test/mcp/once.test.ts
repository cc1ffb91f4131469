import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { embeddedTest } from "../support/engine.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { newcomer, sharedServer } from "../support/replies.ts";
import { agent, calling, lastCalls, META } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const TABS = [{ url: "https://a.example/" }];

const someone = async (on: TestServer = server) => {
  const ann = await newcomer(on);
  const token = await ann.key();
  const rest = async (path: string) => (await on.call("GET", path, { token: ann.session })).json;
  return { ann, token, rest, bot: agent(on, token) };
};

/**
 * Every tool that adds something, with valid arguments, and the list that shows how much there is.
 */
const ADDING: readonly (readonly [string, (task: string) => object, string, string])[] = [
  ["add_task", () => ({ title: "new" }), "/tasks", "tasks"],
  ["file_tabs", (task_id) => ({ task_id, tabs: TABS }), "/tasks/T", "tabs"],
  ["file_tabs", () => ({ tabs: TABS }), "/tasks?url=https://a.example/", "tasks"],
  ["write_note", (task_id) => ({ task_id, text: "n" }), "/tasks/T", "notes"],
  ["add_folder", () => ({ name: "Work" }), "/projects", "projects"],
];

test.each(ADDING)(
  "%s called twice under one key is carried out once, and says so",
  async (tool, args, path, list) => {
    const { bot, rest } = await someone();
    const { task } = await bot.does("add_task", { title: "t" });
    const count = async () => (await rest(path.replace("T", task.id)))[list].length;
    const before = await count();
    const asked = { ...args(task.id), idempotency_key: "one" };
    const first = await bot.does(tool, asked);
    const again = await bot.does(tool, asked);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await count()).toBe(before + 1);
    // A key cannot make two folders of one name.
    const other = tool === "add_folder" ? { name: "Home" } : {};
    await bot.does(tool, { ...asked, ...other, idempotency_key: "two" });
    expect(await count()).toBe(before + (path.includes("url=") ? 1 : 2));
    const [one, two] = await lastCalls(server, 3);
    expect(two).toEqual(one ?? []);
  },
);

test("Of 20 equal calls at once one is carried out, and the others hear of it", async () => {
  const { bot, rest } = await someone();
  const asked = { title: "new", idempotency_key: "one" };
  const results = await Promise.all(Array.from({ length: 20 }, () => bot.use("add_task", asked)));
  expect((await rest("/tasks")).tasks).toHaveLength(1);
  const done = results.filter(({ error }) => error === null);
  const [task] = (await rest("/tasks")).tasks;
  for (const { data } of done) expect(data.task.id).toBe(task.id);
  expect(done.filter(({ data }) => data.replayed !== true)).toHaveLength(1);
  for (const { error } of results)
    expect(error).toBeOneOf([
      null,
      "The first request with this idempotency_key is still in progress. Send it again in a second.",
    ]);
});

test("The same key with other arguments is refused, whatever the tool", async () => {
  const { bot, rest } = await someone();
  await bot.does("add_task", { title: "one", idempotency_key: "k" });
  const says =
    "This idempotency_key was already used with different arguments. Send the same arguments again, or use a new key.";
  for (const [tool, args] of [
    ["add_task", { title: "two", idempotency_key: "k" }],
    ["add_folder", { name: "one", idempotency_key: "k" }],
    ["file_tabs", { tabs: TABS, idempotency_key: "k" }],
  ] as const) {
    expect((await bot.use(tool, args)).error).toBe(says);
    expect(await lastCalls(server, 1)).toEqual([["POST /mcp", tool, 422, null]]);
  }
  expect((await rest("/tasks")).tasks).toHaveLength(1);
});

test("Two API keys of ann's can use the same idempotency key", async () => {
  const { ann, bot, rest } = await someone();
  const other = agent(server, await ann.key(["write"], "scout"));
  for (const by of [bot, other]) await by.does("add_task", { title: "t", idempotency_key: "k" });
  expect((await rest("/tasks")).tasks).toHaveLength(2);
});

test("The same text as REST's Idempotency-Key is another key", async () => {
  const { bot, token, rest } = await someone();
  const headers = { "idempotency-key": "k" };
  await server.call("POST", "/tasks", { token, body: { title: "rest" }, headers });
  await bot.does("add_task", { title: "mcp", idempotency_key: "k" });
  await bot.post(calling("add_task", { title: "mcp too" }), { headers });
  expect((await rest("/tasks")).tasks).toHaveLength(3);
});

test("A refused call is refused again in the same words", async () => {
  const { bot } = await someone();
  for (const [tool, args] of [
    ["write_note", { task_id: "none", text: "n" }],
    ["add_task", { title: "t", folder: "Nowhere" }],
    ["add_task", { title: "t", tabs: [{ url: "ftp://a.example/" }] }],
  ] as const) {
    const asked = { ...args, idempotency_key: `${tool} ${Object.keys(args).join()}` };
    const first = await bot.use(tool, asked);
    expect(first.error).toBeString();
    expect((await bot.use(tool, asked)).error).toBe(first.error);
    const [one, two] = await lastCalls(server, 2);
    expect(two).toEqual(one ?? []);
  }
});

test("A call refused before anything was read can be corrected under the same key", async () => {
  const { bot } = await someone();
  const wrong = { title: "t", tabs: [{ url: "https://u:p@a.example/" }], idempotency_key: "k" };
  expect((await bot.use("add_task", wrong)).error).toMatch(/user name or password/);
  expect((await bot.does("add_task", { ...wrong, tabs: TABS })).task.title).toBe("t");
});

const run = (sql: string) =>
  server.store.writer.write((tx) => {
    tx.orm.run(sql);
  });

embeddedTest("A call that failed in the storage is carried out when it is repeated", async () => {
  const { bot, rest } = await someone();
  const asked = { title: "t", idempotency_key: "k" };
  await run("ALTER TABLE record RENAME TO hidden");
  expect((await bot.use("add_task", asked)).error).toBe("Internal error.");
  await run("ALTER TABLE hidden RENAME TO record");
  const { task, replayed } = await bot.does("add_task", asked);
  expect(replayed).toBeUndefined();
  expect((await rest("/tasks")).tasks).toMatchObject([{ id: task.id }]);
});

test("A restart forgets no key", async () => {
  const first = await startServer();
  const { directory, clock } = first;
  const { bot, token } = await someone(first);
  const asked = { title: "t", idempotency_key: "k" };
  const done = await bot.does("add_task", asked);
  await first.stop();
  const second = await startServer({ directory, clock });
  expect(await agent(second, token).does("add_task", asked)).toEqual({ ...done, replayed: true });
  await second.stop();
});

embeddedTest.each(["2025-06-18", "2026-07-28"])(
  "%s: a call goes on after its client goes away, and a retry meanwhile is not carried out too",
  async (revision) => {
    const { token, bot, rest } = await someone();
    const message = calling("add_task", { title: "t", idempotency_key: "k" });
    const before = (await lastCalls(server, 10_000)).length;
    const gone = new AbortController();
    const asked = fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": revision,
        "mcp-method": "tools/call",
        "mcp-name": "add_task",
      },
      body: JSON.stringify(revision === "2026-07-28" ? modern(message) : message),
      signal: gone.signal,
    });
    const other = new Database(join(server.directory, "docket.db"));
    other.run("BEGIN IMMEDIATE");
    await Bun.sleep(150);
    gone.abort();
    await asked.catch(() => null);
    await Bun.sleep(150);
    const retried = bot.use("add_task", message.params.arguments);
    await Bun.sleep(150);
    other.run("COMMIT");
    other.close();
    const { error } = await retried;
    expect(error).toMatch(/still in progress/);
    await Bun.sleep(1_000);
    const { replayed } = await bot.does("add_task", message.params.arguments);
    expect(replayed).toBe(true);
    expect((await rest("/tasks")).tasks).toHaveLength(1);
    const rows = (await lastCalls(server, 10_000)).slice(before);
    expect(rows.map(([, , status]) => status).toSorted()).toEqual([200, 200, 409]);
  },
);

/** The same message in the 2026 revision, which carries its metadata. */
const modern = (message: ReturnType<typeof calling>) => ({
  ...message,
  params: {
    ...message.params,
    _meta: META,
  },
});
