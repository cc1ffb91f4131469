import { expect, test } from "bun:test";
import {
  change,
  expectRefusal,
  newcomer,
  sharedServer,
  tab,
  note,
  wholeTask,
} from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const URL = "https://a.example/";
const NOTE = "a string of 1 to 20000 characters, or an object with such a string as its text";

/** A person with a task, and functions that read everything the server shows of it. */
const withTask = async () => {
  const { session: token } = await newcomer(server);
  const made = await call("POST", "/tasks", { token, body: { title: "t" } });
  const changes = async () => (await call("GET", "/sync", { token })).json.changes as unknown;
  return { token, path: `/tasks/${made.json.id}`, before: await changes(), changes };
};

test.each([
  [{}, "title is missing."],
  [{ title: null }, "title must be a string."],
  [{ title: 5 }, "title must be a string."],
  [{ title: "" }, "title must have 1 to 500 characters, but has 0."],
  [{ title: "x".repeat(501) }, "title must have 1 to 500 characters, but has 501."],
  [{ title: "t", tabs: {} }, "tabs must be an array."],
  [
    { title: "t", tabs: Array.from({ length: 101 }, () => ({ url: URL })) },
    "tabs must have 0 to 100 items, but has 101.",
  ],
  [{ title: "t", tabs: [{ url: URL }, {}] }, "tabs.1.url is missing."],
  [{ title: "t", notes: Array(101).fill("n") }, "notes must have 0 to 100 items, but has 101."],
  [{ title: "t", notes: ["n", 5] }, `notes.1 must be ${NOTE}.`],
  [{ title: "t", notes: [""] }, `notes.0 must be ${NOTE}.`],
  [{ title: "t", notes: ["x".repeat(20_001)] }, `notes.0 must be ${NOTE}. It has 20001.`],
  [{ title: "t", notes: [{}] }, "A note has no text. Send one in the field text."],
  [["t"], "The body must be an object."],
  ["t", "The body must be an object."],
  [null, "The body must be an object."],
])("A new task is refused: %#", async (body, error) => {
  const { token, before, changes } = await withTask();
  const text = JSON.stringify(body);
  expectRefusal(await call("POST", "/tasks", { token, body: text }), 422, error);
  expect(await changes()).toEqual(before);
});

const PRINTABLE = "status must be 1 to 64 printable characters.";
const DUE = "due must be a date that exists, such as 2026-01-31, or null.";
const TAGS =
  'tags must be at most 20 tags of 1 to 50 printable characters, such as ["travel"], or null.';
const POSITION = "position must be 1 to 255 printable ASCII characters without spaces, or null.";
const COLOUR = "colour must be a string of at most 64 characters, or null.";

test.each([
  [{ status: "" }, PRINTABLE],
  [{ status: null }, PRINTABLE],
  [{ status: ["todo"] }, PRINTABLE],
  [{ status: "x".repeat(65) }, `${PRINTABLE} It has 65.`],
  [{ status: "to\ndo" }, PRINTABLE],
  [{ status: "to\u2028do" }, PRINTABLE],
  [{ colour: 5 }, COLOUR],
  [{ colour: "x".repeat(65) }, `${COLOUR} It has 65.`],
  [{ due: "2026-02-30" }, DUE],
  [{ due: "2026-1-31" }, DUE],
  [{ due: "2026-01-31T00:00:00Z" }, DUE],
  [{ due: "" }, DUE],
  [{ due: 20260131 }, DUE],
  [{ tags: "home" }, TAGS],
  [{ tags: [""] }, TAGS],
  [{ tags: ["x".repeat(51), "b"] }, `${TAGS} One has 51.`],
  [{ tags: ["a\nb"] }, TAGS],
  [{ tags: ["a", null] }, TAGS],
  [{ tags: Array(21).fill("a") }, TAGS],
  [{ position: "" }, POSITION],
  [{ position: "a 0" }, POSITION],
  [{ position: "ä" }, POSITION],
  [{ position: "x".repeat(256) }, POSITION],
  [{ position: 1 }, POSITION],
  [{ folder: 5 }, "folder must be a folder's id or exact name, or null for none."],
  [{ project_id: {} }, "project_id must be a folder's id or exact name, or null for none."],
  [{ bucket_id: false }, "bucket_id must be a bucket's id, or null for none."],
  [{ bucket_id: "nowhere" }, "bucket_id does not match any bucket in this account."],
  [{ bucket_id: "" }, "bucket_id does not match any bucket in this account."],
])("The field in %j is refused, in a new task and in a change", async (field, error) => {
  const { token, path, before, changes } = await withTask();
  const body = { title: "u", ...field };
  expectRefusal(await call("POST", "/tasks", { token, body }), 422, error);
  expectRefusal(await call("PATCH", path, { token, body }), 422, error);
  expect(await changes()).toEqual(before);
});

test.each([
  [[], "The body must be an object."],
  ["title", "The body must be an object."],
  [5, "The body must be an object."],
  [{ title: "" }, "title must have 1 to 500 characters, but has 0."],
  [{ title: null }, "title must be a string."],
])("A change of %j is refused", async (body, error) => {
  const { token, path, before, changes } = await withTask();
  const text = JSON.stringify(body);
  expectRefusal(await call("PATCH", path, { token, body: text }), 422, error);
  expect(await changes()).toEqual(before);
});

test.each([
  [{}, "A note has no text. Send one in the field text."],
  [{ text: "" }, "text must have 1 to 20000 characters, but has 0."],
  [{ content: "x".repeat(20_001) }, "content must have 1 to 20000 characters, but has 20001."],
  [{ body: ["n"] }, "body must be a string."],
  [["n"], "The body must be an object."],
  ["n", "The body must be an object."],
])("A note from %j is refused", async (body, error) => {
  const { token, path, before, changes } = await withTask();
  const text = JSON.stringify(body);
  expectRefusal(await call("POST", `${path}/notes`, { token, body: text }), 422, error);
  expect(await changes()).toEqual(before);
});

test("Fields of exactly the greatest length are accepted", async () => {
  const { session: token } = await newcomer(server);
  const long = `https://a.example/${"x".repeat(8192 - 18)}`;
  const body = {
    title: "t".repeat(500),
    status: "s".repeat(64),
    colour: "c".repeat(64),
    due: "9999-12-31",
    tags: Array.from({ length: 20 }, (_, at) => String.fromCharCode(97 + at).repeat(50)),
    position: "~".repeat(255),
    tabs: [{ url: long, title: "u".repeat(500) }],
    notes: ["n".repeat(20_000)],
  };
  const made = await call("POST", "/tasks", { token, body });
  const { title, status, colour, due, tags, position } = body;
  expect(made.json).toEqual(
    wholeTask({
      title,
      status,
      colour,
      due,
      tags,
      position,
      tab_count: 1,
      note_count: 1,
      tabs: [tab({ url: long, title: "u".repeat(500) })],
      notes: [note({ text: "n".repeat(20_000) })],
    }),
  );
  const tabs = Array.from({ length: 100 }, (_, n) => ({ url: `${URL}${n}`, title: `${n}` }));
  const many = await call("POST", `/tasks/${made.json.id}/tabs`, { token, body: tabs });
  const titles = (many.json.tabs as { title: string }[]).map((filed) => filed.title);
  expect(titles).toEqual(tabs.map((sent) => sent.title));
});

test("A task holds at most 1 MiB, and the refusal says what to do instead", async () => {
  const { session: token } = await newcomer(server);
  const fill = "x".repeat(1024 * 1024 - 200);
  const body = [change("sync_tasks", "full", { title: "t", fill })];
  await call("POST", "/sync", { token, body });
  const before = await call("GET", "/tasks/full", { token });
  const text = "n".repeat(300);
  const error = "The task would become larger than 1 MiB. File this into another task.";
  expectRefusal(await call("POST", "/tasks/full/notes", { token, body: { text } }), 422, error);
  expect((await call("GET", "/tasks/full", { token })).json).toEqual(before.json);
});

test.each([["pages"], ["notes"]])(
  "Nothing can be filed onto a task whose %s are not a list",
  async (list) => {
    const { session: token } = await newcomer(server);
    const body = [change("sync_tasks", "odd", { title: "t", pages: [], notes: [], [list]: "own" })];
    await call("POST", "/sync", { token, body });
    const before = await call("GET", "/sync", { token });
    const error = `Docket cannot add to this task's ${list}, because the extension stores them in a format of its own. Change the task in the extension.`;
    const [route, filed] =
      list === "pages" ? (["tabs", [{ url: URL }]] as const) : (["notes", { text: "n" }] as const);
    const answer = await call("POST", `/tasks/odd/${route}`, { token, body: filed });
    expectRefusal(answer, 422, error);
    expect((await call("GET", "/sync", { token })).json.changes).toEqual(before.json.changes);
  },
);

test("A payload of any shape is shown as far as it can be understood", async () => {
  const { session: token } = await newcomer(server);
  const odd = {
    title: 5,
    status: ["todo"],
    colour: {},
    project_id: 7,
    bucket_id: false,
    due: "soon",
    tags: "home",
    position: 3,
  };
  const pages = ["https://plain.example/", 5, null, [], { url: 5 }, { id: 9, title: "T" }];
  const payload = { ...odd, pages, notes: ["plain", null, { text: 5, created_at: "yesterday" }] };
  const body = [change("sync_tasks", "odd", payload), change("sync_tasks", "bare", {})];
  await call("POST", "/sync", { token, body });
  const plain = { id: null, created_at: null };
  const tabs = [
    tab({ ...plain, url: "https://plain.example/", title: "https://plain.example/" }),
    tab({ ...plain, url: "", title: "" }),
    tab({ ...plain, url: "", title: "T" }),
  ];
  const notes = [note({ ...plain, text: "plain" }), note({ ...plain, text: "" })];
  const counts = { tab_count: 3, note_count: 2 };
  expect((await call("GET", "/tasks/odd", { token })).json).toEqual(
    wholeTask({ id: "odd", title: "", ...counts, tabs, notes }),
  );
  expect((await call("GET", "/tasks/bare", { token })).json).toEqual(
    wholeTask({ id: "bare", title: "" }),
  );
});
