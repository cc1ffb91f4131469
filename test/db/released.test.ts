import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrations } from "../../src/db/sqlite/files/migrations.ts";
import { DAY, formatInstant } from "../../src/domain/base/instant.ts";
import { type Fixture, RELEASED } from "../fixtures/released.ts";
import { change } from "../support/replies.ts";
import { startServer, testClock } from "../support/server.ts";
import { visitor } from "../support/web/visitor.ts";
import { COMMITTED } from "../support/db/migrations.ts";
import { ask, databaseFile, directoryForTest } from "../support/db/store.ts";

const VERSIONS = readdirSync(RELEASED)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(/\.json$/, ""));

/** Puts the data of a released build, as it wrote them, into a new directory. */
const dataOf = (version: string): string => {
  const packed = readFileSync(join(RELEASED, `${version}.db.gz`));
  const directory = directoryForTest();
  writeFileSync(databaseFile(directory), Bun.gunzipSync(packed));
  return directory;
};

/** Starts a server of today's program on the data of a released one, at the moment at which those were made. */
const serverOn = async (version: string, at = 0) => {
  const directory = dataOf(version);
  const text = readFileSync(join(RELEASED, `${version}.json`), "utf8");
  const fixture = JSON.parse(text) as Fixture;
  const clock = testClock(Date.parse(fixture.madeAt) + at);
  return { fixture, server: await startServer({ directory, clock }) };
};

test("The data of a released build are kept", () => {
  expect(VERSIONS).toContain("0.1.0");
});

/** The hashes of the migrations that the data have been through, in order. */
const migrationsIn = (directory: string): readonly string[] =>
  ask<{ hash: string }>(directory, "SELECT hash FROM __drizzle_migrations ORDER BY created_at").map(
    ({ hash }) => hash,
  );

const TODAYS = readMigrations(COMMITTED).map(({ hash }) => hash);

test("The data of version 0.1.0 lack the migrations that came after it", () => {
  expect(migrationsIn(dataOf("0.1.0"))).toEqual(TODAYS.slice(0, 4));
  expect(TODAYS.length).toBeGreaterThan(4);
});

const beginning = (sentence: string): unknown =>
  expect.stringMatching(new RegExp(`^${RegExp.escape(sentence)}`));

describe.each(VERSIONS)("the data of version %s", (version) => {
  test("are read by today's program as that one read them", async () => {
    const { fixture, server } = await serverOn(version);
    for (const { who, path, status, reply } of fixture.reads) {
      const now = await server.call("GET", path, { token: fixture.tokens[who] });
      // A later program may say more: in fields, and after the sentence of a refusal.
      const said = "error" in reply ? { error: beginning(String(reply.error)) } : reply;
      expect({ path, status: now.status, reply: now.json }).toMatchObject({
        path,
        status,
        reply: said,
      });
    }
    expect(migrationsIn(server.directory)).toEqual(TODAYS);
    expect(ask(server.directory, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    await server.stop();
  });

  test("show their history, what was deleted, and what keys did", async () => {
    const { fixture, server } = await serverOn(version);
    const ann = visitor(server);
    const { email, password } = fixture;
    expect((await ann.post("/sign-in", { email, password })).location).toBe("/tasks");
    for (const { path, words } of fixture.pages) {
      const { status, text } = await ann.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      for (const word of words) expect(text).toContain(word);
    }
    await server.stop();
  });

  test("go on: devices and keys write to them, and pull what they lack", async () => {
    const { fixture, server } = await serverOn(version, DAY);
    const { laptop, phone, helper } = fixture.tokens;
    const pulled = fixture.reads.find(({ path }) => path.startsWith("/sync?since="));
    const updated_at = formatInstant(server.clock.wall());
    const body = [change("sync_tasks", "parked", { title: "Parked again" }, { updated_at })];
    const pushed = await server.call("POST", "/sync", { token: laptop, body });
    expect(pushed.json).toMatchObject({ applied: 1, rejected: [], invalid: [] });
    const filed = { token: helper, body: { title: "Filed since" } };
    expect((await server.call("POST", "/tasks", filed)).status).toBe(201);
    const { json } = await server.call("GET", pulled?.path ?? "", { token: phone });
    const titles = (json.changes.sync_tasks as { payload: { title?: string } }[]).map(
      ({ payload }) => payload.title,
    );
    expect(titles).toEqual(expect.arrayContaining(["Parked again", "Filed since"]));
    await server.stop();
  });
});
