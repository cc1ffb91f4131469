import { expect, test } from "bun:test";
import { DAY, formatInstant } from "../../src/domain/base/instant.ts";
import { change, sharedServer } from "../support/replies.ts";
import { someoneWithKeys } from "../support/web/keys.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";
import { pushChanges } from "../support/rules.ts";

const server = await sharedServer();
const { call, clock, store } = server;

/** Someone who is signed in, with a device that pushes, and a key called helper. */
const withDevice = async (name = "ann") => {
  const { person, helper } = await someoneWithKeys(server, name);
  const push = (table: string, id: string, payload: unknown, fields: object = {}) =>
    pushChanges(
      store,
      person.account.id,
      null,
      [{ ...change(table, id, payload), updated_at: formatInstant(clock.wall()), ...fields }],
      clock.wall(),
    );
  return { person, push, token: helper.secret };
};

test("a task shows which key works on it, until the claim ends", async () => {
  const { person: ann, push, token } = await withDevice();
  await push("sync_tasks", "t", { title: "Trip", status: "todo", pages: [], notes: [] });
  const claimed = await call("POST", "/claims", { token, body: { task: "t", for: "30m" } });
  expect(claimed.status).toBe(201);
  const says = "“ helper ” works on this task until";
  expect((await ann.get("/account/tasks/t")).text).toContain(says);
  clock.advance(DAY);
  expect((await ann.get("/account/tasks/t")).text).not.toContain(says);
});

const NO_TASK = "Task not found. It may have been deleted.";

test("a task is shown with its tabs and notes, in order, and who created each", async () => {
  const { person: ann, push, token } = await withDevice();
  await push("sync_projects", "f", { name: "Travel" });
  const tab = { id: "x", url: "https://a.example/b?c", title: "First" };
  const note = { id: "n", text: "two\nlines", created_at: "2026-03-01T10:00:00.000Z" };
  const payload = { title: "Trip", status: "in_progress", colour: "red", project_id: "f" };
  await push("sync_tasks", "t", { ...payload, pages: [tab], notes: [note] });
  clock.advance(DAY);
  const body = [{ url: "http://b.example:8080/", title: "Second" }];
  expect((await call("POST", "/tasks/t/tabs", { token, body })).status).toBe(201);
  await call("POST", "/tasks/t/notes", { token, body: { text: "of an agent" } });
  const { status, html, text } = await ann.get("/account/tasks/t");
  expect(status).toBe(200);
  expect(html).toContain("<h1>Trip</h1>");
  expect(html).toMatch(/<a href="\/tasks" aria-current="page">(?:(?!<a ).)* Tasks<\/a>/);
  expect(html).toContain('<a class="button main" href="/tasks/open?task=t">Open this task</a>');
  expect(text).toContain(
    "Status In progress Folder Travel Colour red Created by you 4 March 2026, 12:00 UTC",
  );
  expect(text).toContain("Last changed 5 March 2026, 12:00 UTC");
  expect(html).toContain('<a href="/account/folders/f"><bdi>Travel</bdi></a>');
  expect(text).toContain(
    "Tabs (2) First a.example by you " +
      "Second b.example:8080 by an agent helper 5 March 2026, 12:00 UTC",
  );
  expect(text).toContain(
    "Notes (2) two lines by you 1 March 2026, 10:00 UTC " +
      "of an agent by an agent helper 5 March 2026, 12:00 UTC",
  );
  expect(html).toContain("<bdi>two</bdi><br/><bdi>lines</bdi>");
  expect(html).toContain(
    '<a href="https://a.example/b?c" title="https://a.example/b?c" target="_blank" rel="noopener noreferrer"><bdi>First</bdi></a>',
  );
});

test("a task's date and tags are shown, its position is not", async () => {
  const { person: ann, push } = await withDevice();
  await push("sync_tasks", "t", { due: "2026-03-04", tags: ["home", "<b>"], position: "a0V" });
  const { text, html } = await ann.get("/account/tasks/t");
  expect(text).toContain("Status To do Folder none Due 4 March 2026 Tags home, <b> Created by you");
  expect(html).toContain('<time datetime="2026-03-04">4 March 2026</time>');
  expect(html).toContain("home, &lt;b>");
  expect(text).not.toContain("a0V");
});

test.each([
  ["red", "red", "#e5484d"],
  ["Gray", "grey", "#8b8d98"],
  ["#FF8000", "orange", "#FF8000"],
  ["as the sea", "as the sea", null],
  ["#12345", "#12345", null],
])("the colour %s is shown as %s", async (colour, name, shade) => {
  const { person: ann, push } = await withDevice();
  await push("sync_tasks", "t", { title: "Trip", colour });
  const { text, html } = await ann.get("/account/tasks/t");
  expect(text).toContain(`Colour ${name} Created by you`);
  expect(/<circle[^>]* fill="([^"]*)"/.exec(html)?.[1] ?? null).toBe(shade);
});

test("a task that is empty, or has fields of the wrong kind, is still shown", async () => {
  const { person: ann, push } = await withDevice();
  await push("sync_tasks", "empty", {});
  await push("sync_tasks", "odd", {
    title: 7,
    status: [],
    pages: {},
    notes: "x",
    project_id: "no",
  });
  await push("sync_tasks", "mixed", { pages: ["https://a.example/", 7, {}], notes: ["n", null] });
  const empty = await ann.get("/account/tasks/empty");
  expect(empty.text).toContain("Untitled Open this task Status To do Folder none Created by you");
  expect(empty.text).toContain("No saved tabs. Notes (0) No notes.");
  const odd = await ann.get("/account/tasks/odd");
  expect([odd.status, odd.text]).toEqual([200, expect.stringContaining("Folder not found")]);
  const mixed = await ann.get("/account/tasks/mixed");
  expect(mixed.text).toContain("Tabs (2) https://a.example/ a.example");
  expect(mixed.text).toContain("Untitled not a web address");
});

test("a deleted task or folder says so, and a trashed task is marked", async () => {
  const { person: ann, push } = await withDevice();
  await push("sync_tasks", "t", { title: "Secret plan" });
  await push("sync_projects", "f", { name: "Secret folder" });
  clock.advance(DAY);
  const deleted = { deleted_at: formatInstant(clock.wall()) };
  await push("sync_tasks", "t", { title: "Secret plan" }, deleted);
  await push("sync_projects", "f", { name: "Secret folder" }, deleted);
  for (const [path, what] of [
    ["tasks/t", "task"],
    ["folders/f", "folder"],
  ]) {
    const { status, text } = await ann.get(`/account/${path}`);
    const says = `This ${what} was deleted on 5 March 2026, 12:00 UTC in the extension.`;
    expect([status, text]).toEqual([404, expect.stringContaining(says)]);
    expect(text).not.toContain("Secret");
  }
  await push("sync_tasks", "u", { title: "Old plan", bucket_id: "trash", project_id: "f" });
  const trashed = await ann.get("/account/tasks/u");
  expect([trashed.status, trashed.text]).toEqual([
    200,
    expect.stringContaining(
      "Old plan Open this task This task is in the trash, so no API key can change it.",
    ),
  ]);
  expect(trashed.text).toContain("Folder not found");
});

test("a folder is shown with its open tasks, most recently changed first", async () => {
  const { person: ann, push } = await withDevice();
  await push("sync_projects", "none", { name: "Travel", colour: "#abc" });
  for (const [id, fields] of [
    ["a", {}],
    ["b", { status: "blocked" }],
    ["c", { status: "done" }],
    ["d", { bucket_id: "trash" }],
    ["e", { project_id: null }],
  ] as const) {
    await push("sync_tasks", id, { title: `task ${id}`, project_id: "none", ...fields });
    clock.advance(1_000);
  }
  const { status, text, html } = await ann.get("/account/folders/none");
  expect([status, text]).toEqual([
    200,
    expect.stringContaining("Open tasks task b Blocked task a To do"),
  ]);
  expect(text).not.toMatch(/task [cde]/);
  expect(html).toContain('<a href="/account/tasks/a"><bdi>task a</bdi></a>');
  expect(text).toContain("Travel Open this folder Colour blue Created by you");
});

test("another account's tasks and folders cannot be found, and a stranger is sent to sign in", async () => {
  const { push } = await withDevice();
  await push("sync_tasks", "only-anns", { title: "Secret plan" });
  await push("sync_projects", "only-anns", { name: "Secret folder" });
  const bob = await someoneSignedIn(server, "bob");
  const ids = ["only-anns", "none", "a%00b", encodeURIComponent("' OR 1=1 --"), "x".repeat(256)];
  for (const id of ids) {
    const task = await bob.get(`/account/tasks/${id}`);
    expect([task.status, task.text]).toEqual([404, expect.stringContaining(NO_TASK)]);
    const folder = await bob.get(`/account/folders/${id}`);
    expect([folder.status, folder.text]).toEqual([
      404,
      expect.stringContaining(NO_TASK.replace("Task", "Folder")),
    ]);
  }
  const stranger = await visitor(server).get("/account/tasks/only-anns");
  expect([stranger.status, stranger.location]).toEqual([
    303,
    "/sign-in?next=%2Faccount%2Ftasks%2Fonly-anns",
  ]);
});

test("a folder of another account is not named on a task that points to it", async () => {
  const { push } = await withDevice();
  await push("sync_projects", "secret", { name: "Secret folder" });
  const bob = await withDevice("bob");
  await bob.push("sync_tasks", "t", { title: "t", project_id: "secret" });
  const { text } = await bob.person.get("/account/tasks/t");
  expect(text).toContain("Folder not found");
  expect(text).not.toContain("Secret");
});

test("a task with a great many tabs and notes does not make an endless page", async () => {
  const { person: ann, push } = await withDevice();
  const pages = Array.from({ length: 30_000 }, (_, n) => `https://a.example/${n}`);
  await push("sync_tasks", "t", { title: "t", pages, notes: pages.map(String).slice(0, 2_000) });
  const { status, html, text } = await ann.get("/account/tasks/t");
  expect([status, html.length < 2_000_000]).toEqual([200, true]);
  expect(text).toContain("Tabs (30000)");
  expect(text).toContain(
    "29000 more tabs are not shown. Open the task in the extension to see them.",
  );
  expect(text).toContain(
    "1000 more notes are not shown. Open the task in the extension to see them.",
  );
});
