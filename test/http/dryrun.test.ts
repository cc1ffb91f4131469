import { describe, expect, test } from "bun:test";
import { listActivity } from "../../src/db/calls/activity.ts";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { EXPECTED } from "../support/access.ts";
import { change, expectRefusal, SAYS, sharedServer, V1 } from "../support/replies.ts";
import { everyRow } from "../support/db/store.ts";
import { isReplayed, someoneWriting, underKey, WRITERS, WRITES } from "../support/writes.ts";

const server = await sharedServer();
const { call, clock, directory } = server;

const TASKS = `POST ${V1}/tasks`;
const TASK = `PATCH ${V1}/tasks/{id}`;
const MALFORMED_KEY =
  'Idempotency-Key must be 1 to 255 printable ASCII characters in quotes, such as "8e03978e-40d5-43e8-bc93".';
const ONLY = { query: "?dry_run=true" };

/** Everything that is stored, except the list of calls and the time a key was last used. */
const stored = (): unknown =>
  Object.entries(everyRow(directory))
    .filter(([name]) => name !== "activity")
    .map(([name, rows]) => {
      const kept = rows.map((row) => JSON.stringify({ ...row, last_used_at: null }));
      return [name, kept.toSorted()];
    });

/** A reply without its newly generated ids. */
const withoutIds = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}"/g, '"new"'));

describe.each(WRITES)("%s, by %s", (route, writer) => {
  test("a dry run replies with what would happen, and leaves nothing behind", async () => {
    const { write } = await someoneWriting(server, route);
    const before = stored();
    const asked = await write(route, writer, ONLY);
    expect(asked.status).toBe(200);
    expect(asked.headers.get("etag")).toBeNull();
    expect(stored()).toEqual(before);
    const done = await write(route, writer);
    expect(done.status).toBe(EXPECTED[route]?.ok ?? 0);
    expect(withoutIds(asked.text)).toEqual({
      ...(withoutIds(done.text) as object),
      dry_run: true,
    });
    expect(done.json).not.toHaveProperty("dry_run");
  });

  test("what would be refused is refused, and none of it is stored", async () => {
    const { write } = await someoneWriting(server, route);
    const before = stored();
    for (const body of ["{", "5", "[]", '"\\ud800"']) {
      const options = { ...ONLY, body, headers: underKey("k") };
      const asked = await write(route, writer, options);
      const done = await write(route, writer, { body });
      expect([asked.status, asked.text]).toEqual([done.status, done.text]);
    }
    expect(stored()).toEqual(before);
  });

  test.each(["", "yes", "1", "TRUE", "true&dry_run=false", "true&dry_run=true"])(
    "dry_run=%s is refused, and nothing is done",
    async (value) => {
      const { write } = await someoneWriting(server, route);
      const before = stored();
      const answer = await write(route, writer, { query: `?dry_run=${value}` });
      expectRefusal(answer, 422, "Query parameter dry_run must be true or false.");
      expect(stored()).toEqual(before);
    },
  );
});

test.each(WRITERS)(
  "A dry run gives %s the same refusal that the records would cause",
  async (writer) => {
    const { ann, write } = await someoneWriting(server);
    const body = [change("sync_buckets", "bin", { name: "Bin", kind: "trash" })];
    await call("POST", "/sync", { token: ann.session, body });
    const wishes = [
      [`POST ${V1}/tasks/none/notes`, { body: { text: "n" } }],
      [TASK, { headers: { "if-match": '"other"' } }],
      [TASKS, { body: { title: "t", folder: "none" } }],
      [TASKS, { body: { title: "t", bucket_id: "bin" } }],
      [TASKS, { body: { title: "t", deleted_at: null } }],
      [TASKS, { body: { title: "t", notes: ["n".repeat(20_000)], tabs: [{ url: "" }] } }],
    ] as const;
    const before = stored();
    const statuses: number[] = [];
    for (const [route, options] of wishes) {
      const asked = await write(route, writer, { ...options, ...ONLY });
      const done = await write(route, writer, options);
      expect([asked.status, asked.text]).toEqual([done.status, done.text]);
      statuses.push(asked.status);
    }
    const never = writer === "a key" ? 403 : 422;
    expect(statuses).toEqual([404, 412, 422, never, never, 422]);
    expect(stored()).toEqual(before);
  },
);

test("A dry run with dry_run=false is an ordinary call", async () => {
  const { write } = await someoneWriting(server);
  const done = await write(TASKS, "a key", { query: "?dry_run=false" });
  expect([done.status, done.json.title, done.json.dry_run]).toEqual([201, "t", undefined]);
});

test("A push cannot be a dry run: it is refused, and nothing is done", async () => {
  const { ann } = await someoneWriting(server);
  const before = stored();
  const body = [change("sync_tasks", "pushed", {})];
  const answer = await call("POST", "/sync?dry_run=true", { token: ann.session, body });
  expectRefusal(
    answer,
    422,
    "This call does not support dry_run. Leave it out. Nothing was changed.",
  );
  expect(stored()).toEqual(before);
  const plain = await call("POST", "/sync?dry_run=false", { token: ann.session, body });
  expect([plain.status, plain.json.applied]).toEqual([200, 1]);
});

test("A dry run takes a token, needs the scope, and is marked in the activity list", async () => {
  const { ann, write } = await someoneWriting(server);
  const asked = await write(TASKS, "a key", ONLY);
  expect(asked.headers.get("ratelimit")).toBe('"minute";r=59;t=60, "hour";r=599;t=3600');
  await write(TASK, "a key", ONLY);
  await write(TASKS, "a key", { ...ONLY, body: {} });
  await write(TASKS, "a key");
  const reader = await ann.key(["read"], "reader");
  expectRefusal(await write(TASKS, "a key", { ...ONLY, token: reader }), 403, SAYS.lacks("write"));
  const keys = await listKeys(server.store, ann.account.id);
  const bot = keys.find(({ name }) => name === "bot")?.id ?? "";
  const rows = (await listActivity(server.store, bot, 10)).toReversed();
  expect(
    rows.map(({ status, touched, tookToken, dryRun }) => [status, touched, tookToken, dryRun]),
  ).toEqual([
    [200, null, 1, 1],
    [200, "task:theirs", 1, 1],
    [422, null, 1, 1],
    [201, expect.stringMatching(/^task:/) as string, 1, 0],
  ]);
});

test.each(WRITERS)(
  "A dry run of %s neither stores a reply nor gets a stored one",
  async (writer) => {
    const { write } = await someoneWriting(server);
    const one = { headers: underKey("one") };
    expect((await write(TASKS, writer, { ...one, ...ONLY })).status).toBe(200);
    const done = await write(TASKS, writer, one);
    expect([done.status, isReplayed(done)]).toEqual([201, false]);
    const asked = await write(TASKS, writer, { ...one, ...ONLY });
    expect([asked.status, asked.json.dry_run, isReplayed(asked)]).toEqual([200, true, false]);
    const malformed = await write(TASKS, writer, { ...ONLY, headers: underKey("") });
    expectRefusal(malformed, 400, MALFORMED_KEY);
    expect(isReplayed(await write(TASKS, writer, one))).toBe(true);
  },
);

// Of writes that arrive together, any may be the last.
const isChanged = (title: string): boolean => /^u\d*[13579]$/.test(title);

test("Dry runs at the same time as writes leave no trace in what the writes do", async () => {
  const { ann, write } = await someoneWriting(server);
  clock.advance(60_000);
  const calls = Array.from({ length: 40 }, (_, at) => {
    const [route, body] = at % 4 < 2 ? [TASKS, { title: `t${at}` }] : [TASK, { title: `u${at}` }];
    return write(route, "a session", { body, ...(at % 2 === 0 ? ONLY : {}) });
  });
  const answers = await Promise.all(calls);
  expect(answers.filter(({ json }) => json.dry_run === true)).toHaveLength(20);
  const { json } = await call("GET", "/sync", { token: ann.session });
  const titles = (json.changes.sync_tasks as { payload: { title: string } }[]).map(
    ({ payload }) => payload.title,
  );
  const made = ["s", ...Array.from({ length: 10 }, (_, at) => `t${at * 4 + 1}`)];
  expect(titles.filter((title) => !isChanged(title)).toSorted()).toEqual(made.toSorted());
  expect(titles.filter(isChanged)).toHaveLength(1);
});
