import { expect, test } from "bun:test";
import { listActivity } from "../../src/db/calls/activity.ts";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { startProcess } from "../support/db/process.ts";
import {
  type Answer,
  type Person,
  startServer,
  testDirectory,
  type TestServer,
} from "../support/server.ts";

// Both tests wait for seconds, so they run at the same time, each with its own server and directory.
const [waiting, stuck] = [testDirectory(), testDirectory()];

const LIMITS = { perMinute: 10_000, perHour: 10_000 };

const fileTask = (server: TestServer, token: string, title: string): Promise<Answer> =>
  server.call("POST", "/tasks", { token, body: { title } });

const titlesSince = async (server: TestServer, { session }: Person, since: string) => {
  const query = `/sync?since=${encodeURIComponent(since)}`;
  const { json } = await server.call("GET", query, { token: session });
  const rows = json.changes.sync_tasks as { payload: { title: string } }[];
  return { titles: rows.map(({ payload }) => payload.title), since: String(json.server_time) };
};

test.concurrent(
  "while another process writes for seconds, all reads are answered and a write waits",
  async () => {
    const server = await startServer({ directory: waiting, limits: LIMITS });
    const ann = await server.person();
    const key = await ann.key();
    const { json: task } = await fileTask(server, ann.session, "before");
    const seen = await titlesSince(server, ann, "2026-01-01T00:00:00Z");
    // Past the lease, so that a pull wants to write too.
    server.clock.advance(MINUTE);
    const reads: readonly (readonly [path: string, token: string | undefined])[] = [
      ["!/healthz", undefined],
      ["!/readyz", undefined],
      ["/sync", ann.session],
      ["/tasks", ann.session],
      ["/me", key],
      ["/tasks", key],
      [`/tasks/${task.id}`, key],
      ["/projects", key],
    ];
    const other = await startProcess("hold the write lock", waiting);
    let answered = false;
    const write = fileTask(server, key, "meanwhile").finally(() => (answered = true));
    const enough = performance.now() + 3 * SECOND;
    let asked = 0;
    while (performance.now() < enough) {
      const answers = reads.map(([path, token]) => server.call("GET", path, { token }));
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
      asked += reads.filter(([, token]) => token === key).length;
    }
    const meanwhile = await titlesSince(server, ann, seen.since);
    expect([other.isRunning(), answered, meanwhile.titles]).toEqual([true, false, []]);
    await other.end();
    expect((await write).status).toBe(201);
    expect((await titlesSince(server, ann, meanwhile.since)).titles).toEqual(["meanwhile"]);
    // Waiting rows are written in order: after one more call, all reads by the key are in the list.
    await fileTask(server, key, "after");
    const listed = await listActivity(server.store, null, 10_000);
    expect(listed.filter(({ method }) => method === "GET")).toHaveLength(asked);
    await server.stop();
  },
);

test.concurrent(
  "a write that has waited for five seconds is refused and changes nothing, and every call is listed",
  async () => {
    const server = await startServer({ directory: stuck });
    const ann = await server.person();
    const key = await ann.key();
    const other = await startProcess("hold the write lock", stuck);
    const record = { table: "sync_tasks", id: "t1", updated_at: "2026-03-04T12:00:00Z" };
    const push = [{ ...record, payload: { title: "pushed" } }];
    expect((await server.call("GET", "/me", { token: key })).status).toBe(200);
    const writes = [
      fileTask(server, key, "filed"),
      server.call("POST", "/sync", { token: ann.session, body: push }),
    ];
    for (const { status, json, headers } of await Promise.all(writes)) {
      expect({ status, json, retry: headers.get("retry-after") }).toEqual({
        status: 503,
        json: {
          error:
            "The server cannot write to its storage right now. Nothing was changed. Try again later.",
        },
        retry: "5",
      });
    }
    expect(other.isRunning()).toBe(true);
    await other.end();
    expect((await titlesSince(server, ann, "2026-01-01T00:00:00Z")).titles).toEqual([]);
    // Both rows of the activity list failed too. They are written later, with the tokens they took.
    const listed = async () =>
      (await listActivity(server.store, null, 10)).map(({ method, status, tookToken }) => [
        method,
        status,
        tookToken,
      ]);
    while ((await listed()).length < 2) await Bun.sleep(10);
    expect((await listed()).toSorted()).toEqual([
      ["GET", 200, 1],
      ["POST", 503, 1],
    ]);
    expect((await server.call("POST", "/sync", { token: ann.session, body: push })).json).toEqual({
      applied: 1,
      rejected: [],
      merged: [],
      invalid: [],
    });
    await server.stop();
  },
);
