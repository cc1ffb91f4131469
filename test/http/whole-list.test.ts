import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call, clock } = server;

/** Ann with thirty tasks, the last one first, each of a tab and a note, and a closed one. */
const annWithThirty = async () => {
  const ann = await newcomer(server);
  const key = await ann.key();
  const tasks = Array.from({ length: 30 }, (_, at) =>
    change("sync_tasks", `t${at}`, {
      title: `t${at}`,
      pages: [{ id: `p${at}`, url: `https://${at}.example/` }],
      notes: [{ id: `n${at}`, text: `Note ${at}` }],
    }),
  );
  for (const task of tasks) {
    await call("POST", "/sync", { token: ann.session, body: [task] });
    clock.advance(1_000);
  }
  const closed = change("sync_tasks", "closed", { title: "closed", status: "done" });
  await call("POST", "/sync", { token: ann.session, body: [closed] });
  const list = (query: string, token = key) => call("GET", `/tasks?${query}`, { token });
  return { ann, key, list };
};

type Listed = { readonly id: string; readonly tabs?: object[]; readonly notes?: object[] };
const idsIn = ({ json }: { readonly json: { readonly tasks?: unknown } }) =>
  (json.tasks as readonly Listed[]).map(({ id }) => id);

test("Thirty tasks with their tabs and notes take two calls, and each is as it is read alone", async () => {
  const { key, list } = await annWithThirty();
  const first = await list("include=tabs,notes");
  const second = await list(`include=tabs,notes&cursor=${first.json.next_cursor}`);
  expect([idsIn(first).length, idsIn(second).length, second.json.next_cursor]).toEqual([
    20,
    10,
    null,
  ]);
  expect(new Set([...idsIn(first), ...idsIn(second)]).size).toBe(30);
  const [one] = first.json.tasks as readonly Listed[];
  const alone = await call("GET", `/tasks/${one?.id}`, { token: key });
  expect(one).toEqual(alone.json);
});

test("One list alone is included if only that is asked for", async () => {
  const { list } = await annWithThirty();
  const [one] = (await list("include=notes&limit=1")).json.tasks as readonly Listed[];
  expect([one?.notes?.length, one && "tabs" in one]).toEqual([1, false]);
});

test("Tasks are found by their ids, closed ones too, and those that are not there are left out", async () => {
  const { list } = await annWithThirty();
  expect(idsIn(await list("ids=t3,closed,none,t7,t3"))).toEqual(["closed", "t7", "t3"]);
  expect(idsIn(await list("ids=t3,closed&status=todo"))).toEqual(["t3"]);
  const page = await list("ids=t1,t2,t3&limit=2&include=tabs");
  expect(idsIn(page)).toEqual(["t3", "t2"]);
  const rest = await list(`ids=t1,t2,t3&limit=2&include=tabs&cursor=${page.json.next_cursor}`);
  expect(idsIn(rest)).toEqual(["t1"]);
});

test("A page ends where its tasks would take too much room, and nothing is left out", async () => {
  const ann = await newcomer(server);
  const key = await ann.key();
  const notes = [{ id: "n", text: "x".repeat(100_000) }];
  for (const id of ["a", "b", "c", "d", "e"]) {
    const body = [change("sync_tasks", id, { title: id, notes })];
    await call("POST", "/sync", { token: ann.session, body });
    clock.advance(1_000);
  }
  const huge = change("sync_tasks", "huge", {
    title: "huge",
    notes: [...notes, ...notes, ...notes],
  });
  await call("POST", "/sync", { token: ann.session, body: [huge] });
  const seen: string[][] = [];
  const times = new Set<string>();
  let cursor = "";
  do {
    const { json } = await call("GET", `/tasks?include=notes${cursor}`, { token: key });
    seen.push(idsIn({ json }));
    times.add(json.server_time);
    cursor = json.next_cursor === null ? "" : `&cursor=${json.next_cursor}`;
  } while (cursor !== "");
  expect(seen).toEqual([["huge"], ["e", "d"], ["c", "b"], ["a"]]);
  expect(times.size).toBe(1);
});

test("A key finds no more by ids than it may see", async () => {
  const { ann, list } = await annWithThirty();
  const body = [
    change("sync_projects", "work", { name: "Work" }),
    change("sync_tasks", "inside", { title: "inside", project_id: "work" }),
    change("sync_tasks", "binned", { title: "binned", bucket_id: "trash" }),
  ];
  await call("POST", "/sync", { token: ann.session, body });
  const some = await ann.key(["read"], "some", { kind: "folders", folders: ["work"] });
  const boxed = await ann.key(["read"], "boxed", { kind: "inbox" });
  const query = "ids=inside,t1,binned&include=tabs";
  expect(idsIn(await list(query, some))).toEqual(["inside"]);
  expect(idsIn(await list(query, boxed))).toEqual([]);
  expect(idsIn(await list(query))).toEqual(["inside", "t1"]);
  const bob = await newcomer(server, "bob");
  expect(idsIn(await list(query, await bob.key()))).toEqual([]);
});

test.each([
  ["ids=", "Query parameter ids must have 1 to 5000 characters, but has 0."],
  ["ids=a,,b", "Query parameter ids must be 1 to 50 ids of tasks, separated by commas."],
  [
    `ids=${Array.from({ length: 51 }, (_, at) => at).join(",")}`,
    "Query parameter ids must be 1 to 50 ids of tasks, separated by commas.",
  ],
  ["ids=a&q=b", "Send either ids or a search by q or url, not both."],
  [
    "include=pages",
    "Query parameter include must be tabs, notes, or both with a comma between them.",
  ],
  ["include=tabs&limit=21", "Query parameter limit must be a whole number from 1 to 20."],
])("%s is refused", async (query, says) => {
  const { list } = await annWithThirty();
  expectRefusal(await list(query), 422, says);
});
