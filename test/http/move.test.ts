import { expect, test } from "bun:test";
import { formatInstant, MINUTE } from "../../src/domain/base/instant.ts";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call, clock } = server;

const page = (id: string, fields: object = {}) => ({
  id,
  url: `https://${id}.example/`,
  ...fields,
});

/** Ann with the tasks `a`, of three tabs, and `b`, of one, and a key of hers. */
const annWithTabs = async () => {
  const ann = await newcomer(server);
  const [token, key] = [ann.session, await ann.key()];
  const groups = [{ id: "g", title: "Trip", colour: "cyan" }];
  const pages = [page("x", { group: "g", odd: 1 }), page("y"), "https://z.example/"];
  const records = [
    change("sync_tasks", "a", { title: "a", pages, groups, own: true }),
    change("sync_tasks", "b", { title: "b", pages: [page("old")] }),
  ];
  await call("POST", "/sync", { token, body: records });
  const pulled = async (who = token): Promise<Readonly<Record<string, Row>>> => {
    const rows = (await call("GET", "/sync", { token: who })).json.changes.sync_tasks as Row[];
    return Object.fromEntries(rows.map((row) => [row.id, row]));
  };
  const move = (body: object, id = "b", by = key) =>
    call("POST", `/tasks/${id}/tabs/move`, { token: by, body });
  const urls = async (id: string): Promise<readonly string[]> =>
    (await call("GET", `/tasks/${id}`, { token })).json.tabs.map((tab: { url: string }) => tab.url);
  return { ann, token, key, move, pulled, urls };
};

type Row = {
  readonly id: string;
  readonly rev: string;
  readonly updated_at: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

test("Tabs move in the order in which they are named, as they are, with their groups", async () => {
  const { move, pulled } = await annWithTabs();
  const moved = await move({ from: "a", tabs: ["https://z.example/", "x"] });
  expect(moved.status).toBe(200);
  expect(moved.json.tabs).toMatchObject([
    { id: null, url: "https://z.example/", created_by: "person" },
    { id: "x", url: "https://x.example/", created_by: "person" },
  ]);
  expect([moved.json.task.tab_count, moved.json.from.tab_count]).toEqual([3, 1]);
  const { a, b } = await pulled();
  expect(a?.payload).toMatchObject({ title: "a", own: true, pages: [page("y")] });
  expect(b?.payload).toEqual({
    title: "b",
    pages: [page("old"), "https://z.example/", page("x", { group: "g", odd: 1 })],
    groups: [{ id: "g", title: "Trip", colour: "cyan" }],
  });
});

test("What an agent filed stays the agent's, with its time, also when it moves on", async () => {
  const { ann, key, move, token } = await annWithTabs();
  const sent = [{ url: "https://filed.example/" }, { url: "https://other.example/" }];
  const filed = await call("POST", "/inbox/tabs", { token: key, body: sent });
  const [first, second] = filed.json.tabs;
  clock.advance(MINUTE);
  const other = await ann.key(["read", "write"], "other");
  const moved = await move({ from: "inbox", tabs: [first.id] }, "b", other);
  expect(moved.json.tabs).toEqual([first]);
  const inbox = await call("GET", "/inbox", { token });
  expect([inbox.json.id, inbox.json.tabs]).toEqual([filed.json.task.id, [second]]);
  await move({ from: "b", tabs: ["old", first.id] }, "a", token);
  const { json } = await call("GET", "/tasks/a", { token });
  expect(json.tabs.slice(-2)).toMatchObject([{ id: "old", created_by: "person" }, first]);
});

test("Without an inbox, there is nothing to move and nothing to read", async () => {
  const { key, move } = await annWithTabs();
  const { status, json } = await call("GET", "/inbox", { token: key });
  expect([status, json]).toEqual([200, { id: null, tabs: [] }]);
  expectRefusal(await move({ from: "inbox", tabs: ["x"] }), 404, SAYS.noTask);
});

const NO = (name: string) =>
  `There is no tab ${JSON.stringify(name)} in the task that tabs are moved from. Read that task for the ids of its tabs. Nothing was moved.`;

test.each([
  [{ from: "a", tabs: ["x", "gone"] }, 422, NO("gone")],
  [{ from: "a", tabs: ["https://x.example/"] }, 422, NO("https://x.example/")],
  [{ from: "a", tabs: ["x", "x"] }, 422, "A tab is named twice. Nothing was moved."],
  [
    { from: "b", tabs: ["old"] },
    422,
    "These tabs are in that task already. Name the task that they are to leave.",
  ],
  [{ from: "none", tabs: ["x"] }, 404, SAYS.noTask],
  [{ from: "a", tabs: [] }, 422, "tabs must have 1 to 100 items, but has 0."],
  [{ tabs: ["x"] }, 422, "from is missing."],
])("%j is refused, and nothing is done", async (body, status, says) => {
  const { move, pulled } = await annWithTabs();
  const before = await pulled();
  expectRefusal(await move(body), status, says);
  expect(await pulled()).toEqual(before);
});

test("A key that cannot read names tabs by their ids, and learns no more", async () => {
  const { ann, move } = await annWithTabs();
  const writer = await ann.key(["write"], "writer");
  const asked = await move({ from: "a", tabs: ["https://z.example/"] }, "b", writer);
  expectRefusal(asked, 422, NO("https://z.example/"));
  const moved = await move({ from: "a", tabs: ["y"] }, "b", writer);
  expect(moved.json).toEqual({ tabs: [{ id: "y" }], task: { id: "b" }, from: { id: "a" } });
});

test("A key cannot send a person's tabs to a device by moving them", async () => {
  const { key, move, pulled } = await annWithTabs();
  const body = { title: "mine", tags: ["device:laptop"], tabs: [{ url: "https://own.example/" }] };
  const { id } = (await call("POST", "/tasks", { token: key, body })).json;
  const before = await pulled();
  expectRefusal(
    await move({ from: "a", tabs: ["x"] }, id),
    422,
    'A key cannot move tabs of a person to a task with a tag that begins with "device:". Move them to another task.',
  );
  expect(await pulled()).toEqual(before);
});

test("A task in the trash, and tabs in a form of the extension's own, are left alone", async () => {
  const { token, move } = await annWithTabs();
  const body = [
    change("sync_tasks", "binned", { title: "binned", bucket_id: "trash", pages: [page("t")] }),
    change("sync_tasks", "odd", { title: "odd", pages: { own: "form" } }),
  ];
  await call("POST", "/sync", { token, body });
  expectRefusal(await move({ from: "binned", tabs: ["t"] }), 404, SAYS.noTask);
  const says =
    "Docket cannot move tabs from or to one of these tasks, because the extension stores its tabs in a format of its own. Move them in the extension.";
  expectRefusal(await move({ from: "odd", tabs: ["t"] }), 422, says);
  expectRefusal(await move({ from: "a", tabs: ["x"] }, "odd"), 422, says);
});

const later = () => {
  clock.advance(MINUTE);
  return formatInstant(clock.wall());
};

test.each([
  ["that names the version it changed", true],
  ["that names nothing", false],
])("A device %s and has not seen the move does not bring the tabs back", async (_what, names) => {
  const { token, move, pulled, urls } = await annWithTabs();
  const { a, b } = await pulled();
  await move({ from: "a", tabs: ["x", "y"] });
  const edit = (row: Row | undefined, title: string) => ({
    ...change("sync_tasks", row?.id ?? "", { ...row?.payload, title }),
    updated_at: later(),
    ...(names ? { base_rev: row?.rev } : {}),
  });
  await call("POST", "/sync", { token, body: [edit(a, "A"), edit(b, "B")] });
  expect([await urls("a"), await urls("b")]).toEqual([
    ["https://z.example/"],
    ["https://old.example/", "https://x.example/", "https://y.example/"],
  ]);
  const { a: now, b: then } = await pulled();
  expect([now?.payload["title"], then?.payload["title"]]).toEqual(["A", "B"]);
});
