import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

// The same change to many tasks, all or none, in one call.

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call } = server;

const IDS = Array.from({ length: 50 }, (_, at) => `t${at}`);

const withTasks = async () => {
  const ann = await newcomer(server);
  const key = await ann.key();
  const body = [...IDS, "more"].map((id) => change("sync_tasks", id, { title: id, own: id }));
  await call("POST", "/sync", { token: ann.session, body });
  const patch = (sent: unknown, token = key, headers = {}) =>
    call("PATCH", "/tasks", { token, body: sent, headers });
  const pulled = async () =>
    (await call("GET", "/sync", { token: ann.session })).json.changes as unknown;
  return { ann, key, patch, pulled };
};

test("Fifty tasks are closed in one call, in the order of the ids, and keep all else", async () => {
  const { ann, patch } = await withTasks();
  const ids = IDS.toReversed();
  const done = await patch({ ids, set: { status: "Done", tags: ["march"] } });
  expect(done.status).toBe(200);
  const tasks = done.json.tasks as { id: string; status: string; rev: string }[];
  expect(tasks.map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, "done"]));
  const { json } = await call("GET", "/sync", { token: ann.session });
  const stored = json.changes.sync_tasks as { id: string; payload: Record<string, unknown> }[];
  expect(stored.filter(({ payload }) => payload["status"] === "done")).toHaveLength(50);
  for (const { id, payload } of stored) expect(payload["own"]).toBe(id);
});

test("One that cannot be changed leaves all as they were, and is named", async () => {
  const { ann, patch, pulled } = await withTasks();
  const [deleted, trash] = ["t1", "t2"];
  const body = [
    change("sync_tasks", deleted, {}, { deleted_at: "2026-03-05T12:00:00.000Z" }),
    change("sync_buckets", "bin", { name: "Trash", kind: "trash" }),
    change("sync_tasks", trash, { title: "t", bucket_id: "bin" }, { updated_at: LATER }),
  ];
  await call("POST", "/sync", { token: ann.session, body });
  const before = await pulled();
  const set = { status: "done" };
  expectRefusal(await patch({ ids: ["t0", "none", "gone"], set }), 422, bad(1, "none"));
  expectRefusal(await patch({ ids: ["t0", deleted], set }), 422, bad(1, deleted));
  expectRefusal(await patch({ ids: ["t0", trash], set }), 422, bad(1, trash));
  expectRefusal(
    await patch({ ids: ["t0", "t3", "t0"], set }),
    422,
    'ids.2 is named twice: "t0". Nothing was changed.',
  );
  expectRefusal(
    await patch({ ids: [...IDS, "more"], set }),
    422,
    "ids must have 1 to 50 items, but has 51.",
  );
  expectRefusal(
    await patch({ ids: ["t0"], set: {} }),
    422,
    "set is empty. Send the fields that change, such as status.",
  );
  expectRefusal(
    await patch({ ids: ["t0"], set }, undefined, { "if-match": '"x"' }),
    422,
    "If-Match names the version of one task. Send it with PATCH /tasks/{id}.",
  );
  expect((await patch({ ids: ["t0"], set: { deleted_at: LATER } })).status).toBe(403);
  expect(await pulled()).toEqual(before);
});

test("It costs one token, and comes to nothing in a dry run", async () => {
  const { patch, pulled, key } = await withTasks();
  const left = async () =>
    Number(
      /r=(\d+)/.exec(
        (await call("GET", "/me", { token: key })).headers.get("ratelimit") ?? "",
      )?.[1],
    );
  const had = await left();
  await patch({ ids: IDS, set: { status: "done" } });
  expect(await left()).toBe(had - 2);
  const before = await pulled();
  const asked = await call("PATCH", "/tasks?dry_run=true", {
    token: key,
    body: { ids: IDS, set: { status: "todo" } },
  });
  expect([asked.status, asked.json.tasks.length, asked.json.dry_run]).toEqual([200, 50, true]);
  expect(await pulled()).toEqual(before);
});

test("A key that cannot read gets the ids and what it sent", async () => {
  const { ann, patch } = await withTasks();
  const writer = await ann.key(["write"], "writer");
  expect((await patch({ ids: ["t1"], set: { title: "u" } }, writer)).json).toEqual({
    tasks: [{ id: "t1", title: "u" }],
  });
});

const LATER = "2026-03-05T12:00:00.000Z";

const bad = (at: number, id: string): string =>
  `ids.${at} is no task that can be changed here: "${id}". Nothing was changed.`;
