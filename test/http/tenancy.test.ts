import { expect, test } from "bun:test";
import type { Person } from "../support/server.ts";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

const SECRET = "only ann knows";
const URL = "https://ann.example/secret";

/** Ann with one of everything, under ids that bob knows. */
const withAnn = async () => {
  const ann = await newcomer(server);
  const pages = [{ id: "ann-tab", url: URL, title: SECRET }];
  const notes = [{ id: "ann-note", text: SECRET }];
  const body = [
    change("sync_projects", "folder", { name: SECRET }),
    change("sync_buckets", "bucket", { name: SECRET, kind: "trash" }),
    change("sync_tasks", "task", { title: SECRET, project_id: "folder", pages, notes }),
    change("sync_tasks", "gone", { title: SECRET }, { deleted_at: "2026-03-04T12:00:00Z" }),
  ];
  await call("POST", "/sync", { token: ann.session, body });
  await call("POST", "/inbox/tabs", { token: ann.session, body: [{ url: URL, title: SECRET }] });
  const pull = async () => (await call("GET", "/sync", { token: ann.session })).json.changes;
  return { ann, pull, before: (await pull()) as unknown };
};

/** Every credential of bob's that could reach something. */
const tokensOf = async (bob: Person): Promise<readonly string[]> => [bob.session, await bob.key()];

test("Bob reaches nothing of ann's by its id, and learns nothing", async () => {
  const { pull, before } = await withAnn();
  const bob = await newcomer(server, "bob");
  for (const token of await tokensOf(bob)) {
    for (const id of ["task", "gone", "folder", "bucket", "ann-tab", "ann-note"]) {
      const path = `/tasks/${id}`;
      const tabs = [{ url: "https://bob.example/" }];
      expectRefusal(await call("GET", path, { token }), 404, SAYS.noTask);
      expectRefusal(await call("PATCH", path, { token, body: { title: "b" } }), 404, SAYS.noTask);
      expectRefusal(await call("POST", `${path}/tabs`, { token, body: tabs }), 404, SAYS.noTask);
      const note = { text: "b" };
      expectRefusal(await call("POST", `${path}/notes`, { token, body: note }), 404, SAYS.noTask);
    }
  }
  expect(await pull()).toEqual(before);
});

test("An id of ann's inside bob's body refers to nothing", async () => {
  const { pull, before } = await withAnn();
  const bob = await newcomer(server, "bob");
  const made = await call("POST", "/tasks", { token: bob.session, body: { title: "bob's" } });
  for (const token of await tokensOf(bob)) {
    for (const body of [{ folder: "folder" }, { folder: SECRET }, { project_id: "folder" }]) {
      const [field = ""] = Object.keys(body);
      const error = `${field} does not match any folder in this account. Send an id or exact name from GET /projects.`;
      const path = `/tasks/${made.json.id}`;
      expectRefusal(await call("PATCH", path, { token, body }), 422, error);
      const fresh = { title: "t", ...body };
      expectRefusal(await call("POST", "/tasks", { token, body: fresh }), 422, error);
    }
    const body = { bucket_id: "bucket" };
    const error = "bucket_id does not match any bucket in this account.";
    const path = `/tasks/${made.json.id}`;
    expectRefusal(await call("PATCH", path, { token, body }), 422, error);
  }
  expect(await pull()).toEqual(before);
});

test("No list of bob's shows anything of ann's, with any filter", async () => {
  await withAnn();
  const bob = await newcomer(server, "bob");
  const queries = [
    "/tasks",
    "/tasks?project_id=none&status=todo,done",
    `/tasks?url=${encodeURIComponent(URL)}`,
    "/tasks?created_by=person",
    "/projects",
  ];
  for (const token of await tokensOf(bob)) {
    for (const path of queries) {
      const { status, text } = await call("GET", path, { token });
      expect(status).toBe(200);
      expect(text).not.toContain(SECRET);
      expect(text).toMatch(/^\{"(tasks|projects)":\[\]/);
    }
  }
  for (const token of await tokensOf(bob))
    expectRefusal(
      await call("GET", "/tasks?project_id=folder", { token }),
      422,
      "Query parameter project_id does not match any folder in this account. Send an id or exact name from GET /projects.",
    );
  for (const query of ["", "?since=2020-01-01T00:00:00Z", "?limit=1"]) {
    const { json } = await call("GET", `/sync${query}`, { token: bob.session });
    expect(json.changes).toEqual({ sync_tasks: [], sync_projects: [], sync_buckets: [] });
  }
});

test("Equal ids are different records: bob's push neither reads nor changes ann's", async () => {
  const { pull, before } = await withAnn();
  const bob = await newcomer(server, "bob");
  const older = { updated_at: "2020-01-01T00:00:00Z" };
  const body = [
    change("sync_tasks", "task", { title: "bob's" }, older),
    change("sync_tasks", "gone", { title: "bob's" }, older),
    change("sync_projects", "folder", { name: "bob's" }, older),
    change("sync_buckets", "bucket", { name: "bob's", kind: "list" }, older),
  ];
  const first = await call("POST", "/sync", { token: bob.session, body });
  expect(first.json).toEqual({ applied: 4, rejected: [], merged: [], invalid: [] });
  // When his push is stale, he gets his own rows back.
  const late = body.map((record) => ({ ...record, updated_at: "2019-01-01T00:00:00Z" }));
  const second = await call("POST", "/sync", { token: bob.session, body: late });
  expect(second.json.applied).toBe(0);
  expect(second.json.rejected).toHaveLength(4);
  expect(second.text).not.toContain(SECRET);
  const deleted = body.map(({ table, id }) => ({
    table,
    id,
    updated_at: "2026-03-04T12:00:01Z",
    deleted_at: "2026-03-04T12:00:01Z",
  }));
  await call("POST", "/sync", { token: bob.session, body: deleted });
  expect(await pull()).toEqual(before);
  expect((await call("GET", "/tasks/task", { token: bob.session })).status).toBe(404);
});

test("If bob repeats ann's push word for word, he has a copy and she keeps hers", async () => {
  const { ann, pull, before } = await withAnn();
  const bob = await newcomer(server, "bob");
  const { changes } = (await call("GET", "/sync", { token: ann.session })).json as {
    changes: Record<string, readonly Record<string, unknown>[]>;
  };
  const body = Object.entries(changes).flatMap(([table, rows]) =>
    rows.map((row) => ({ table, ...row })),
  );
  const { json } = await call("POST", "/sync", { token: bob.session, body });
  expect(json).toMatchObject({ applied: body.length, rejected: [], invalid: [] });
  const move = { bucket_id: "bucket" };
  const patched = await call("PATCH", "/tasks/task", { token: await bob.key(), body: move });
  expect(patched.status).toBe(403);
  await call("POST", "/inbox/tabs", {
    token: bob.session,
    body: [{ url: "https://bob.example/" }],
  });
  expect(await pull()).toEqual(before);
});

test("A change in one account is no change for another", async () => {
  const { ann } = await withAnn();
  const bob = await newcomer(server, "bob");
  const { server_time } = (await call("GET", "/sync", { token: bob.session })).json;
  await call("POST", "/tasks", { token: ann.session, body: { title: SECRET } });
  const news = await call("GET", `/sync?since=${server_time}`, { token: bob.session });
  expect(news.text).not.toContain(SECRET);
  expect(news.json.server_time).toBe(server_time);
});
