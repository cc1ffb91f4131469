import { expect, test } from "bun:test";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock } = server;

const inMs = (ms: number): string => formatInstant(clock.wall() + ms);

/** A person, and functions to push and pull one task with their device. */
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
        created_by_key: null,
      },
    },
  ],
  merged: [],
  invalid: [],
});

test("A stamp up to five minutes ahead is accepted as it is", async () => {
  const { push, pull } = await withDevice();
  const ahead = inMs(5 * MINUTE);
  expect((await push("a", ahead)).json).toMatchObject({ applied: 1, rejected: [] });
  expect((await pull()).changes.sync_tasks).toMatchObject([{ updated_at: ahead }]);
});

test("A stamp further ahead is stored as now, and the device learns of it", async () => {
  const { push, pull } = await withDevice();
  const sent = inMs(5 * MINUTE + 1);
  const answer = await push("a", sent);
  expect(answer.json).toEqual(clamped("a", inMs(0), sent));
  expect((await pull()).changes.sync_tasks).toEqual([answer.json.rejected[0].server_row]);
});

test("A stamp far ahead is stored just after the current version, if that is a little ahead too", async () => {
  const { push } = await withDevice();
  const ahead = clock.wall() + MINUTE;
  await push("a", formatInstant(ahead));
  const answer = await push("b", inMs(DAY));
  expect(answer.json).toEqual(clamped("b", formatInstant(ahead + 1), inMs(DAY)));
});

test("The identical record again changes nothing and gets the same reply", async () => {
  const { push, pull } = await withDevice();
  const sent = inMs(365 * DAY);
  const first = await push("a", sent);
  const since = `?since=${(await pull()).server_time}`;
  clock.advance(MINUTE);
  const again = await push("a", sent);
  expect(again.json).toEqual(first.json);
  expect((await pull(since)).changes.sync_tasks).toEqual([]);
});

test("A wrong clock does not win for ever: an honest edit after it does", async () => {
  const { push, pull } = await withDevice();
  await push("from the future", inMs(365 * DAY));
  clock.advance(MINUTE);
  expect((await push("honest", inMs(0))).json).toMatchObject({ applied: 1, rejected: [] });
  expect((await pull()).changes.sync_tasks).toMatchObject([{ payload: { title: "honest" } }]);
});

test("For a day, another stamp from the future must be above the first; after that it need not", async () => {
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

test("A tombstone from the future deletes, and an honest edit can undo it", async () => {
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
