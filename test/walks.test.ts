import { expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { listActivity } from "../src/db/calls/activity.ts";
import { record } from "../src/db/schema/records.ts";
import { activity, apiKey } from "../src/db/schema/credentials.ts";
import { MINUTE } from "../src/domain/base/instant.ts";
import {
  AT_NOON,
  BY_BOT,
  change,
  newcomer,
  SAYS,
  sharedServer,
  tab,
  taskRow,
} from "./support/replies.ts";

// Three walks through all layers. Each goes down once and comes up once.

const server = await sharedServer();
const { call, clock, store } = server;

const storedTask = async (accountId: number, id: string) => {
  const theirs = and(eq(record.accountId, accountId), eq(record.id, id));
  const row = await store.reader.select().from(record).where(theirs).get();
  if (!row) throw new Error(`There is no record ${id}.`);
  return row;
};

test("A tab's url goes from POST /inbox/tabs to the stored row and out of GET /sync", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const url = "https://trains.example/night?to=Lisbon#beds";

  const filed = await call("POST", "/inbox/tabs", {
    token,
    body: [{ url, title: "Night trains" }],
  });
  expect(filed.status).toBe(201);
  expect(filed.json).toEqual({
    tabs: [tab({ url, title: "Night trains", ...BY_BOT })],
    task: taskRow({ title: "Agent unsorted", tab_count: 1, ...BY_BOT }),
  });
  const [{ id: tabId }] = filed.json.tabs as [{ id: string }];
  const { id } = filed.json.task as { id: string };

  // In the payload, which is the only source of truth, and in what is derived from it.
  const item = { id: tabId, ...BY_BOT, created_at: AT_NOON, url, title: "Night trains" };
  const payload = {
    title: "Agent unsorted",
    status: "todo",
    colour: null,
    project_id: null,
    bucket_id: null,
    pages: [item],
    notes: [],
  };
  const row = await storedTask(ann.account.id, id);
  expect(row.payload).toBe(JSON.stringify(payload));
  // Who works on a task is no part of it.
  const { claimed_by: _by, claimed_until: _until, ...stored } = filed.json.task;
  expect(JSON.parse(row.row)).toEqual(stored);
  expect(JSON.parse(row.filed ?? "")).toEqual([
    { list: "pages", id: tabId, key: "bot", createdAt: AT_NOON, at: 0 },
  ]);

  const pulled = await call("GET", "/sync", { token: ann.session });
  expect(pulled.json.changes).toEqual({
    sync_tasks: [
      {
        id,
        updated_at: AT_NOON,
        deleted_at: null,
        payload,
        created_by: "agent",
        created_by_key: "bot",
      },
    ],
    sync_projects: [],
    sync_buckets: [],
  });
  const found = await call("GET", `/tasks?${new URLSearchParams({ url })}`, { token });
  expect(found.json.tasks).toEqual([filed.json.task]);
});

test("An API key goes from the header to a 429", async () => {
  const ann = await newcomer(server);
  const token = await ann.key(["read"]);
  clock.advance(MINUTE - (clock.wall() % MINUTE));

  // Only a digest of the key is stored.
  const mine = eq(apiKey.accountId, ann.account.id);
  const [kept] = await store.reader.select().from(apiKey).where(mine).all();
  const digest = new Bun.CryptoHasher("sha256").update(token).digest();
  expect(kept?.digest.equals(digest)).toBe(true);
  expect(JSON.stringify(kept)).not.toContain(token.slice(16, -4));

  for (let n = 1; n <= 60; n++) {
    const { status, headers } = await call("GET", "/projects", { token });
    const left = `"minute";r=${60 - n};t=60, "hour";r=${600 - n};t=3600`;
    expect([n, status, headers.get("ratelimit")]).toEqual([n, 200, left]);
  }
  for (let n = 0; n < 2; n++) {
    const refused = await call("GET", "/projects", { token });
    expect([refused.status, refused.json]).toEqual([429, { error: SAYS.wait(60) }]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "retry-after": "60",
      "ratelimit-policy": '"minute";q=60;w=60, "hour";q=600;w=3600',
      ratelimit: '"minute";r=0;t=60, "hour";r=540;t=3600',
    });
  }

  // Each admitted call is a row that took a token. The refused calls share one row.
  const rows = await listActivity(store, kept?.id ?? "", 100);
  expect(rows.map(({ status, tookToken, count }) => [status, tookToken, count])).toEqual([
    [429, 0, 2],
    ...Array.from({ length: 60 }, () => [200, 1, 1]),
  ]);
  const tokens = and(eq(activity.keyId, kept?.id ?? ""), eq(activity.tookToken, 1));
  expect(await store.reader.select().from(activity).where(tokens).all()).toHaveLength(60);

  clock.advance(MINUTE);
  expect((await call("GET", "/projects", { token })).status).toBe(200);
});

test("A change record goes from POST /sync to rejected", async () => {
  const ann = await newcomer(server);
  const push = (body: unknown) => call("POST", "/sync", { token: ann.session, body });
  const newer = { title: "Book the trip", "x-own": [1, null] };
  const stands = change("sync_tasks", "trip", newer, { updated_at: "2026-03-04T12:00:02+00:00" });
  expect((await push([stands])).json).toEqual({
    applied: 1,
    rejected: [],
    merged: [],
    invalid: [],
  });
  const before = await storedTask(ann.account.id, "trip");

  clock.advance(1_000);
  const stale = change(
    "sync_tasks",
    "trip",
    { title: "Plan" },
    { updated_at: "2026-03-04T12:00:01Z" },
  );
  const answer = await push([stale]);
  const server_row = {
    id: "trip",
    updated_at: "2026-03-04T12:00:02+00:00",
    deleted_at: null,
    payload: newer,
    created_by: "person",
  };
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    applied: 0,
    rejected: [
      {
        table: "sync_tasks",
        id: "trip",
        updated_at: "2026-03-04T12:00:01Z",
        reason: "stale",
        server_row,
      },
    ],
    merged: [],
    invalid: [],
  });

  // Nothing in the row has changed, not even its stamp, so no device is told of a change.
  expect(await storedTask(ann.account.id, "trip")).toEqual(before);
  const pulled = await call("GET", "/sync", { token: ann.session });
  expect(pulled.json.changes.sync_tasks).toEqual([server_row]);
  const [row = "none"] = pulled.text.match(/\{"id":"trip".*?"person","rev":"[^"]*"\}/) ?? [];
  expect(answer.text).toContain(`"server_row":${row}`);
});
