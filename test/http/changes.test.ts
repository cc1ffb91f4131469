import { expect, test } from "bun:test";
import { revokeKey, listKeys } from "../../src/db/people/api-keys.ts";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { withRestrictedKeys } from "../support/restrictions.ts";

// A program follows its person: what was finished, moved, thrown away, and by whom.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call, clock, store } = server;

type Told = { id: string; type: string; state: string; new: boolean; by: string; by_key: string };

/** Follows what a key sees: each call begins where the last one ended. */
const following = async (token: string) => {
  const begun = await call("GET", "/changes", { token });
  expect(begun.json).toEqual({ changes: [], server_time: expect.any(String), has_more: false });
  let since = begun.json.server_time as string;
  return async (query = "") => {
    const { json, status } = await call("GET", `/changes?since=${since}${query}`, { token });
    expect(status).toBe(200);
    since = json.server_time as string;
    return json.changes as Told[];
  };
};

const states = (told: readonly Told[]) => told.map(({ id, state }) => `${id} ${state}`);

/** A later version of records, as a device pushes them. */
const later = (table: string, id: string, payload: object, fields: object = {}) => {
  clock.advance(1_000);
  const updated_at = formatInstant(clock.wall());
  return change(table, id, payload, { updated_at, ...fields });
};

const gone = (id: string) => {
  clock.advance(1_000);
  const at = formatInstant(clock.wall());
  return change("sync_tasks", id, {}, { updated_at: at, deleted_at: at });
};

const someone = async () => {
  const ann = await newcomer(server);
  const key = await ann.key(["read", "write"], "helper");
  const push = (...body: readonly unknown[]) => call("POST", "/sync", { token: ann.session, body });
  return { ann, key, push };
};

test("Each record comes once, as it is now, with who changed it, the oldest change first", async () => {
  const { key, push } = await someone();
  await push(
    change("sync_tasks", "old", { title: "Old" }),
    change("sync_tasks", "b", { title: "B" }),
  );
  clock.advance(10_000);
  const next = await following(key);
  await push(later("sync_projects", "f", { name: "Travel" }));
  await push(later("sync_tasks", "old", { title: "Older" }));
  await push(later("sync_tasks", "old", { title: "Oldest", status: "done" }));
  clock.advance(1_000);
  await call("POST", "/tasks", { token: key, body: { title: "Mine", folder: "f" } });
  const told = await next();
  expect(told).toMatchObject([
    { type: "folder", id: "f", state: "open", new: true, by: "person", by_key: null, task: null },
    {
      type: "task",
      id: "old",
      state: "closed",
      new: false,
      by: "person",
      task: { title: "Oldest" },
    },
    { state: "open", new: true, by: "agent", by_key: "helper", task: { folder_name: "Travel" } },
  ]);
  const { json } = await call("GET", "/tasks/old", { token: key });
  const { tabs: _tabs, notes: _notes, ...row } = json;
  expect(told[1]).toMatchObject({ task: row });
  expect(await next()).toEqual([]);
});

test("What is deleted or thrown away is gone, and carries nothing but its id", async () => {
  const { key, push } = await someone();
  await push(
    change("sync_buckets", "bin", { name: "Trash", kind: "trash" }),
    change("sync_projects", "f", { name: "F" }),
    ...["a", "b", "c"].map((id) => change("sync_tasks", id, { title: id })),
  );
  const next = await following(key);
  await push(gone("a"), later("sync_tasks", "b", { title: "b", bucket_id: "bin" }));
  await push(later("sync_projects", "f", {}, { deleted_at: formatInstant(clock.wall()) }));
  const told = await next();
  expect(states(told).toSorted()).toEqual(["a gone", "b gone", "f gone"]);
  for (const one of told)
    expect(one).toMatchObject({ new: false, by: null, by_key: null, task: null } as object);
});

test("A bucket that becomes a trash bucket gives its tasks as gone, and as they are when it is none again", async () => {
  const { key, push } = await someone();
  await push(
    change("sync_buckets", "bin", { name: "Later" }),
    change("sync_tasks", "in", { title: "in", bucket_id: "bin" }),
    change("sync_tasks", "done", { title: "done", bucket_id: "bin", status: "done" }),
    change("sync_tasks", "out", { title: "out" }),
  );
  const next = await following(key);
  await push(later("sync_buckets", "bin", { name: "Later on" }));
  expect(await next()).toEqual([]);
  await push(later("sync_buckets", "bin", { name: "Trash", kind: "trash" }));
  expect(states(await next()).toSorted()).toEqual(["done gone", "in gone"]);
  await push(later("sync_buckets", "bin", { name: "Later" }));
  expect(states(await next()).toSorted()).toEqual(["done closed", "in open"]);
});

test("A key that is kept to folders learns what leaves them, and nothing of others", async () => {
  const { some, push } = await withRestrictedKeys(server);
  const next = await following(some);
  await push(later("sync_tasks", "hidden", { title: "h", project_id: "home", status: "done" }));
  await push(gone("loose"));
  await push(later("sync_projects", "home", { name: "House" }));
  expect(await next()).toEqual([]);
  // Out of its folders, between them, and into one.
  await push(later("sync_tasks", "inside", { title: "i", project_id: "home" }));
  expect(states(await next())).toEqual(["inside gone"]);
  await push(later("sync_tasks", "inside", { title: "i", project_id: "home", status: "done" }));
  expect(await next()).toEqual([]);
  await push(later("sync_tasks", "inside", { title: "i", project_id: "garden" }));
  expect(states(await next())).toEqual(["inside open"]);
  await push(later("sync_tasks", "inside", { title: "i", project_id: "work" }));
  expect(states(await next())).toEqual(["inside open"]);
  await push(later("sync_tasks", "inside", { title: "i", project_id: "home" }));
  await push(later("sync_tasks", "inside", { title: "i", project_id: "work" }));
  expect(states(await next())).toEqual(["inside open"]);
  // Away, in each way.
  await push(gone("inside"));
  expect(states(await next())).toEqual(["inside gone"]);
  await push(later("sync_buckets", "bin", { name: "Bin", kind: "trash" }));
  await push(later("sync_tasks", "done", { title: "d", project_id: "work", bucket_id: "bin" }));
  expect(states(await next())).toEqual(["done gone"]);
  await push(later("sync_projects", "work", { name: "Work!" }));
  expect(await next()).toMatchObject([{ type: "folder", id: "work", state: "open" }]);
});

test("A key that is kept to folders learns of a bucket's tasks only in its folders", async () => {
  const { some, push } = await withRestrictedKeys(server);
  await push(
    later("sync_buckets", "bin", { name: "Later" }),
    later("sync_tasks", "inside", { title: "i", project_id: "work", bucket_id: "bin" }),
    later("sync_tasks", "hidden", { title: "h", project_id: "home", bucket_id: "bin" }),
  );
  const next = await following(some);
  await push(later("sync_buckets", "bin", { name: "Bin", kind: "trash" }));
  expect(states(await next())).toEqual(["inside gone"]);
});

test("A key that is kept to the inbox sees it come and go, and nothing else", async () => {
  const { boxed, inbox, push } = await withRestrictedKeys(server);
  const next = await following(boxed);
  await push(later("sync_tasks", "inside", { title: "i", project_id: "work" }));
  clock.advance(1_000);
  await call("POST", "/inbox/tabs", { token: boxed, body: [{ url: "https://a.example/" }] });
  expect(states(await next())).toEqual([`${inbox} open`]);
  await push(later("sync_tasks", inbox, { title: "Sorted" }));
  expect(states(await next())).toEqual([`${inbox} gone`]);
  await push(later("sync_tasks", inbox, { title: "Sorted again" }));
  expect(await next()).toEqual([]);
});

test("A long way is told in pages, of which none splits a commit or leaves anything out", async () => {
  const { key, push, ann } = await someone();
  const ids = Array.from({ length: 40 }, (_, at) => `t${String(at).padStart(2, "0")}`);
  const begun = (await call("GET", "/changes", { token: key })).json.server_time as string;
  for (let at = 0; at < 40; at += 8)
    await push(...ids.slice(at, at + 8).map((id) => later("sync_tasks", id, { title: id })));
  const folder = { kind: "folders", folders: ["f"] } as const;
  await push(later("sync_projects", "f", { name: "F" }));
  await push(later("sync_tasks", "last", { title: "last", project_id: "f" }));
  const walk = async (token: string, limit: number) => {
    const seen: string[] = [];
    let [since, pages] = [begun, 0];
    for (;;) {
      const { json } = await call("GET", `/changes?since=${since}&limit=${limit}`, { token });
      seen.push(...json.changes.map(({ id }: Told) => id));
      pages += 1;
      since = json.server_time as string;
      if (!json.has_more) return { seen, pages };
    }
  };
  for (const [limit, pages] of [
    [1, 7],
    [9, 4],
    [42, 1],
    [200, 1],
  ] as const)
    expect(await walk(key, limit)).toEqual({ seen: [...ids, "f", "last"], pages });
  const kept = await ann.key(["read"], "kept", folder);
  expect(await walk(kept, 1)).toEqual({ seen: ["f", "last"], pages: 2 });
});

test("A call that waits ends with the news, costs one call, and does not end for others", async () => {
  const { key, push } = await someone();
  const other = await someone();
  const { json, headers } = await call("GET", "/changes", { token: key });
  const had = Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
  const waiting = call("GET", `/changes?since=${json.server_time}&wait=20`, { token: key });
  await other.push(later("sync_tasks", "theirs", { title: "theirs" }));
  await Bun.sleep(600);
  await push(later("sync_tasks", "a", { title: "a" }));
  const told = await waiting;
  expect(states(told.json.changes)).toEqual(["a open"]);
  expect(Number(/r=(\d+)/.exec(told.headers.get("ratelimit") ?? "")?.[1])).toBe(had - 1);
});

test("A call of a key that is kept to folders goes on waiting while nothing there changes", async () => {
  const { some, push } = await withRestrictedKeys(server);
  const { json } = await call("GET", "/changes", { token: some });
  const waiting = call("GET", `/changes?since=${json.server_time}&wait=20`, { token: some });
  await Bun.sleep(300);
  await push(later("sync_tasks", "hidden", { title: "h", project_id: "home", status: "done" }));
  await Bun.sleep(600);
  await push(later("sync_tasks", "inside", { title: "in", project_id: "work" }));
  expect(states((await waiting).json.changes)).toEqual(["inside open"]);
});

test("A waiting call ends when its key is revoked, and tells nothing", async () => {
  const { ann, key, push } = await someone();
  const { json } = await call("GET", "/changes", { token: key });
  const waiting = call("GET", `/changes?since=${json.server_time}&wait=25`, { token: key });
  await Bun.sleep(300);
  const [row] = await listKeys(store, ann.account.id);
  await revokeKey(store, null, row?.id ?? "", clock.wall());
  await push(later("sync_tasks", "a", { title: "a" }));
  expectRefusal(await waiting, 401, SAYS.badCredential);
});

test("Of a key, five calls may wait; the sixth is refused, and one that is over makes room", async () => {
  const { key, push } = await someone();
  const { json } = await call("GET", "/changes", { token: key });
  const path = `/changes?since=${json.server_time}&wait=20`;
  const waiting = Array.from({ length: 5 }, () => call("GET", path, { token: key }));
  await Bun.sleep(300);
  expectRefusal(
    await call("GET", path, { token: key }),
    429,
    "5 calls of this key are waiting for news already. Let them end first, or leave out wait.",
  );
  await push(later("sync_tasks", "a", { title: "a" }));
  for (const one of await Promise.all(waiting)) expect(one.status).toBe(200);
  expect((await call("GET", path, { token: key })).status).toBe(200);
});

test.each([
  ["wait=26", "Query parameter wait must be a whole number from 0 to 25."],
  ["limit=201", "Query parameter limit must be a whole number from 1 to 200."],
  [
    "since=yesterday",
    "Query parameter since must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.",
  ],
])("%s is refused", async (query, says) => {
  const { key } = await someone();
  expectRefusal(await call("GET", `/changes?${query}`, { token: key }), 422, says);
});
