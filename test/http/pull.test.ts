import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock } = server;

type Row = { readonly id: string; readonly [field: string]: unknown };

type Pulled = {
  readonly server_time: string;
  readonly has_more: boolean;
  readonly changes: Readonly<Record<string, readonly Row[]>>;
};

/** A person, and functions to push and pull with their device. */
const withDevice = async () => {
  const { session: token, key } = await newcomer(server);
  const push = (...body: readonly unknown[]) => call("POST", "/sync", { token, body });
  const pull = async (query: Record<string, string> = {}): Promise<Pulled> =>
    (await call("GET", `/sync?${new URLSearchParams(query)}`, { token })).json as Pulled;
  return { token, key, push, pull };
};

const task = (id: string, title = id) => change("sync_tasks", id, { title });
const idsOf = ({ changes }: Pulled): string[] =>
  ["sync_tasks", "sync_projects", "sync_buckets"].flatMap((table) =>
    (changes[table] ?? []).map(({ id }) => id),
  );

test("The first pull of an empty account still has every field", async () => {
  const { token } = await withDevice();
  const answer = await call("GET", "/sync", { token });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    server_time: new Date(clock.wall()).toISOString(),
    epoch: expect.stringMatching(/^\S+$/) as unknown,
    has_more: false,
    changes: { sync_tasks: [], sync_projects: [], sync_buckets: [] },
  });
});

test("A pull since a server_time brings what was committed after it, and nothing twice", async () => {
  const { push, pull } = await withDevice();
  await push(task("a"));
  const first = await pull();
  expect(idsOf(first)).toEqual(["a"]);
  expect(idsOf(await pull({ since: first.server_time }))).toEqual([]);
  // In the same millisecond, and with a stamp from last year.
  await push({ ...task("b"), updated_at: "2025-03-04T12:00:00Z" });
  const second = await pull({ since: first.server_time });
  expect(idsOf(second)).toEqual(["b"]);
  expect(second.server_time > first.server_time).toBe(true);
  expect(idsOf(await pull({ since: second.server_time }))).toEqual([]);
});

test("A since ahead of the server gets everything", async () => {
  const { push, pull } = await withDevice();
  await push(task("a"), change("sync_buckets", "b", {}));
  for (const since of ["9999-12-31T23:59:59.999Z", new Date(clock.wall() + 1_000).toISOString()])
    expect(idsOf(await pull({ since }))).toEqual(["a", "b"]);
});

test("A since from long ago gets everything", async () => {
  const { push, pull } = await withDevice();
  await push(task("a"));
  for (const since of ["0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])
    expect(idsOf(await pull({ since }))).toEqual(["a"]);
});

test("A since is read in any offset, and an unescaped plus is read as a plus", async () => {
  const { token, push, pull } = await withDevice();
  await push(task("a"));
  const { server_time } = await pull();
  const local = new Date(Date.parse(server_time) + 3_600_000).toISOString();
  const ids = async (since: string) => {
    const answer = await call("GET", `/sync?since=${since}`, { token });
    return idsOf(answer.json as Pulled);
  };
  expect(await ids(local.replace("Z", "%2B01:00"))).toEqual([]);
  expect(await ids(local.replace("Z", "+01:00"))).toEqual([]);
  expect(await ids(local.replace("Z", "+02:00"))).toEqual(["a"]);
});

const SINCE = "Query parameter since must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.";
const LIMIT = "Query parameter limit must be a whole number from 1 to 10000.";

test.each([
  ["since=", SINCE],
  ["since=x", SINCE],
  ["since=0", SINCE],
  ["since=2026-02-30T00:00:00Z", SINCE],
  ["since=2026-03-04T25:00:00Z", SINCE],
  ["since=%27%20OR%201=1%20--", SINCE],
  ["limit=0", LIMIT],
  ["limit=-1", LIMIT],
  ["limit=10001", LIMIT],
  ["limit=1000000", LIMIT],
  ["limit=1e3", LIMIT],
  ["limit=NaN", LIMIT],
])("GET /sync?%s is refused", async (query, error) => {
  const { token } = await withDevice();
  expectRefusal(await call("GET", `/sync?${query}`, { token }), 422, error);
});

test("An agent's work comes with the next pull, inside the payload", async () => {
  const { push, pull, key } = await withDevice();
  const at = new Date(clock.wall()).toISOString();
  const payload = { title: "Trip", pages: [{ url: "https://own.example/" }] };
  await push(change("sync_tasks", "trip", payload, { updated_at: at }));
  const { server_time: since } = await pull();
  const token = await key(["write"], "scout");
  const untitled = { url: "https://plain.example/" };
  const tabs = [{ url: "https://found.example/", title: "Found" }];
  const filed = await call("POST", "/tasks/trip/tabs", { token, body: [...tabs, untitled] });
  const noted = await call("POST", "/tasks/trip/notes", { token, body: { text: "Look." } });
  const made = await call("POST", "/projects", { token, body: { name: "Ideas" } });
  const news = await pull({ since });
  const author = { created_by: "agent", created_by_key: "scout" };
  expect(news.changes).toEqual({
    sync_tasks: [
      {
        id: "trip",
        updated_at: new Date(clock.wall() + 2).toISOString(),
        deleted_at: null,
        payload: {
          title: "Trip",
          pages: [
            { url: "https://own.example/" },
            { id: filed.json.tabs[0].id as string, ...author, created_at: at, ...tabs[0] },
            // Without a title, the payload too has the url in its place.
            {
              id: filed.json.tabs[1].id as string,
              ...author,
              created_at: at,
              ...untitled,
              title: untitled.url,
            },
          ],
          notes: [{ id: noted.json.id as string, ...author, created_at: at, text: "Look." }],
        },
        created_by: "person",
      },
    ],
    sync_projects: [
      {
        id: made.json.id as string,
        updated_at: at,
        deleted_at: null,
        payload: { name: "Ideas", colour: null },
        created_by: "agent",
        created_by_key: "scout",
      },
    ],
    sync_buckets: [],
  });
});

test("A page holds whole commits, even if that is more records than requested", async () => {
  const { push, pull } = await withDevice();
  await push(task("a1"), change("sync_projects", "a2", {}), change("sync_buckets", "a3", {}));
  await push(task("b1"), task("b2"));
  await push(task("c1"));
  const pages: Pulled[] = [await pull({ limit: "1" })];
  while (pages.at(-1)?.has_more)
    pages.push(await pull({ limit: "1", since: pages.at(-1)?.server_time ?? "" }));
  expect(pages.map(idsOf)).toEqual([["a1", "a2", "a3"], ["b1", "b2"], ["c1"]]);
  expect(pages.map((page) => page.has_more)).toEqual([true, true, false]);
  const whole = await pull({ limit: "6" });
  expect([whole.has_more, idsOf(whole).length]).toEqual([false, 6]);
});

test("A device that pages while others write loses nothing", async () => {
  const { push, pull } = await withDevice();
  for (let n = 0; n < 10; n++) await push(task(`t${n}`, "first"), task(`u${n}`, "first"));
  const held = new Map<string, Row>();
  let page = await pull({ limit: "3" });
  for (let n = 0; ; n++) {
    for (const row of page.changes["sync_tasks"] ?? []) held.set(row.id, row);
    if (!page.has_more) break;
    clock.advance(1);
    // While pages are left: changes a delivered record and one not yet delivered, and adds another.
    const later = { updated_at: new Date(clock.wall()).toISOString() };
    if (n < 5)
      await push(
        { ...task(`t${n}`, `changed ${n}`), ...later },
        { ...task(`t${9 - n}`, `late ${n}`), ...later },
      );
    if (n < 5) await push(task(`new${n}`));
    page = await pull({ limit: "3", since: page.server_time });
  }
  const all = (await pull()).changes["sync_tasks"] ?? [];
  expect([...held.values()].toSorted(byId)).toEqual([...all].toSorted(byId));
  expect(all).toHaveLength(25);
});

const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);
