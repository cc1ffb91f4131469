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
const unknown = (field: string, ...nearest: readonly string[]) =>
  `${field} does not match any folder in this account. Send an id or exact name from GET /projects. The nearest: ${nearest.map((name) => `"${name}"`).join(", ")}.`;

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
    await call("POST", "/tasks", {
      token: ann.session,
      body: { title: status, status, folder: "Travel" },
    });
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
  ["its exact name as project_id", () => ({ project_id: "Travel" })],
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
    expectRefusal(await patch({ folder: name, title: "moved" }), 422, unknown("folder", "Travel"));
    const body = { title: "new", folder: name };
    expectRefusal(await call("POST", "/tasks", { token, body }), 422, unknown("folder", "Travel"));
  }
  for (const project_id of ["travel", "gone", his.json.id, ""])
    expectRefusal(
      await patch({ project_id, title: "moved" }),
      422,
      unknown("project_id", "Travel"),
    );
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

test("A name that two folders have is refused with both ids, wherever it is sent", async () => {
  const { person, token, id, patch } = await withFolder();
  const younger = await call("POST", "/projects", {
    token: person.session,
    body: { name: "Travel" },
  });
  const says = (field: string) =>
    `${field} is the name of more than one folder. Send the id of one: ${id} or ${younger.json.id}.`;
  const body = { title: "new", folder: "Travel" };
  for (const by of [token, person.session]) {
    expectRefusal(await call("POST", "/tasks", { token: by, body }), 422, says("folder"));
    expectRefusal(
      await call("GET", "/tasks?project_id=Travel", { token: by }),
      422,
      says("Query parameter project_id"),
    );
  }
  expectRefusal(await patch({ folder: "Travel" }), 422, says("folder"));
  expectRefusal(await patch({ project_id: "Travel" }), 422, says("project_id"));
  const at = "2026-03-04T12:00:01Z";
  const deleted = { table: "sync_projects", id, updated_at: at, deleted_at: at };
  await call("POST", "/sync", { token: person.session, body: [deleted] });
  expect((await patch({ folder: "Travel" })).json.folder).toBe(younger.json.id);
});

const make = (token: string, name: string) => call("POST", "/projects", { token, body: { name } });

test("A key cannot make a folder whose name a live one has, and a person can", async () => {
  const { person, token, id } = await withFolder();
  const error = `There is already a folder of this name. Its id is ${id}. Nothing was changed.`;
  expectRefusal(await make(token, "Travel"), 409, error);
  expect((await make(token, "travel")).status).toBe(201);
  expect((await make(person.session, "Travel")).status).toBe(201);
});

test("Names are equal whether their accents are composed or apart", async () => {
  const { person, token, patch } = await withFolder();
  const [composed, apart] = ["Été", "E\u0301te\u0301"];
  const body = [change("sync_projects", "summer", { name: apart })];
  await call("POST", "/sync", { token: person.session, body });
  expect((await patch({ folder: composed })).json.folder).toBe("summer");
  expect((await patch({ folder: null, title: "u" })).json.folder).toBe(null);
  expect((await patch({ folder: apart })).json.folder).toBe("summer");
  const listed = await call("GET", `/tasks?project_id=${encodeURIComponent(composed)}`, { token });
  expect(listed.json.tasks).toHaveLength(1);
  const made = await call("POST", "/projects", { token, body: { name: composed } });
  expect(made.status).toBe(409);
});

test("An unknown folder is refused with the three names that are most like it", async () => {
  const { person, patch } = await withFolder();
  const names = ["Work, clients", "Garden", "Work", "Wörk 2", "Zoo", " "];
  const body = names.map((name, at) => change("sync_projects", `f${at}`, { name }));
  await call("POST", "/sync", { token: person.session, body });
  expectRefusal(
    await patch({ folder: "work" }),
    422,
    unknown("folder", "Work", "Wörk 2", "Work, clients"),
  );
});

const unseen = (field: string) => `${field} must be a text that can be seen.`;

test.each(["   ", "\u200B\u2060", "\u3164", "\n\t"])(
  "A name or a title of nothing that can be seen (%j) is refused",
  async (blank) => {
    const { person, token, patch } = await withFolder();
    for (const by of [token, person.session]) {
      const post = (path: string, body: object) => call("POST", path, { token: by, body });
      expectRefusal(await post("/projects", { name: blank }), 422, unseen("name"));
      expectRefusal(await post("/projects", { title: blank }), 422, unseen("name"));
      expectRefusal(await post("/tasks", { title: blank }), 422, unseen("title"));
    }
    expectRefusal(await patch({ title: blank }), 422, unseen("title"));
    const made = await call("POST", "/tasks", {
      token,
      body: { title: "t", tabs: [{ url: "https://a.example/", title: blank }] },
    });
    expect(made.json.tabs[0].title).toBe("https://a.example/");
  },
);

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
