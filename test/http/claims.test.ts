import { expect, test } from "bun:test";
import { listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

// Two programs share a list of tasks, and each task is the work of one of them.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call, clock, store } = server;

const withTasks = async (count = 3) => {
  const ann = await newcomer(server);
  const keys = {
    one: await ann.key(["read", "write"], "one"),
    two: await ann.key(["read", "write"], "two"),
  };
  const push = (...body: readonly unknown[]) => call("POST", "/sync", { token: ann.session, body });
  const pages = [{ id: "p", url: "https://a.example/" }];
  await push(
    change("sync_projects", "f", { name: "Travel" }),
    ...Array.from({ length: count }, (_, at) =>
      change("sync_tasks", `t${at}`, { title: `t${at}`, pages, tags: at === 1 ? ["urgent"] : [] }),
    ),
  );
  const read = async (id: string) => (await call("GET", `/tasks/${id}`, { token: keys.one })).json;
  return { ann, ...keys, push, read };
};

const claim = (token: string, body: unknown) => call("POST", "/claims", { token, body });

const act = (token: string, id: string, what: string, body: object = {}) =>
  call("POST", `/claims/${id}/${what}`, { token, body });

const at = (ms: number) => formatInstant(clock.wall() + ms);

const taken = (by: string, until: string) =>
  `The key "${by}" works on this task until ${until}. Leave it alone until then, or send override=true. Nothing was changed.`;

test("A key claims a task, and gets it whole; its rows say who works on it", async () => {
  const { one, two, read } = await withTasks();
  const done = await claim(one, { task: "t0", for: "30m" });
  expect(done.status).toBe(201);
  expect(done.json.claim).toEqual({
    id: expect.any(String),
    task_id: "t0",
    by_key: "one",
    until: at(30 * MINUTE),
  });
  const claimed = { claimed_by: "one", claimed_until: at(30 * MINUTE) };
  expect(done.json.task).toMatchObject({ id: "t0", tabs: [{ url: "https://a.example/" }] });
  expect(await read("t0")).toMatchObject(claimed);
  const listed = async (query: string) =>
    (await call("GET", `/tasks?${query}`, { token: two })).json.tasks.map(
      ({ id }: { id: string }) => id,
    );
  expect(await listed("claimed=true")).toEqual(["t0"]);
  expect((await listed("claimed=false")).toSorted()).toEqual(["t1", "t2"]);
  expect(await listed("claimed=true&q=t1")).toEqual([]);
  expect((await listed("q=a.example&claimed=false")).toSorted()).toEqual(["t1", "t2"]);
  const { json } = await call("GET", "/claims", { token: two });
  expect(json.claims).toEqual([done.json.claim]);
});

test("The first free task of a list is given, each once, until none is free", async () => {
  const { one, two } = await withTasks();
  const given: unknown[] = [];
  for (const token of [one, two, one]) {
    const { json, status } = await claim(token, { filter: { status: "todo" } });
    expect(status).toBe(201);
    given.push(json.task.id);
  }
  expect(given).toEqual(["t2", "t1", "t0"]);
  const none = await claim(two, { filter: {} });
  expect([none.status, none.json]).toEqual([200, { claim: null, task: null }]);
  expect((await claim(one, { filter: { tag: "urgent" } })).json.claim).toBeNull();
});

test("The inbox is in no queue, but can be claimed by its id", async () => {
  const { one, two } = await withTasks(0);
  const body = [{ url: "https://a.example/" }];
  const filed = await call("POST", "/inbox/tabs", { token: two, body });
  expect((await claim(one, { filter: {} })).json.claim).toBeNull();
  expect((await claim(one, { task: filed.json.task.id })).status).toBe(201);
  // What has no place yet can always be filed.
  expect((await call("POST", "/inbox/tabs", { token: two, body })).status).toBe(201);
});

test("A task that is taken is refused, to the same key too, until its time is over", async () => {
  const { one, two } = await withTasks();
  await claim(one, { task: "t0", for: "1h" });
  const until = at(HOUR);
  expectRefusal(
    await claim(two, { task: "t0" }),
    409,
    `The key "one" works on this task, until ${until}. Take another one.`,
  );
  expectRefusal(
    await claim(one, { task: "t0" }),
    409,
    `This key has claimed this task already, until ${until}. Take another one.`,
  );
  clock.advance(HOUR - 1);
  expect((await claim(two, { task: "t0" })).status).toBe(409);
  clock.advance(1);
  expect((await claim(two, { task: "t0" })).json.claim.by_key).toBe("two");
});

const WRITES = [
  ["PATCH", "/tasks/t0", { title: "u" }],
  ["PATCH", "/tasks", { ids: ["t1", "t0"], set: { colour: "red" } }],
  ["POST", "/tasks/t0/tabs", [{ url: "https://b.example/" }]],
  ["POST", "/tasks/t0/tabs?skip_existing=true", [{ url: "https://b.example/" }]],
  ["POST", "/tasks/t0/notes", { text: "n" }],
  ["POST", "/tasks/t0/tabs/move", { from: "t1", tabs: ["p"] }],
  ["POST", "/tasks/t1/tabs/move", { from: "t0", tabs: ["p"] }],
] as const;

test.each(WRITES)(
  "%s %s of another key is refused, unless it knows of the claim",
  async (method, path, body) => {
    const { ann, one, two } = await withTasks();
    await claim(one, { task: "t0", for: "1h" });
    const pulled = async () =>
      (await call("GET", "/sync", { token: ann.session })).json.changes as unknown;
    const before = await pulled();
    expectRefusal(await call(method, path, { token: two, body }), 409, taken("one", at(HOUR)));
    expect(await pulled()).toEqual(before);
    const knowing = `${path}${path.includes("?") ? "&" : "?"}override=true`;
    expect((await call(method, knowing, { token: two, body })).status).toBeLessThan(300);
  },
);

test.each(WRITES)("%s %s of a person's device never waits", async (method, path, body) => {
  const { ann, one } = await withTasks();
  await claim(one, { task: "t0" });
  expect((await call(method, path, { token: ann.session, body })).status).toBeLessThan(300);
});

test("A write by the key that holds it makes a claim last as long again", async () => {
  const { one, read } = await withTasks();
  await claim(one, { task: "t0", for: "1h" });
  clock.advance(40 * MINUTE);
  const noted = await call("PATCH", "/tasks/t0", { token: one, body: { colour: "red" } });
  expect(noted.json.claimed_until).toBe(at(HOUR));
  expect((await read("t0")).claimed_until).toBe(at(HOUR));
});

test("It can be renewed and released, by the id of the claim or of the task; releasing again does nothing", async () => {
  const { one, two, read } = await withTasks();
  const { json } = await claim(one, { task: "t0", for: "1h" });
  expect((await act(one, json.claim.id, "renew")).json.claim.until).toBe(at(HOUR));
  expect((await act(one, "t0", "renew", { for: "3h" })).json.claim.until).toBe(at(3 * HOUR));
  const none = "Claim not found. It may have been deleted.";
  expectRefusal(await act(two, json.claim.id, "renew"), 404, none);
  expectRefusal(await act(two, "t0", "release"), 404, none);
  expect((await act(one, json.claim.id, "release")).json.released.task_id).toBe("t0");
  expect((await act(one, json.claim.id, "release")).json).toEqual({ released: null });
  expect((await read("t0")).claimed_by).toBeNull();
  expectRefusal(await act(one, json.claim.id, "renew"), 404, none);
  expect((await claim(two, { task: "t0" })).status).toBe(201);
});

test("Closing, trashing, deleting and a person end it; a person's other edits do not", async () => {
  const { ann, one, read, push } = await withTasks(5);
  for (let task = 0; task < 5; task += 1) await claim(one, { task: `t${task}` });
  clock.advance(1_000);
  const updated_at = at(0);
  const later = (id: string, payload: object, fields: object = {}) =>
    change("sync_tasks", id, { title: id, ...payload }, { updated_at, ...fields });
  await call("PATCH", "/tasks/t0", { token: one, body: { status: "done" } });
  await push(change("sync_buckets", "bin", { name: "Bin", kind: "trash" }));
  await push(later("t1", { bucket_id: "bin" }), later("t2", {}, { deleted_at: updated_at }));
  await push(later("t3", { title: "person" }));
  await call("POST", "/claims/t4/release", { token: ann.session, body: {} });
  const { json } = await call("GET", "/claims", { token: ann.session });
  expect(json.claims.map((one_: { task_id: string }) => one_.task_id)).toEqual(["t3"]);
  // Opened again, it is free.
  await call("PATCH", "/tasks/t0", { token: one, body: { status: "todo" } });
  expect((await read("t0")).claimed_by).toBeNull();
});

test("A claim ends with its key", async () => {
  const { ann, one, two, read } = await withTasks();
  await claim(two, { task: "t0" });
  const key = (await listKeys(store, ann.account.id)).find(({ name }) => name === "two");
  await revokeKey(store, null, key?.id ?? "", clock.wall());
  expect((await read("t0")).claimed_by).toBeNull();
  expect((await claim(one, { task: "t0" })).status).toBe(201);
});

test("A key holds twenty at most, so that it cannot keep all others out", async () => {
  const { one, two } = await withTasks(22);
  for (let count = 0; count < 20; count += 1)
    expect((await claim(one, { filter: {} })).status).toBe(201);
  const full = "This key works on 20 tasks already. Close or release one of them first.";
  expectRefusal(await claim(one, { filter: {} }), 409, full);
  expectRefusal(await claim(one, { task: "t0" }), 409, full);
  expect((await claim(two, { filter: {} })).status).toBe(201);
});

test("Fifty calls at once for one task: one gets it", async () => {
  const { one, two } = await withTasks(1);
  const calls = Array.from({ length: 50 }, (_, n) =>
    claim(n % 2 === 0 ? one : two, { task: "t0" }),
  );
  const answers = (await Promise.all(calls)).map(({ status }) => status);
  expect(answers.filter((status) => status === 201)).toHaveLength(1);
  expect(answers.filter((status) => status === 409)).toHaveLength(49);
});

test.each([
  [{}, "Send either task, with an id, or filter."],
  [{ task: "t0", filter: {} }, "Send either task, with an id, or filter."],
  [{ task: "t0", for: "30s" }, "for must be a length of time from 1m to 24h, such as 2h."],
  [{ task: "t0", for: "25h" }, "for must be a length of time from 1m to 24h, such as 2h."],
  [{ task: "t0", for: "never" }, "for must be a length of time from 1m to 24h, such as 2h."],
])("%j is refused", async (body, says) => {
  const { one } = await withTasks();
  expectRefusal(await claim(one, body), 422, says);
});

test("A key that cannot read claims by ids alone, and is told no more", async () => {
  const { ann } = await withTasks();
  const writer = await ann.key(["write"], "writer");
  const { json } = await claim(writer, { task: "t0" });
  expect(json.task).toEqual({ id: "t0" });
  expect((await claim(writer, { filter: {} })).status).toBe(403);
});

test("An id that no claim can have is not found", async () => {
  const { key } = await newcomer(server);
  const token = await key();
  const long = "0".repeat(256);
  expect((await act(token, "none", "release")).json).toEqual({ released: null });
  for (const what of ["release", "release?dry_run=true", "renew"])
    expect((await act(token, long, what)).status).toBe(404);
});
