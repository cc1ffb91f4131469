import { expect, test } from "bun:test";
import { SHARED_URL, withRestrictedKeys } from "../support/restrictions.ts";
import { change, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });
const { call } = server;

const AFTER_NOON = "2026-03-04T12:00:01.000Z";

const placed = (folder: string, at: number) =>
  change("sync_tasks", `${folder}-${at}`, { title: `${folder} ${at}`, project_id: folder });

const shown = async (token: string) =>
  (
    (await call("GET", "/projects", { token })).json.projects as {
      name: string;
      task_count: number;
    }[]
  )
    .map(({ name, task_count }) => `${name} ${task_count}`)
    .toSorted();

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ["", ["Agent unsorted", "hidden", "inside", "loose"], ["inside"], ["Agent unsorted"]],
  ["?status=done", ["done"], ["done"], []],
  [
    "?status=todo,done",
    ["Agent unsorted", "done", "hidden", "inside", "loose"],
    ["done", "inside"],
    ["Agent unsorted"],
  ],
  ["?project_id=none", ["Agent unsorted", "loose"], [], ["Agent unsorted"]],
  [
    "?created_by=person",
    ["Agent unsorted", "hidden", "inside", "loose"],
    ["inside"],
    ["Agent unsorted"],
  ],
  [`?url=${encodeURIComponent(SHARED_URL)}`, ["hidden", "inside"], ["inside"], []],
  [
    "?since=2026-03-04T11:00:00Z",
    ["Agent unsorted", "hidden", "inside", "loose"],
    ["inside"],
    ["Agent unsorted"],
  ],
])("GET /tasks%s lists what is within the restriction", async (query, all, inside, boxed) => {
  const world = await withRestrictedKeys(server);
  const listed = async (token: string) => {
    const answer = await call("GET", `/tasks${query}`, { token });
    return [answer.status, titlesOf(answer).toSorted(), answer.json.next_cursor as unknown];
  };
  expect(await listed(world.free)).toEqual([200, all, null]);
  expect(await listed(world.some)).toEqual([200, inside, null]);
  expect(await listed(world.boxed)).toEqual([200, boxed, null]);
});

test("Pages hold what is within reach, and end with it", async () => {
  const { ann, some, push } = await withRestrictedKeys(server);
  for (const at of [0, 1, 2, 3])
    for (const folder of ["work", "home", "garden"]) await push(placed(folder, at));
  const wanted = titlesOf(await call("GET", "/tasks?limit=200", { token: ann.session })).filter(
    (title) => /^(inside|work|garden)/.test(title),
  );
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | null = ""; cursor !== null; pages++) {
    const from = cursor && `&cursor=${cursor}`;
    const page = await call("GET", `/tasks?limit=3${from}`, { token: some });
    seen.push(...titlesOf(page));
    cursor = page.json.next_cursor as string | null;
  }
  expect([seen, pages]).toEqual([wanted, 3]);
});

test("A cursor from another key reaches nothing more", async () => {
  const { free, some, boxed } = await withRestrictedKeys(server);
  const { json } = await call("GET", "/tasks?limit=1", { token: free });
  for (const [token, titles] of [
    [some, ["inside"]],
    [boxed, []],
  ] as const) {
    const answer = await call("GET", `/tasks?cursor=${json.next_cursor}`, { token });
    expect([answer.status, titlesOf(answer)]).toEqual([200, [...titles]]);
  }
});

test("GET /projects shows the folders of the restriction with their counts, and none for an inbox key", async () => {
  const { free, some, boxed, push } = await withRestrictedKeys(server);
  expect(await shown(free)).toEqual(["Garden 0", "Home 1", "Work 1"]);
  expect(await shown(some)).toEqual(["Garden 0", "Work 1"]);
  expect(await shown(boxed)).toEqual([]);
  const gone = { updated_at: AFTER_NOON, deleted_at: AFTER_NOON };
  await push(change("sync_projects", "garden", {}, gone));
  expect(await shown(some)).toEqual(["Work 1"]);
});
