import { expect, test } from "bun:test";
import { pruneActivity, recordCall } from "../../src/db/calls/activity.ts";
import { pruneStoredReplies } from "../../src/db/calls/idempotency.ts";
import { pruneHistory } from "../../src/db/history/quota.ts";
import { createBrowserSession } from "../../src/db/people/browser-sessions.ts";
import { pruneBrowserSessions } from "../../src/db/people/revocation.ts";
import { insertTrace } from "../../src/db/calls/trace.ts";
import { DAY, HOUR, type Instant } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { createTask, patchTask } from "../support/rules.ts";
import { NOON } from "../support/server.ts";
import { accountFor, ask, BOT, openForTest, type TestStore } from "../support/db/store.ts";

const SIGN_IN = { method: "password", client: null, address: "192.0.2.1" } as const;

/** Ann's server: a key edits one task of hers, and can be told what time the machine believes it is. */
const annsServer = async () => {
  let store: TestStore = await openForTest();
  const { directory } = store;
  const ann = await accountFor(store);
  const draft = { title: "0", tabs: [], notes: [] };
  const { id } = await createTask(store, ann, draft, BOT, NOON);
  await createBrowserSession(store, ann, SIGN_IN, cryptoRandom, NOON);
  let calls = 0;

  /** The key edits the task: a version, a call and a reply that the server keeps. */
  const edit = async (at: Instant): Promise<void> => {
    calls += 1;
    await patchTask(store, ann, id, { patch: { title: `${calls}` }, ifMatch: null }, BOT, at);
    const call = { accountId: ann, keyId: "key-1", at, method: "PATCH", status: 200 };
    const more = { route: "/tasks/{id}", touched: null, client: null, tookToken: true };
    await recordCall(store, { ...call, ...more, dryRun: false, tool: null });
    const reply = { credentialId: "key-1", method: "PATCH", path: "/tasks", bodyHash: "", at };
    const answer = { idempotencyKey: `${calls}`, status: 200, body: "{}", etag: null };
    const stored = { ...reply, ...answer, touched: null };
    await store.writer.write(({ orm }) => insertTrace(orm, { activity: null, reply: stored }));
  };
  /** What the server does every hour. */
  const sweep = async (now: Instant): Promise<void> => {
    for (const prune of [pruneActivity, pruneHistory, pruneStoredReplies, pruneBrowserSessions])
      await prune(store, now);
  };
  const restart = async (now: Instant): Promise<void> => {
    await store.close();
    store = await openForTest({ directory, now });
  };
  const timesIn = (table: string, column = "at"): readonly Instant[] =>
    ask<{ at: Instant }>(directory, `SELECT ${column} AS at FROM ${table} ORDER BY rowid`).map(
      ({ at }) => at,
    );
  return { edit, sweep, restart, timesIn, calls: () => calls };
};

type AnnsServer = Awaited<ReturnType<typeof annsServer>>;

const TODAY = NOON + 30 * DAY;
const AHEAD = TODAY + 200 * DAY;

/** What the clock does on day 30, and whether the replies of the last day must still be there afterwards. */
const JUMPS: readonly (readonly [
  name: string,
  jump: (server: AnnsServer) => Promise<void>,
  repliesToo: boolean,
])[] = [
  [
    "is 200 days ahead for one call and one sweep",
    async ({ edit, sweep }) => {
      await edit(AHEAD);
      await sweep(AHEAD + 1);
    },
    true,
  ],
  [
    "is 200 days ahead for a hundred calls, with a restart and a sweep after each ten",
    async ({ edit, sweep, restart }) => {
      for (let call = 0; call < 100; call += 1) {
        await edit(AHEAD + call);
        if (call % 10 !== 9) continue;
        await sweep(AHEAD + call);
        await restart(AHEAD + call);
      }
    },
    true,
  ],
  [
    "is 200 days ahead just before midnight, and is used until after it",
    async ({ edit, sweep }) => {
      for (const at of [AHEAD + 11 * HOUR, AHEAD + 13 * HOUR]) {
        await edit(at);
        await sweep(at);
      }
    },
    true,
  ],
  [
    "is 200 days ahead until somebody notices a month later",
    async ({ edit, sweep, restart }) => {
      for (let day = 0; day < 30; day += 1) {
        await edit(AHEAD + day * DAY);
        await sweep(AHEAD + day * DAY);
        await restart(AHEAD + day * DAY);
      }
    },
    false,
  ],
  [
    "goes ahead by 200 days and back again, a hundred times",
    async ({ edit, sweep }) => {
      for (let time = 0; time < 100; time += 1) {
        await edit(AHEAD + time);
        await sweep(AHEAD + time);
        await edit(TODAY + time);
        await sweep(TODAY + time);
      }
    },
    true,
  ],
  [
    "is right, and the machine was off for 200 days",
    async ({ edit, sweep }) => {
      await edit(AHEAD);
      await sweep(AHEAD);
    },
    false,
  ],
  [
    "says 1970 after a start, until the network sets it",
    async ({ edit, sweep, restart }) => {
      await restart(0);
      await edit(HOUR);
      await sweep(HOUR);
      await edit(TODAY);
      await sweep(TODAY);
    },
    true,
  ],
  [
    "says 2099 after a start, until the network sets it",
    async ({ edit, sweep, restart }) => {
      const at = Date.parse("2099-01-01T00:00:00.000Z");
      await restart(at);
      await edit(at);
      await sweep(at);
    },
    true,
  ],
];

test.each(JUMPS)("If the clock %s, the server deletes nothing that is young", async (...row) => {
  const [, jump, repliesToo] = row;
  const server = await annsServer();
  for (let day = 0; day <= 30; day += 1) {
    await server.edit(NOON + day * DAY);
    await server.sweep(NOON + day * DAY);
  }
  const replies = server.timesIn("kept_reply").filter((at) => at > TODAY - DAY);
  expect(replies).not.toEqual([]);
  await jump(server);
  await server.restart(TODAY + HOUR);
  await server.sweep(TODAY + HOUR);
  // The first version says that the key made the task.
  expect(server.timesIn("version")).toHaveLength(server.calls() + 1);
  expect(server.timesIn("activity")).toHaveLength(server.calls());
  expect(server.timesIn("visit", "created_at")).toEqual([NOON]);
  if (repliesToo)
    expect(server.timesIn("kept_reply")).toEqual(expect.arrayContaining([...replies]));
});

test("A server that is used every day keeps versions and calls for 100 days, replies for three", async () => {
  const server = await annsServer();
  for (let day = 0; day <= 250; day += 1) await server.edit(NOON + day * DAY);
  const now = NOON + 250 * DAY;
  await server.sweep(now);
  for (const table of ["version", "activity"]) {
    const times = server.timesIn(table);
    expect([times[0], times.length]).toEqual([now - 99 * DAY, 100]);
  }
  expect(server.timesIn("kept_reply")).toEqual([now - 3 * DAY, now - 2 * DAY, now - DAY, now]);
  expect(server.timesIn("visit", "created_at")).toEqual([]);
});

test("A server that is used once a week keeps the last 100 days of its use", async () => {
  const server = await annsServer();
  for (let week = 0; week <= 120; week += 1) {
    await server.edit(NOON + week * 7 * DAY);
    await server.sweep(NOON + week * 7 * DAY);
  }
  expect(server.timesIn("activity")[0]).toBe(NOON + 21 * 7 * DAY);
});
