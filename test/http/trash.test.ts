import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

const forbidden = (field: string) =>
  `An API key can never delete anything, so it cannot send ${field}. Nothing was changed.`;
const throughSync = (field: string) =>
  `You cannot send ${field} here. To delete a record or move a task to the trash, use POST /sync. Nothing was changed.`;
const TRASH = "the bucket_id of a trash bucket";

/** A person with buckets, a task in none (`live`) and one in the trash (`binned`). */
const withTrash = async () => {
  const person = await newcomer(server);
  const body = [
    change("sync_buckets", "today", { name: "Today", kind: "list" }),
    change("sync_buckets", "bin", { name: "Bin", kind: "trash" }),
    change("sync_tasks", "live", { title: "live", pages: [] }),
    change("sync_tasks", "binned", { title: "binned", bucket_id: "bin", pages: [] }),
  ];
  await call("POST", "/sync", { token: person.session, body });
  const changes = async () => (await call("GET", "/sync", { token: person.session })).json.changes;
  return { person, key: await person.key(), changes, before: (await changes()) as unknown };
};

test("A task is put into a bucket, and taken out again", async () => {
  const { key: token } = await withTrash();
  const put = await call("PATCH", "/tasks/live", { token, body: { bucket_id: "today" } });
  expect([put.status, put.json.bucket_id]).toEqual([200, "today"]);
  const made = await call("POST", "/tasks", { token, body: { title: "t", bucket_id: "today" } });
  expect([made.status, made.json.bucket_id]).toEqual([201, "today"]);
  const out = await call("PATCH", "/tasks/live", { token, body: { bucket_id: null } });
  expect([out.status, out.json.bucket_id]).toEqual([200, null]);
});

test.each([["bin"], ["trash"]])(
  "Nobody can move a task into the trash bucket %s over REST",
  async (bucket_id) => {
    const { person, key, before, changes } = await withTrash();
    for (const body of [{ bucket_id }, { title: "also renamed", bucket_id, status: "done" }]) {
      const byKey = await call("PATCH", "/tasks/live", { token: key, body });
      expectRefusal(byKey, 403, forbidden(TRASH));
      const bySession = await call("PATCH", "/tasks/live", { token: person.session, body });
      expectRefusal(bySession, 422, throughSync(TRASH));
    }
    const body = { title: "t", bucket_id };
    expectRefusal(await call("POST", "/tasks", { token: key, body }), 403, forbidden(TRASH));
    const bySession = await call("POST", "/tasks", { token: person.session, body });
    expectRefusal(bySession, 422, throughSync(TRASH));
    expect(await changes()).toEqual(before);
  },
);

test("A bucket that became a trash bucket counts as one, and a deleted bucket is unknown", async () => {
  const { person, key } = await withTrash();
  const later = { updated_at: "2026-03-04T12:00:01Z" };
  const trashed = change("sync_buckets", "today", { kind: "trash" }, later);
  await call("POST", "/sync", { token: person.session, body: [trashed] });
  const move = () => call("PATCH", "/tasks/live", { token: key, body: { bucket_id: "today" } });
  expectRefusal(await move(), 403, forbidden(TRASH));
  const deleted = {
    ...trashed,
    updated_at: "2026-03-04T12:00:02Z",
    deleted_at: "2026-03-04T12:00:02Z",
  };
  await call("POST", "/sync", { token: person.session, body: [deleted] });
  expectRefusal(await move(), 422, "bucket_id does not match any bucket in this account.");
});

test("A task in the trash can be read by a person, and does not exist for a key", async () => {
  const { person, key, before, changes } = await withTrash();
  const own = await call("GET", "/tasks/binned", { token: person.session });
  expect(own.json.title).toBe("binned");
  expectRefusal(await call("GET", "/tasks/binned", { token: key }), 404, SAYS.noTask);
  for (const query of ["", "?status=todo", "?status=todo,done", "?project_id=none"]) {
    const { json } = await call("GET", `/tasks${query}`, { token: key });
    expect((json.tasks as { id: string }[]).map(({ id }) => id)).toEqual(["live"]);
  }
  const writes: readonly [string, string, unknown][] = [
    ["PATCH", "/tasks/binned", { title: "renamed" }],
    ["PATCH", "/tasks/binned", { bucket_id: null }],
    ["PATCH", "/tasks/binned", {}],
    ["POST", "/tasks/binned/tabs", [{ url: "https://a.example/" }]],
    ["POST", "/tasks/binned/notes", { text: "n" }],
  ];
  for (const [method, path, body] of writes)
    expectRefusal(await call(method, path, { token: key, body }), 404, SAYS.noTask);
  expect(await changes()).toEqual(before);
  const body = { bucket_id: null };
  const back = await call("PATCH", "/tasks/binned", { token: person.session, body });
  expect([back.status, back.json.bucket_id]).toEqual([200, null]);
});

test("A task is in the trash if its bucket is, in whatever order a push brings them", async () => {
  const ann = await newcomer(server);
  const bin = change("sync_buckets", "b", { kind: "trash" });
  const body = ["before", "after"].map((id) => change("sync_tasks", id, { bucket_id: "b" }));
  await call("POST", "/sync", { token: ann.session, body: [body[0], bin, body[1]] });
  const listed = async () => (await call("GET", "/tasks", { token: ann.session })).json.tasks;
  expect(await listed()).toEqual([]);
  const back = { ...bin, updated_at: "2026-03-04T12:00:01Z", payload: { kind: "list" } };
  await call("POST", "/sync", { token: ann.session, body: [back] });
  expect(await listed()).toHaveLength(2);
});

const TABS = [{ url: "https://a.example/" }];

test.each<[string, string, string, string]>([
  ["a time", "PATCH", "/tasks/live", '{"deleted_at":"2026-03-04T12:00:00Z"}'],
  ["null", "PATCH", "/tasks/live", '{"deleted_at":null}'],
  ["false", "PATCH", "/tasks/live", '{"title":"u","deleted_at":false}'],
  ["a second key with that name", "PATCH", "/tasks/live", '{"deleted_at":"x","deleted_at":null}'],
  ["an escaped name", "PATCH", "/tasks/live", '{"deleted\\u005fat":null}'],
  ["a nested value", "PATCH", "/tasks/live", '{"payload":{"deleted_at":null}}'],
  ["a prototype", "PATCH", "/tasks/live", '{"__proto__":{"deleted_at":null}}'],
  ["a new task", "POST", "/tasks", '{"title":"t","deleted_at":null}'],
  ["a tab", "POST", "/tasks/live/tabs", JSON.stringify([{ ...TABS[0], deleted_at: null }])],
  ["a note", "POST", "/tasks/live/notes", '{"text":"n","deleted_at":null}'],
  ["a tab for the inbox", "POST", "/inbox/tabs", JSON.stringify([{ ...TABS[0], deleted_at: 1 }])],
  ["a folder", "POST", "/projects", '{"name":"n","deleted_at":null}'],
])("The field deleted_at is refused: %s", async (_name, method, path, body) => {
  const { person, key, before, changes } = await withTrash();
  expectRefusal(await call(method, path, { token: key, body }), 403, forbidden("deleted_at"));
  const bySession = await call(method, path, { token: person.session, body });
  expectRefusal(bySession, 422, throughSync("deleted_at"));
  expect(await changes()).toEqual(before);
});

test.each([
  ["another spelling", 422, { DELETED_AT: "2026-03-04T12:00:00Z" }],
  ["a third", 422, { deletedAt: true, deleted: true }],
  ["a method override", 422, { _method: "DELETE" }],
  ["one in a header alone", 200, {}],
])("%s deletes nothing either", async (_name, status, body) => {
  const { key: token, before, changes } = await withTrash();
  const headers = { "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
  const answer = await call("PATCH", "/tasks/live", { token, body, headers });
  expect(answer.status).toBe(status);
  expect(await changes()).toEqual(before);
});

test.each([
  ["/tasks/live"],
  ["/tasks/live/"],
  ["/tasks/unknown"],
  ["/tasks/%6cive"],
  ["/tasks/%ZZ"],
  ["/tasks?_method=GET"],
  ["/sync"],
  ["/nothing/here"],
  ["!/"],
  ["!/healthz"],
  ["!/mcp"],
  ["!/oauth/token"],
  ["!/account"],
])("DELETE and PUT of %s are refused for everyone, and nothing changes", async (path) => {
  const { person, key, before, changes } = await withTrash();
  const body = '{"title":"x"';
  for (const token of [key, person.session, "docket_live_wrong", undefined]) {
    for (const method of ["DELETE", "PUT"]) {
      const answer = await call(method, path, { token, body });
      expectRefusal(answer, 405, SAYS.never(method));
      expect(answer.headers.get("allow")).toEndWith("OPTIONS");
    }
  }
  expect(await changes()).toEqual(before);
});
