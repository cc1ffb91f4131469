import { expect, test } from "bun:test";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock } = server;

const inMs = (ms: number): string => formatInstant(clock.wall() + ms);

/** A person, and what their device pushes of one task and hears of it. */
const withDevice = async () => {
  const { session: token } = await newcomer(server);
  const push = (title: string, updated_at: string, fields: Record<string, unknown> = {}) =>
    call("POST", "/sync", {
      token,
      body: [change("sync_tasks", "t", { title }, { updated_at, ...fields })],
    });
  const pull = async (since = "") => (await call("GET", `/sync${since}`, { token })).json;
  return { push, pull };
};

const clamped = (title: string, updated_at: string, asSent: string) => ({
  applied: 1,
  rejected: [
    {
      table: "sync_tasks",
      id: "t",
      updated_at: asSent,
      reason: "clamped",
      server_row: {
        id: "t",
        updated_at,
        deleted_at: null,
        payload: { title },
        created_by: "person",
      },
    },
  ],
  merged: [],
  invalid: [],
});

test("a stamp up to five minutes ahead is taken as it is", async () => {
  const { push, pull } = await withDevice();
  const ahead = inMs(5 * MINUTE);
  expect((await push("a", ahead)).json).toMatchObject({ applied: 1, rejected: [] });
  expect((await pull()).changes.sync_tasks).toMatchObject([{ updated_at: ahead }]);
});

test("a stamp further ahead is stored as now, and the device is told", async () => {
  const { push, pull } = await withDevice();
  const sent = inMs(5 * MINUTE + 1);
  const answer = await push("a", sent);
  expect(answer.json).toEqual(clamped("a", inMs(0), sent));
  expect((await pull()).changes.sync_tasks).toEqual([answer.json.rejected[0].server_row]);
});

test("a stamp ahead of a version that is a little ahead itself is stored just after it", async () => {
  const { push } = await withDevice();
  const ahead = clock.wall() + MINUTE;
  await push("a", formatInstant(ahead));
  const answer = await push("b", inMs(DAY));
  expect(answer.json).toEqual(clamped("b", formatInstant(ahead + 1), inMs(DAY)));
});

test("the identical record again is a no-op that is told the same", async () => {
  const { push, pull } = await withDevice();
  const sent = inMs(365 * DAY);
  const first = await push("a", sent);
  const since = `?since=${(await pull()).server_time}`;
  clock.advance(MINUTE);
  const again = await push("a", sent);
  expect(again.json).toEqual(first.json);
  expect((await pull(since)).changes.sync_tasks).toEqual([]);
});

test("a wrong clock does not win for ever: an honest edit after it does", async () => {
  const { push, pull } = await withDevice();
  await push("from the future", inMs(365 * DAY));
  clock.advance(MINUTE);
  expect((await push("honest", inMs(0))).json).toMatchObject({ applied: 1, rejected: [] });
  expect((await pull()).changes.sync_tasks).toMatchObject([{ payload: { title: "honest" } }]);
});

test("for a day another stamp from ahead must be above the first, after that it need not", async () => {
  const { push } = await withDevice();
  const far = clock.wall() + 365 * DAY;
  await push("a", formatInstant(far));
  clock.advance(DAY - 1);
  expect((await push("b", formatInstant(far))).json.rejected).toMatchObject([{ reason: "stale" }]);
  expect((await push("c", formatInstant(far - HOUR))).json).toMatchObject({
    applied: 0,
    rejected: [{ reason: "stale", server_row: { payload: { title: "a" } } }],
  });
  expect((await push("d", formatInstant(far + 1))).json.rejected).toMatchObject([
    { reason: "clamped", server_row: { payload: { title: "d" } } },
  ]);
  clock.advance(DAY);
  expect((await push("e", formatInstant(far - HOUR))).json.rejected).toMatchObject([
    { reason: "clamped", server_row: { payload: { title: "e" } } },
  ]);
});

test("a tombstone from the future deletes, and can be undone by an honest edit", async () => {
  const { push, pull } = await withDevice();
  await push("a", inMs(0));
  const ahead = inMs(365 * DAY);
  await push("a", ahead, { deleted_at: ahead });
  expect((await pull()).changes.sync_tasks).toMatchObject([{ deleted_at: ahead }]);
  clock.advance(MINUTE);
  await push("back", inMs(0));
  expect((await pull()).changes.sync_tasks).toMatchObject([
    { deleted_at: null, payload: { title: "back" } },
  ]);
});
