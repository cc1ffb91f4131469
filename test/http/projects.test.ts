import { expect, test } from "bun:test";
import {
  BY_BOT,
  change,
  expectRefusal,
  folder,
  newcomer,
  sharedServer,
} from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const UNKNOWN =
  "folder does not match any folder in this account. Send an id or exact name from GET /projects.";
const UNKNOWN_ID =
  "project_id does not match any folder in this account. Send an id from GET /projects.";

/** A person with a folder called Travel, and a task in no folder. */
const withFolder = async () => {
  const person = await newcomer(server);
  const token = await person.key();
  const made = await call("POST", "/projects", { token, body: { name: "Travel" } });
  const task = await call("POST", "/tasks", { token, body: { title: "t" } });
  const patch = (body: unknown) => call("PATCH", `/tasks/${task.json.id}`, { token, body });
  return { person, token, id: made.json.id as string, patch };
};

test("A folder is created with a name and a colour, and listed with its open tasks", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const made = await call("POST", "/projects", { token, body: { name: "Travel", colour: "teal" } });
  expect(made.status).toBe(201);
  expect(made.json).toEqual(folder({ colour: "teal", ...BY_BOT }));
  const titled = await call("POST", "/projects", { token: ann.session, body: { title: "Home" } });
  expect(titled.json).toEqual(folder({ name: "Home" }));

  for (const status of ["todo", "waiting for bob", "done", "archived"])
    await call("POST", "/tasks", { token, body: { title: status, status, folder: "Travel" } });
  const listed = await call("GET", "/projects", { token });
  expect(listed.status).toBe(200);
  expect(listed.json).toEqual({ projects: [{ ...made.json, task_count: 2 }, titled.json] });
});

test("A folder from the extension is listed until it is deleted", async () => {
  const { session: token } = await newcomer(server);
  const made = change("sync_projects", "f1", { name: "Work", colour: 7, order: 3 });
  await call("POST", "/sync", { token, body: [made] });
  const listed = await call("GET", "/projects", { token });
  expect(listed.json).toEqual({ projects: [folder({ id: "f1", name: "Work" })] });
  const deleted = {
    ...made,
    updated_at: "2026-03-04T12:00:01Z",
    deleted_at: "2026-03-04T12:00:01Z",
  };
  await call("POST", "/sync", { token, body: [deleted] });
  expect((await call("GET", "/projects", { token })).json).toEqual({ projects: [] });
});

test.each([
  ["its id as folder", (id: string) => ({ folder: id })],
  ["its id as project_id", (id: string) => ({ project_id: id })],
  ["its exact name", () => ({ folder: "Travel" })],
  ["its id and its name, which agree", (id: string) => ({ folder: "Travel", project_id: id })],
])("A task is put into a folder by %s, and taken out by null", async (_name, bodyOf) => {
  const { token, id, patch } = await withFolder();
  const inside = await patch(bodyOf(id));
  expect(inside.json).toMatchObject({ folder: id, project_id: id });
  const created = await call("POST", "/tasks", { token, body: { title: "t", ...bodyOf(id) } });
  expect(created.json).toMatchObject({ folder: id, project_id: id });
  const [field = ""] = Object.keys(bodyOf(id));
  const outside = await patch({ [field]: null });
  expect(outside.json).toMatchObject({ folder: null, project_id: null });
});

test("A folder that does not exist, or is bob's, is refused and nothing changes", async () => {
  const { person, token, patch } = await withFolder();
  const bob = await newcomer(server, "bob");
  const his = await call("POST", "/projects", { token: bob.session, body: { name: "Bob's" } });
  const gone = change(
    "sync_projects",
    "gone",
    { name: "Gone" },
    { deleted_at: "2026-03-04T12:00:00Z" },
  );
  await call("POST", "/sync", { token: person.session, body: [gone] });
  const before = (await call("GET", "/tasks", { token })).json.tasks as unknown;
  for (const name of ["travel", "Travel ", "Gone", "gone", "Bob's", his.json.id, ""]) {
    expectRefusal(await patch({ folder: name, title: "moved" }), 422, UNKNOWN);
    const body = { title: "new", folder: name };
    expectRefusal(await call("POST", "/tasks", { token, body }), 422, UNKNOWN);
  }
  for (const project_id of ["Travel", "gone", his.json.id, ""])
    expectRefusal(await patch({ project_id, title: "moved" }), 422, UNKNOWN_ID);
  expect((await call("GET", "/tasks", { token })).json.tasks).toEqual(before);
});

test("Two names for two folders are refused", async () => {
  const { token, id, patch } = await withFolder();
  await call("POST", "/projects", { token, body: { name: "Home" } });
  const error = "folder and project_id mean different folders. Send only one of them.";
  expectRefusal(await patch({ folder: "Home", project_id: id }), 422, error);
  expectRefusal(await patch({ folder: null, project_id: id }), 422, error);
  expectRefusal(await patch({ folder: "Travel", project_id: null }), 422, error);
});

test("If two folders share a name, the name means the oldest that still exists", async () => {
  const { person, token, id, patch } = await withFolder();
  server.clock.advance(1_000);
  const younger = await call("POST", "/projects", { token, body: { name: "Travel" } });
  expect((await patch({ folder: "Travel" })).json.folder).toBe(id);
  server.clock.advance(1_000);
  const at = new Date(server.clock.wall()).toISOString();
  const deleted = { table: "sync_projects", id, updated_at: at, deleted_at: at };
  await call("POST", "/sync", { token: person.session, body: [deleted] });
  expect((await patch({ folder: "Travel" })).json.folder).toBe(younger.json.id);
});

test("The oldest folder is the one stored first, whatever its id and its own clock say", async () => {
  const { session: token } = await newcomer(server);
  for (const [id, updated_at] of [
    ["z", "2026-03-04T11:00:00Z"],
    ["a", "2026-03-04T10:00:00Z"],
  ] as const) {
    const body = [change("sync_projects", id, { name: "Work" }, { updated_at })];
    await call("POST", "/sync", { token, body });
    server.clock.advance(1_000);
  }
  const made = await call("POST", "/tasks", { token, body: { title: "t", folder: "Work" } });
  expect(made.json.folder).toBe("z");
  const { json } = await call("GET", "/projects", { token });
  expect((json.projects as { id: string }[]).map(({ id }) => id)).toEqual(["z", "a"]);
});

test("An id takes precedence over a name that reads the same", async () => {
  const { person, patch, id } = await withFolder();
  const body = [change("sync_projects", "trap", { name: id })];
  await call("POST", "/sync", { token: person.session, body });
  expect((await patch({ folder: id })).json.folder).toBe(id);
});

test.each([
  [{}, "name is missing."],
  [{ name: null }, "name must be a string."],
  [{ name: "" }, "name must have 1 to 200 characters, but has 0."],
  [{ name: "x".repeat(201) }, "name must have 1 to 200 characters, but has 201."],
  [{ title: "x".repeat(201) }, "title must have 1 to 200 characters, but has 201."],
  [{ name: "n", colour: 5 }, "colour must be a string of at most 64 characters, or null."],
  [
    { name: "n", colour: "x".repeat(65) },
    "colour must be a string of at most 64 characters, or null. It has 65.",
  ],
  [["Travel"], "The body must be an object."],
])("A folder from %j is refused", async (body, error) => {
  const ann = await newcomer(server);
  const token = await ann.key();
  expectRefusal(await call("POST", "/projects", { token, body }), 422, error);
  expect((await call("GET", "/projects", { token })).json).toEqual({ projects: [] });
});
