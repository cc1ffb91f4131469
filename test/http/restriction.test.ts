import { expect, test } from "bun:test";
import { listActivity } from "../../src/db/calls/activity.ts";
import { listKeys, replaceKey } from "../../src/db/people/api-keys.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { SAYS_RESTRICTION, withRestrictedKeys } from "../support/restrictions.ts";
import { change, expectRefusal, SAYS, sharedServer, titlesOf } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });
const { call, clock, store } = server;

const AFTER_NOON = "2026-03-04T12:00:01.000Z";

const restrictionOf = async (token: string) =>
  (await call("GET", "/me", { token })).json.restriction as unknown;

test("GET /me tells a key its restriction, and a session that it has none", async () => {
  const { ann, free, some, boxed } = await withRestrictedKeys(server);
  expect(await restrictionOf(free)).toBeNull();
  expect(await restrictionOf(ann.session)).toBeNull();
  expect(await restrictionOf(some)).toEqual({ kind: "folders", folders: ["work", "garden"] });
  expect(await restrictionOf(boxed)).toEqual({ kind: "inbox", folders: [] });
});

test("A name that is also used outside means the folder inside, older or not", async () => {
  const { some, push } = await withRestrictedKeys(server);
  const updated_at = AFTER_NOON;
  await push(change("sync_projects", "home", { name: "Garden" }, { updated_at }));
  await push(change("sync_projects", "aaa", { name: "Work" }, { updated_at }));
  for (const [folder, id] of [
    ["Garden", "garden"],
    ["Work", "work"],
  ]) {
    const made = await call("POST", "/tasks", { token: some, body: { title: "t", folder } });
    expect([made.status, made.json.project_id]).toEqual([201, id]);
  }
});

test("A key whose folders are all deleted can read their tasks and file nothing there", async () => {
  const { some, push } = await withRestrictedKeys(server);
  const gone = { updated_at: AFTER_NOON, deleted_at: AFTER_NOON };
  await push(
    change("sync_projects", "work", {}, gone),
    change("sync_projects", "garden", {}, gone),
  );
  expect((await call("GET", "/tasks/inside", { token: some })).status).toBe(200);
  const body = { title: "t", folder: "work" };
  expectRefusal(
    await call("POST", "/tasks", { token: some, body }),
    422,
    SAYS_RESTRICTION.noFolder,
  );
  const made = await call("GET", "/projects", { token: some });
  expect([made.status, made.json]).toEqual([200, { projects: [] }]);
});

test("If-Match reveals nothing about a task outside, with a true tag or a false one", async () => {
  const { ann, some, pull } = await withRestrictedKeys(server);
  const before = await pull();
  const { headers } = await call("GET", "/tasks/hidden", { token: ann.session });
  for (const tag of [headers.get("etag") ?? "", '"wrong"', "*"])
    for (const id of ["hidden", "none"]) {
      const sent = { token: some, body: { title: "u" }, headers: { "if-match": tag } };
      expectRefusal(await call("PATCH", `/tasks/${id}`, sent), 404, SAYS.noTask);
    }
  expect(await pull()).toEqual(before);
});

test("A task that ann moved out meanwhile is no longer found", async () => {
  const { some, push, pull } = await withRestrictedKeys(server);
  const read = await call("GET", "/tasks/inside", { token: some });
  const etag = read.headers.get("etag") ?? "";
  const moved = { title: "inside", project_id: "home", notes: [{ id: "n", text: "secret" }] };
  await push(change("sync_tasks", "inside", moved, { updated_at: AFTER_NOON }));
  const before = await pull();
  const tabs = [{ url: "https://a.example/" }];
  for (const [method, path, body, headers] of [
    ["GET", "", undefined, {}],
    ["PATCH", "", { title: "u" }, { "if-match": etag }],
    ["PATCH", "", { folder: "work" }, {}],
    ["PATCH", "?dry_run=true", { title: "u" }, {}],
    ["POST", "/tabs", tabs, {}],
    ["POST", "/notes", { text: "n" }, {}],
  ] as const) {
    const answer = await call(method, `/tasks/inside${path}`, { token: some, body, headers });
    expectRefusal(answer, 404, SAYS.noTask);
  }
  expect(await pull()).toEqual(before);
});

test("A repeated request returns its first reply, and nothing that happened since", async () => {
  const { some, push, pull } = await withRestrictedKeys(server);
  const sent = {
    token: some,
    body: { text: "n" },
    headers: { "idempotency-key": '"once"' },
  };
  const first = await call("POST", "/tasks/inside/notes", sent);
  const moved = { title: "moved", project_id: "home" };
  await push(change("sync_tasks", "inside", moved, { updated_at: AFTER_NOON }));
  const before = await pull();
  const again = await call("POST", "/tasks/inside/notes", sent);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await pull()).toEqual(before);
});

test("Idempotency keys belong to one API key: another's reply is never returned", async () => {
  const { free, some } = await withRestrictedKeys(server);
  const body = { text: "secret" };
  const headers = { "idempotency-key": '"once"' };
  const path = "/tasks/hidden/notes";
  expect((await call("POST", path, { token: free, body, headers })).status).toBe(201);
  expectRefusal(await call("POST", path, { token: some, body, headers }), 404, SAYS.noTask);
});

test("If a task is moved out and written to at once, a write that got 201 came before the move", async () => {
  const { ann, some, push } = await withRestrictedKeys(server);
  const moved = { title: "inside", project_id: "home" };
  const [, ...answers] = await Promise.all([
    push(change("sync_tasks", "inside", moved, { updated_at: AFTER_NOON })),
    ...Array.from({ length: 20 }, () =>
      call("POST", "/tasks/inside/notes", { token: some, body: { text: "n" } }),
    ),
  ]);
  const taken = answers.filter(({ status }) => status === 201).length;
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 404, SAYS.noTask);
  const { json } = await call("GET", "/tasks/inside", { token: ann.session });
  expect([json.project_id, json.note_count]).toEqual(["home", taken]);
});

test("The inbox is the task that tabs go to now: once it is done or renamed, it is out of reach", async () => {
  const { ann, inbox, boxed } = await withRestrictedKeys(server);
  const read = () => call("GET", `/tasks/${inbox}`, { token: boxed });
  expect((await read()).status).toBe(200);
  const named = { token: ann.session, body: { title: "Trip" } };
  await call("PATCH", `/tasks/${inbox}`, named);
  expectRefusal(await read(), 404, SAYS.noTask);
  expect(titlesOf(await call("GET", "/tasks?status=todo,done", { token: boxed }))).toEqual([]);
  await call("POST", "/tasks", { token: ann.session, body: { title: "Agent unsorted" } });
  expect(titlesOf(await call("GET", "/tasks", { token: boxed }))).toEqual([]);
  const tabs = [{ url: "https://new.example/" }];
  const filed = await call("POST", "/inbox/tabs", { token: boxed, body: tabs });
  expect(filed.status).toBe(201);
  const listed = await call("GET", "/tasks", { token: boxed });
  expect(listed.json.tasks.map(({ id }: { id: string }) => id)).toEqual([filed.json.task.id]);
});

test("A key's successor has the same restriction", async () => {
  const { ann } = await withRestrictedKeys(server);
  for (const name of ["some", "boxed"]) {
    const key = (await listKeys(store, ann.account.id)).find((one) => one.name === name);
    const made = await replaceKey(
      store,
      ann.account.id,
      key?.id ?? "",
      0,
      cryptoRandom,
      clock.wall(),
    );
    expect([made.key.restriction, made.key.scopes]).toEqual([
      key?.restriction,
      key?.scopes,
    ] as never);
    const answer = await call("GET", "/tasks/hidden", { token: made.secret });
    expectRefusal(answer, 404, SAYS.noTask);
  }
});

test("Calls of a restricted key are in the activity list, with the records they touched", async () => {
  const { ann, some } = await withRestrictedKeys(server);
  await call("POST", "/tasks/inside/notes", { token: some, body: { text: "n" } });
  await call("POST", "/projects", { token: some, body: { name: "n" } });
  const keys = await listKeys(store, ann.account.id);
  const id = keys.find(({ name }) => name === "some")?.id ?? "";
  const rows = await listActivity(store, id, 10);
  expect(rows.map(({ status, touched }) => [status, touched])).toEqual([
    [403, null],
    [201, "task:inside"],
  ]);
});
