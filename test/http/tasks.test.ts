import { expect, test } from "bun:test";
import {
  BY_BOT,
  expectRefusal,
  newcomer,
  note,
  SAYS,
  sharedServer,
  tab,
  taskRow,
  wholeTask,
} from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

test("One call of an agent files a task with its tabs and notes", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const folder = await call("POST", "/projects", { token, body: { name: "Travel" } });
  const id = folder.json.id as string;
  const made = await call("POST", "/tasks", {
    token,
    body: {
      title: "Plan the trip",
      status: "in_progress",
      colour: "teal",
      folder: "Travel",
      tabs: [
        { url: "https://trains.example/", title: "Trains" },
        { url: "https://rooms.example/" },
      ],
      notes: ["Ask bob.", { text: "Window seat." }, { content: "Early." }, { body: "Cheap." }],
    },
  });
  expect(made.status).toBe(201);
  const tabs = [
    tab({ url: "https://trains.example/", title: "Trains", ...BY_BOT }),
    tab({ url: "https://rooms.example/", title: "https://rooms.example/", ...BY_BOT }),
  ];
  const texts = ["Ask bob.", "Window seat.", "Early.", "Cheap."];
  const notes = texts.map((text) => note({ text, ...BY_BOT }));
  const place = { folder: id, project_id: id, folder_name: "Travel" };
  const row = { status: "in_progress", colour: "teal", ...place, ...BY_BOT };
  const counts = { tab_count: 2, note_count: 4 };
  expect(made.json).toEqual(wholeTask({ ...row, ...counts, tabs, notes }));

  const read = await call("GET", `/tasks/${made.json.id}`, { token });
  expect(read.status).toBe(200);
  expect(read.json).toEqual(made.json);

  const listed = await call("GET", "/tasks", { token });
  expect(listed.status).toBe(200);
  expect(listed.json).toEqual({
    tasks: [taskRow({ ...row, ...counts, id: made.json.id })],
    next_cursor: null,
    server_time: "2026-03-04T12:00:00.001Z",
  });
});

test("A task needs only a title, and ann's device makes a person's task", async () => {
  const { session: token } = await newcomer(server);
  const made = await call("POST", "/tasks", { token, body: { title: "Plan the trip" } });
  expect(made.status).toBe(201);
  expect(made.json).toEqual(wholeTask());
});

test("A tab without a title shows its url", async () => {
  const { session: token } = await newcomer(server);
  const tabs = [
    { url: "https://a.example/" },
    { url: "https://b.example/", title: null },
    { url: "https://c.example/", title: "" },
    { url: "  https://d.example/ ", title: " kept as sent " },
  ];
  const made = await call("POST", "/tasks", { token, body: { title: "t", tabs } });
  expect(made.json.tabs).toEqual([
    tab({ url: "https://a.example/", title: "https://a.example/" }),
    tab({ url: "https://b.example/", title: "https://b.example/" }),
    tab({ url: "https://c.example/", title: "https://c.example/" }),
    tab({ url: "https://d.example/", title: " kept as sent " }),
  ]);
});

test("Tabs are filed after the existing ones, in the order given", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const tabs = [{ url: "https://one.example/", title: "One" }];
  const made = await call("POST", "/tasks", { token: ann.session, body: { title: "t", tabs } });
  const path = `/tasks/${made.json.id}`;
  server.clock.advance(1_000);
  const filed = await call("POST", `${path}/tabs`, {
    token,
    body: [{ url: "https://two.example/", title: "Two" }, { url: "https://one.example/" }],
  });
  const at = new Date(server.clock.wall()).toISOString();
  const theirs = { created_at: at, ...BY_BOT };
  expect(filed.status).toBe(201);
  expect(filed.json).toEqual({
    tabs: [
      tab({ url: "https://two.example/", title: "Two", ...theirs }),
      tab({ url: "https://one.example/", title: "https://one.example/", ...theirs }),
    ],
  });
  const read = await call("GET", path, { token });
  expect(read.json.tabs).toEqual([...made.json.tabs, ...filed.json.tabs]);
  expect(read.json).toMatchObject({ tab_count: 3, updated_at: at, created_by: "person" });
});

test.each([["text"], ["content"], ["body"]])("A note is accepted as %s", async (field) => {
  const ann = await newcomer(server);
  const token = await ann.key(["write"], "scribe");
  const made = await call("POST", "/tasks", { token, body: { title: "t", notes: ["First."] } });
  const path = `/tasks/${made.json.id}`;
  const added = await call("POST", `${path}/notes`, { token, body: { [field]: "Second.\nLine." } });
  expect(added.status).toBe(201);
  const theirs = { created_by: "agent", created_by_key: "scribe" };
  const at = new Date(server.clock.wall()).toISOString();
  expect(added.json).toEqual(note({ text: "Second.\nLine.", created_at: at, ...theirs }));
  const read = await call("GET", path, { token: ann.session });
  expect(read.json.notes).toEqual([...made.json.notes, added.json]);
});

test("Every id that is not one of the caller's tasks gets the same 404", async () => {
  const ann = await newcomer(server);
  const bob = await newcomer(server, "bob");
  const made = await call("POST", "/tasks", { token: bob.session, body: { title: "bob's" } });
  const gone = { table: "sync_tasks", id: "gone", updated_at: "2026-03-04T11:00:00Z" };
  const deleted = [{ ...gone, deleted_at: "2026-03-04T11:00:00Z" }];
  await call("POST", "/sync", { token: ann.session, body: deleted });
  const ids = [
    "unknown",
    "gone",
    made.json.id as string,
    "%00",
    "a%0Ab",
    "%2e%2e%2f",
    "x".repeat(256),
  ];
  for (const token of [ann.session, await ann.key()]) {
    for (const id of ids) {
      const path = `/tasks/${id}`;
      expectRefusal(await call("GET", path, { token }), 404, SAYS.noTask);
      expectRefusal(await call("PATCH", path, { token, body: {} }), 404, SAYS.noTask);
      const tabs = [{ url: "https://a.example/" }];
      expectRefusal(await call("POST", `${path}/tabs`, { token, body: tabs }), 404, SAYS.noTask);
      const text = { text: "x" };
      expectRefusal(await call("POST", `${path}/notes`, { token, body: text }), 404, SAYS.noTask);
    }
  }
});

test.each([
  ["an id with a slash", "a/b c", "a%2Fb%20c"],
  ["an id that looks escaped", "%41", "%2541"],
  ["non-ASCII letters", "tâche-🚂", encodeURIComponent("tâche-🚂")],
  ["a decomposed letter, which stays decomposed", "e\u0301", "e%CC%81"],
])("A path names %s after one decoding", async (_name, id, segment) => {
  const { session: token } = await newcomer(server);
  const payload = { title: "named" };
  const pushed = { table: "sync_tasks", id, updated_at: "2026-03-04T11:00:00Z", payload };
  await call("POST", "/sync", { token, body: [pushed] });
  const read = await call("GET", `/tasks/${segment}`, { token });
  expect([read.status, read.json.id]).toEqual([200, id]);
  const composed = await call("GET", `/tasks/${encodeURIComponent(id.normalize("NFC"))}`, {
    token,
  });
  expect(composed.status).toBe(id === id.normalize("NFC") ? 200 : 404);
});

test("An escape that cannot be decoded leads nowhere", async () => {
  const { session: token } = await newcomer(server);
  for (const segment of ["%ZZ", "%ff", "%", "a%2"]) {
    const path = `/api/public/v1/tasks/${segment}`;
    expectRefusal(await call("GET", `!${path}`, { token }), 404, `There is nothing at ${path}.`);
  }
});
