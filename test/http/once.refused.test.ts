import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { listActivity } from "../../src/db/calls/activity.ts";
import { listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { HOUR } from "../../src/domain/base/instant.ts";
import { EXPECTED } from "../support/access.ts";
import { change, expectRefusal, SAYS, sharedServer, V1 } from "../support/replies.ts";
import { databaseFile } from "../support/db/store.ts";
import { isReplayed, shown, someoneWriting, underKey, WRITERS, WRITES } from "../support/writes.ts";

const server = await sharedServer();
const { call, clock } = server;

const TASKS = `POST ${V1}/tasks`;
const ONE = { headers: underKey('"one"') };

describe("A refusal caused by the records is stored", () => {
  test.each(WRITERS)("404, to %s, even if the task exists later", async (writer) => {
    const { ann, tokens, write } = await someoneWriting(server);
    const path = `POST ${V1}/tasks/late/notes`;
    const sent = { ...ONE, body: { text: "n" } };
    expectRefusal(await write(path, writer, sent), 404, SAYS.noTask);
    const body = [change("sync_tasks", "late", {})];
    await call("POST", "/sync", { token: ann.session, body });
    const again = await write(path, writer, sent);
    expectRefusal(again, 404, SAYS.noTask);
    expect(isReplayed(again)).toBe(true);
    const renewed = await write(path, writer, { ...sent, headers: underKey("two") });
    expect(renewed.status).toBe(201);
    const whole = await call("GET", "/tasks/late", { token: tokens[writer] });
    expect(whole.json.notes).toHaveLength(1);
  });

  test.each(WRITERS)("422, to %s, even if the folder exists later", async (writer) => {
    const { ann, write } = await someoneWriting(server);
    const sent = { ...ONE, body: { title: "t", folder: "Later" } };
    const first = await write(TASKS, writer, sent);
    expect(first.status).toBe(422);
    await call("POST", "/projects", { token: ann.session, body: { name: "Later" } });
    const again = await write(TASKS, writer, sent);
    expect(isReplayed(again)).toBe(true);
    expect(shown(again)).toEqual(shown(first));
  });

  test.each(WRITERS)("412, to %s, whatever If-Match it sends then", async (writer) => {
    const { write } = await someoneWriting(server);
    const path = `PATCH ${V1}/tasks/{id}`;
    const headers = { ...underKey("one"), "if-match": '"other"' };
    const first = await write(path, writer, { headers });
    expect(first.status).toBe(412);
    const again = await write(path, writer, ONE);
    expect(isReplayed(again)).toBe(true);
    expect(shown(again)).toEqual(shown(first));
  });
});

describe("A refusal that may change the next time is not stored", () => {
  test("401 and 429: credential and limiter come before a stored reply", async () => {
    const { ann, tokens, write } = await someoneWriting(server);
    const token = tokens["a key"];
    expect((await write(TASKS, "a key", ONE)).status).toBe(201);
    for (let left = 59; left > 0; left--) await write(TASKS, "a key", ONE);
    expectRefusal(await write(TASKS, "a key", ONE), 429, SAYS.wait(60));
    clock.advance(HOUR);
    expect(isReplayed(await write(TASKS, "a key", ONE))).toBe(true);
    const [{ id } = { id: "" }] = await listKeys(server.store, ann.account.id);
    await revokeKey(server.store, null, id, clock.wall());
    expectRefusal(await write(TASKS, "a key", { ...ONE, token }), 401, SAYS.badCredential);
  });

  test("403 for a missing scope", async () => {
    const { ann, write } = await someoneWriting(server);
    const token = await ann.key(["read"]);
    for (let again = 0; again < 2; again++) {
      const answer = await write(TASKS, "a key", { ...ONE, token });
      expectRefusal(answer, 403, SAYS.lacks("write"));
      expect(isReplayed(answer)).toBe(false);
    }
  });

  test("403 for what a key may never do, found in the body or in the records", async () => {
    const { write } = await someoneWriting(server);
    for (const field of ["deleted_at", "bucket_id"]) {
      const sent = { headers: underKey(field), body: { title: "t", [field]: "trash" } };
      for (let again = 0; again < 2; again++) {
        const answer = await write(TASKS, "a key", sent);
        expect([answer.status, isReplayed(answer)]).toEqual([403, false]);
      }
    }
  });

  test("415 and 413 by the length: the body was not read, so nothing is known of it", async () => {
    const { write } = await someoneWriting(server);
    const text = { headers: { ...underKey("one"), "content-type": "text/plain" } };
    for (const [status, sent] of [
      [415, text],
      [413, { ...ONE, body: " ".repeat(1024 * 1024 + 1) }],
    ] as const) {
      for (let again = 0; again < 2; again++) {
        const answer = await write(TASKS, "a session", sent);
        expect([answer.status, isReplayed(answer)]).toEqual([status, false]);
      }
    }
    expect((await write(TASKS, "a session", ONE)).status).toBe(201);
  });

  test("500: nothing was done, so the same request is carried out once the fault is gone", async () => {
    const { write } = await someoneWriting(server);
    const rename = (from: string, to: string) =>
      server.store.writer.write(async (tx) => {
        await tx.orm.run(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    for (const writer of WRITERS) {
      await rename("record", "hidden");
      expectRefusal(await write(TASKS, writer, ONE), 500, "Internal error.");
      await rename("hidden", "record");
      const answer = await write(TASKS, writer, ONE);
      expect([answer.status, isReplayed(answer)]).toEqual([201, false]);
    }
  });
});

embeddedTest(
  "While the first request runs, the same one again must wait, and another body is refused",
  async () => {
    const { write } = await someoneWriting(server);
    const other = new Database(databaseFile(server.directory));
    other.run("BEGIN IMMEDIATE");
    const first = write(TASKS, "a session", ONE);
    // It waits for the lock; none of the others does.
    await Bun.sleep(50);
    const waiting = await write(TASKS, "a session", ONE);
    expectRefusal(
      waiting,
      409,
      "The first request with this Idempotency-Key is still in progress. Send it again in a second.",
    );
    expect(waiting.headers.get("retry-after")).toBe("1");
    const body = { title: "another" };
    expect((await write(TASKS, "a session", { ...ONE, body })).status).toBe(422);
    other.run("ROLLBACK");
    other.close();
    expect((await first).status).toBe(201);
    const again = await write(TASKS, "a session", ONE);
    expect([isReplayed(again), shown(again)]).toEqual([true, shown(await first)]);
  },
);

embeddedTest("If the reply cannot be stored, the work is not done either", async () => {
  const { write, pulled } = await someoneWriting(server);
  const before = await pulled();
  const run = (sql: string) =>
    server.store.writer.write(async (tx) => {
      await tx.orm.run(sql);
    });
  await run(`CREATE TRIGGER full BEFORE INSERT ON kept_reply BEGIN SELECT RAISE(ABORT, 'no'); END`);
  for (const [route, writer] of WRITES)
    expectRefusal(await write(route, writer, ONE), 500, "Internal error.");
  expect(await pulled()).toEqual(before);
  await run("DROP TRIGGER full");
  for (const [route, writer] of WRITES) {
    const answer = await write(route, writer, ONE);
    expect([answer.status, isReplayed(answer)]).toEqual([EXPECTED[route]?.ok ?? 0, false]);
  }
});

test("A stored reply takes a token, and is listed with its status and the record of the first request", async () => {
  const { ann, write } = await someoneWriting(server);
  const first = await write(TASKS, "a key", ONE);
  const again = await write(TASKS, "a key", ONE);
  expect([first, again].map(({ headers }) => headers.get("ratelimit"))).toEqual([
    '"minute";r=59;t=60, "hour";r=599;t=3600',
    '"minute";r=58;t=60, "hour";r=598;t=3600',
  ]);
  await write(TASKS, "a key", { headers: underKey("bad"), body: "{" });
  await write(TASKS, "a key", { headers: underKey("bad"), body: "{" });
  const [key] = await listKeys(server.store, ann.account.id);
  const rows = (await listActivity(server.store, key?.id ?? "", 10)).toReversed();
  expect(rows.map(({ status, touched, tookToken }) => [status, touched, tookToken])).toEqual([
    [201, `task:${first.json.id}`, 1],
    [201, `task:${first.json.id}`, 1],
    [400, null, 1],
    [400, null, 1],
  ]);
});
