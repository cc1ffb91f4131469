import { expect, test } from "bun:test";
import { listSessions } from "../../src/db/people/sessions.ts";
import { formatInstant, MINUTE } from "../../src/domain/base/instant.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { NOON, type Person } from "../support/server.ts";

const server = await sharedServer();
const { call, store, clock } = server;

const countsOf = async ({ account }: Person) => {
  await store.writer.drain();
  const [found] = await listSessions(store, account.id);
  const { lastSyncAt, pulled, applied, rejected } = found ?? {};
  return { lastSyncAt, pulled, applied, rejected };
};

/** Waits for the counts, which are written shortly after the reply, and compares them. */
const andThen = async (person: Person, expected: object): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (Bun.deepEquals(await countsOf(person), expected)) break;
    await Bun.sleep(5);
  }
  expect(await countsOf(person)).toEqual(expected as never);
};

const task = (id: string, fields = {}) => change("sync_tasks", id, { title: id }, fields);

test("A device that never synced has no counts", async () => {
  const ann = await newcomer(server);
  await call("GET", "/tasks", { token: ann.session });
  await andThen(ann, { lastSyncAt: null, pulled: null, applied: null, rejected: null });
});

test("Records that a push applied, and those that it refused or moved back in time, are counted", async () => {
  const ann = await newcomer(server);
  const old = { updated_at: "2020-01-01T00:00:00.000Z" };
  const ahead = { updated_at: "2030-01-01T00:00:00.000Z" };
  const push = (body: unknown) => call("POST", "/sync", { token: ann.session, body });
  await push([task("a"), task("b")]);
  await andThen(ann, { lastSyncAt: NOON, pulled: 0, applied: 2, rejected: 0 });
  clock.advance(1_000);
  const { json } = await push([task("a", old), task("c", ahead), { table: "nothing" }]);
  expect([json.applied, json.rejected.length, json.invalid.length]).toEqual([1, 2, 1]);
  await andThen(ann, { lastSyncAt: NOON + 1_000, pulled: 0, applied: 3, rejected: 3 });
});

test("Records that were merged count as applied, and not as rejected", async () => {
  const ann = await newcomer(server);
  const agent = await ann.key();
  const push = (body: unknown) => call("POST", "/sync", { token: ann.session, body });
  const fileTabs = (id: string) =>
    call("POST", `/tasks/${id}/tabs`, { token: agent, body: [{ url: "https://a.example/" }] });
  const at = (ms: number) => ({ updated_at: formatInstant(clock.wall() + ms) });
  await push([task("a", at(-2)), task("b", at(-2))]);
  await fileTabs("a");
  await fileTabs("b");
  const { json } = await push([task("a", at(1_000)), task("b", at(-1))]);
  expect([json.applied, json.rejected.length, json.merged.length]).toEqual([2, 2, 2]);
  await andThen(ann, { lastSyncAt: clock.wall(), pulled: 0, applied: 4, rejected: 0 });
});

test("Records that a pull delivered are counted, in every table and on every page", async () => {
  const ann = await newcomer(server);
  const records = [task("a"), task("b"), change("sync_projects", "p", { name: "p" })];
  await call("POST", "/sync", { token: ann.session, body: records });
  await call("GET", "/sync", { token: ann.session });
  await andThen(ann, { lastSyncAt: NOON, pulled: 3, applied: 3, rejected: 0 });
  clock.advance(1);
  await call("POST", "/sync", { token: ann.session, body: [task("d")] });
  const page = await call("GET", "/sync?limit=1", { token: ann.session });
  expect(page.json.has_more).toBe(true);
  await call("GET", `/sync?since=${page.json.server_time}`, { token: ann.session });
  await andThen(ann, { lastSyncAt: NOON + 1, pulled: 7, applied: 4, rejected: 0 });
});

test("A large pull, compressed or not, is counted once it is delivered", async () => {
  const ann = await newcomer(server);
  const body = Array.from({ length: 400 }, (_, at) =>
    change("sync_tasks", `t${at}`, { title: "t", text: "x".repeat(2_000) }),
  );
  await call("POST", "/sync", { token: ann.session, body });
  for (const encoding of ["identity", "gzip", "zstd"])
    await call("GET", "/sync", { token: ann.session, headers: { "accept-encoding": encoding } });
  await andThen(ann, { lastSyncAt: NOON, pulled: 1_200, applied: 400, rejected: 0 });
});

test("An empty pull is recorded at most once a minute, and HEAD is not recorded", async () => {
  const ann = await newcomer(server);
  const pull = async (method = "GET") => {
    await call(method, "/sync", { token: ann.session });
    await Bun.sleep(10);
  };
  await pull("HEAD");
  await andThen(ann, { lastSyncAt: null, pulled: null, applied: null, rejected: null });
  await pull();
  await andThen(ann, { lastSyncAt: NOON, pulled: 0, applied: 0, rejected: 0 });
  clock.advance(MINUTE - 1);
  await pull();
  await andThen(ann, { lastSyncAt: NOON, pulled: 0, applied: 0, rejected: 0 });
  clock.advance(1);
  await pull();
  await andThen(ann, { lastSyncAt: NOON + MINUTE, pulled: 0, applied: 0, rejected: 0 });
});

test("Each device has its own counts", async () => {
  const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
  await call("POST", "/sync", { token: ann.session, body: [task("a")] });
  await andThen(ann, { lastSyncAt: NOON, pulled: 0, applied: 1, rejected: 0 });
  await andThen(bob, { lastSyncAt: null, pulled: null, applied: null, rejected: null });
});
