import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

type Row = { readonly id: string; readonly rev: string; readonly payload: object };

const world = async () => {
  const { session: token, key: newKey } = await newcomer(server);
  const key = await newKey();
  let at = Date.parse("2026-03-04T12:00:00.000Z");
  const next = (): string => formatInstant((at += 1_000));
  const push = async (payload: object, more: object = {}) => {
    const record = { table: "sync_tasks", id: "t1", updated_at: next(), payload, ...more };
    const { text } = await call("POST", "/sync", { token, body: [record] });
    const reply = JSON.parse(text);
    return { record, reply, rev: reply.revs[0]?.rev as string | undefined };
  };
  const row = async (): Promise<Row> =>
    JSON.parse((await call("GET", "/sync", { token })).text).changes.sync_tasks[0];
  const sets = (body: object) => call("PATCH", "/tasks/t1", { token: key, body });
  const files = (url: string) => call("POST", "/tasks/t1/tabs", { token: key, body: [{ url }] });
  return { token, key, push, row, sets, files };
};

test("A row's revision is the one that the reply to its push gave, and stays until it changes", async () => {
  const { token, push, row, sets } = await world();
  const { rev, record, reply } = await push({ title: "milk" });
  expect(reply.revs).toEqual([{ table: "sync_tasks", id: "t1", rev }]);
  expect((await row()).rev).toBe(rev ?? "");
  const again = await call("POST", "/sync", { token, body: [record] });
  expect(JSON.parse(again.text)).toMatchObject({ applied: 1, revs: reply.revs });
  await sets({ title: "bread" });
  expect((await row()).rev).not.toBe(rev ?? "");
});

test("What is merged, clamped or stale has its revision in the row of the reply alone", async () => {
  const { push, row, sets } = await world();
  const first = await push({ title: "milk", status: "todo" });
  await sets({ title: "bread" });
  const merged = await push({ title: "milk", status: "done" }, { base_rev: first.rev });
  expect(merged.reply).toMatchObject({ applied: 1, revs: [], rejected: [{ reason: "merged" }] });
  expect(merged.reply.rejected[0].server_row).toMatchObject({
    payload: { title: "bread", status: "done" },
    rev: (await row()).rev,
  });
});

test("A record is taken only on top of the revision that it expects", async () => {
  const { push, row, sets } = await world();
  const first = await push({ title: "milk" }, { expected_rev: null });
  expect(first.reply).toMatchObject({ applied: 1 });
  const second = await push({ title: "bread" }, { expected_rev: first.rev });
  expect(second.reply).toMatchObject({ applied: 1, rejected: [] });
  await sets({ status: "done" });
  const late = await push({ title: "tea" }, { expected_rev: second.rev });
  const current = await row();
  expect(late.reply).toMatchObject({
    applied: 0,
    rejected: [{ reason: "stale", server_row: { rev: current.rev } }],
  });
  const third = await push({ title: "tea", status: "done" }, { expected_rev: current.rev });
  expect(third.reply).toMatchObject({ applied: 1, rejected: [] });
  const none = await push({ title: "new" }, { expected_rev: null });
  expect(none.reply).toMatchObject({ applied: 0, rejected: [{ reason: "stale" }] });
});

test("A named revision proves what a device held, whatever it has confirmed", async () => {
  const { push, row, files } = await world();
  const first = await push({ title: "milk", pages: [] });
  await files("https://a.example/");
  const seen = await row();
  await files("https://b.example/");
  // It has seen the first tab, and throws it away. It has not seen the second one.
  const { reply } = await push({ title: "bread", pages: [] }, { base_rev: seen.rev });
  expect(reply.rejected[0].server_row.payload).toMatchObject({
    title: "bread",
    pages: [{ url: "https://b.example/" }],
  });
  const older = await push({ title: "bread", pages: [] }, { base_rev: first.rev });
  expect(older.reply.rejected[0].server_row.payload.pages).toHaveLength(1);
});

test("A revision of data that were lost in a restore proves nothing, and is never the current one", async () => {
  const { push, files, row } = await world();
  const { rev = "" } = await push({ title: "milk", pages: [] });
  await files("https://a.example/");
  const { rev: now } = await row();
  const foreign = `${now.split("-")[0]}-0123456789ab`;
  expect((await push({ title: "tea" }, { expected_rev: foreign })).reply).toMatchObject({
    applied: 0,
    rejected: [{ reason: "stale" }],
  });
  const { reply } = await push({ title: "tea", pages: [] }, { base_rev: foreign });
  expect(reply.rejected[0].server_row.payload.pages).toHaveLength(1);
  expect(rev).not.toBe(now);
});

test("Over REST each task and folder has the revision that sync gives, and may be sent back with it", async () => {
  const { token, key, row, push } = await world();
  const { rev } = await push({ title: "milk" });
  const read = async (path: string) => JSON.parse((await call("GET", path, { token })).text);
  const task = await read("/tasks/t1");
  expect(task.rev).toBe(rev);
  const [listed] = (await read("/tasks")).tasks;
  expect(listed.rev).toBe(rev);
  const { deleted_at: _deletedAt, ...fields } = task;
  const sent = { ...fields, title: "bread" };
  const changed = await call("PATCH", "/tasks/t1", { token, body: sent });
  expect([changed.status, JSON.parse(changed.text).rev]).toEqual([200, (await row()).rev]);
  const made = await call("POST", "/projects", { token, body: { name: "Home" } });
  const [folder] = (await read("/projects")).projects;
  expect(folder.rev).toBe(JSON.parse(made.text).rev);
  const body = [{ url: "https://a.example/" }];
  const { task: filed } = JSON.parse(
    (await call("POST", "/inbox/tabs", { token: key, body })).text,
  );
  expect((await read(`/tasks/${filed.id}`)).rev).toBe(filed.rev);
});

test.each([
  ["a number", 7],
  ["a time", "2026-03-04T12:00:00.000Z"],
  ["nothing", ""],
])("A revision that is %s is refused, and the other records are applied", async (_name, rev) => {
  const { push } = await world();
  for (const field of ["base_rev", "expected_rev"]) {
    const { reply } = await push({ title: "milk" }, { [field]: rev });
    expect(reply).toMatchObject({
      applied: 0,
      invalid: [
        { error: "base_rev and expected_rev must be a rev that the server gave you, or null." },
      ],
    });
  }
});
