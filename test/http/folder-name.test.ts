import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";
import { withRestrictedKeys } from "../support/restrictions.ts";
import { agent } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call } = server;

/** Ann with a folder that her device pushed. */
const withFolder = async (name: string) => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const push = (table: "sync_projects" | "sync_tasks", id: string, payload: object, more = {}) => {
    server.clock.advance(1_000);
    const updated_at = new Date(server.clock.wall()).toISOString();
    const body = [change(table, id, payload, { updated_at, ...more })];
    return call("POST", "/sync", { token: ann.session, body });
  };
  await push("sync_projects", "f", { name });
  const names = async () => {
    const listed = (await call("GET", "/tasks", { token })).json.tasks as Named[];
    return Object.fromEntries(listed.map(({ title, folder_name }) => [title, folder_name]));
  };
  return { ann, token, push, names };
};

type Named = { readonly title: string; readonly folder_name: string | null };

// Names that a careless replacement in the row would break.
test.each(["Travel", 'a","folder_name":null,"b', "$& $' $1", "Caf\u00E9 \u6771\u4EAC", ""])(
  "Every row of a task shows that its folder is called %p",
  async (name) => {
    const { token } = await withFolder(name);
    const rest = async (method: string, path: string, body?: object) =>
      (await call(method, path, { token, body })).json;
    const made = await rest("POST", "/tasks", { title: name || "t", folder: "f" });
    const shown = { title: name || "t", folder: "f", project_id: "f", folder_name: name };
    expect(made).toMatchObject(shown);
    expect(await rest("GET", `/tasks/${made.id}`)).toMatchObject(shown);
    expect((await rest("GET", "/tasks")).tasks).toMatchObject([shown]);
    expect((await rest("GET", "/tasks?project_id=f&limit=200")).tasks).toMatchObject([shown]);
    expect((await rest("GET", "/tasks?q=unknown")).tasks).toEqual([]);
    expect(await rest("PATCH", `/tasks/${made.id}`, { colour: "red" })).toMatchObject(shown);
    const out = await rest("PATCH", `/tasks/${made.id}`, { folder: null });
    expect([out.folder, out.folder_name]).toEqual([null, null]);
  },
);

test("A search shows it too, and so does the task that tabs without a task went into", async () => {
  const { ann, token, push } = await withFolder("Travel");
  await push("sync_tasks", "t", { title: "Night trains", project_id: "f" });
  const found = await call("GET", "/tasks?q=trains", { token });
  expect(found.json.tasks).toMatchObject([{ title: "Night trains", folder_name: "Travel" }]);
  const body = [{ url: "https://a.example/" }];
  const inbox = (await call("POST", "/inbox/tabs", { token, body })).json.task;
  expect(inbox.folder_name).toBeNull();
  await call("PATCH", `/tasks/${inbox.id}`, { token: ann.session, body: { folder: "Travel" } });
  const again = await call("POST", "/inbox/tabs", { token, body });
  expect(again.json.task).toMatchObject({ id: inbox.id, folder_name: "Travel" });
});

test("A renamed folder shows its new name, and a deleted or unknown one none", async () => {
  const { push, names } = await withFolder("Travel");
  await push("sync_tasks", "t", { title: "known", project_id: "f" });
  await push("sync_tasks", "u", { title: "unknown", project_id: "nowhere" });
  await push("sync_tasks", "v", { title: "loose" });
  expect(await names()).toEqual({ known: "Travel", unknown: null, loose: null });
  await push("sync_projects", "f", { name: "Trips" });
  expect(await names()).toEqual({ known: "Trips", unknown: null, loose: null });
  await push("sync_projects", "f", {}, { deleted_at: "2026-03-04T12:00:00.000Z" });
  expect(await names()).toEqual({ known: null, unknown: null, loose: null });
});

test("A key sees the names of the folders within its reach alone", async () => {
  const { ann, some, boxed, free, inbox } = await withRestrictedKeys(server);
  const namesFor = async (token: string) =>
    ((await call("GET", "/tasks", { token })).json.tasks as Named[]).map((task) => [
      task.title,
      task.folder_name,
    ]);
  expect(await namesFor(some)).toEqual([["inside", "Work"]]);
  await call("PATCH", `/tasks/${inbox}`, { token: ann.session, body: { folder: "home" } });
  expect(await namesFor(boxed)).toEqual([["Agent unsorted", null]]);
  expect((await call("GET", `/tasks/${inbox}`, { token: boxed })).json.folder_name).toBeNull();
  expect((await call("GET", `/tasks/${inbox}`, { token: free })).json.folder_name).toBe("Home");
});

test("A key that cannot read is not shown the name of a folder whose id it knows", async () => {
  const { ann } = await withFolder("Travel");
  const token = await ann.key(["write"]);
  const made = await call("POST", "/tasks", { token, body: { title: "t", folder: "f" } });
  expect(made.json).toMatchObject({ folder: "f", folder_name: null });
});

test("PATCH takes folder_name back as it was read, and refuses another one", async () => {
  const { token, push } = await withFolder("Travel");
  await push("sync_tasks", "t", { title: "t", project_id: "f" });
  const read = (await call("GET", "/tasks/t", { token })).json;
  const { tabs: _tabs, notes: _notes, deleted_at: _deleted, ...row } = read;
  const same = await call("PATCH", "/tasks/t", { token, body: { ...row, title: "u" } });
  expect(same.json).toMatchObject({ title: "u", folder_name: "Travel" });
  expectRefusal(
    await call("PATCH", "/tasks/t", { token, body: { folder_name: "Home" } }),
    422,
    "PATCH cannot change folder_name. Send folder, with the id or exact name of the folder.",
  );
});

test("Tools show it, and nothing where there is none", async () => {
  const { token } = await withFolder("Travel");
  const bot = agent(server, token);
  const { task } = await bot.does("add_task", { title: "Night trains", folder: "Travel" });
  expect(task).toMatchObject({ folder: "f", folder_name: "Travel" });
  const named = { id: task.id, folder_name: "Travel" };
  expect((await bot.does("find_tasks", {})).tasks).toMatchObject([named]);
  expect((await bot.does("find_tasks", { q: "trains" })).tasks).toMatchObject([named]);
  expect((await bot.does("read_task", { task_id: task.id })).task).toMatchObject(named);
  expect((await bot.does("write_note", { task_id: task.id, text: "n" })).task).toMatchObject(named);
  const out = await bot.does("change_tasks", { task_ids: [task.id], folder: null });
  expect(out.task).not.toHaveProperty("folder_name");
});
