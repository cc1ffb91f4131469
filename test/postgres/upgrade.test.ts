import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { takeLead } from "../../src/db/postgres/lead.ts";
import { png } from "../support/png.ts";
import { onPostgres, usePostgres } from "../support/postgres.ts";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { send, testDirectory } from "../support/server.ts";
import { readiness, startOn } from "../support/several.ts";

const FOLDER = join(import.meta.dir, "../../drizzle/postgres");
const FILES = readdirSync(FOLDER).toSorted();

onPostgres("Tables of an older version", () => {
  const postgres = usePostgres();

  test("are brought up to date when a server starts on them, and keep what they hold", async () => {
    const database = await postgres.database("older");
    const env = { DOCKET_DATABASE: database };
    const directory = testDirectory();
    const docket = (...words: readonly string[]) =>
      run(DOCKET, [...words, "--data", directory], { env, input: "correct horse battery" });
    await postgres.ask(database, readFileSync(join(FOLDER, FILES[0] ?? ""), "utf8"));
    await postgres.ask(database, "update docket set version = 1");
    await postgres.ask(
      database,
      "insert into account (uid, email, plan, plan_source, hw, created_at) values ('a', 'old@example.org', 'pro', 'self_hosted', 0, 1)",
    );
    expect((await docket("account", "list")).err).toContain("An older version of Docket");
    const server = await serve(DOCKET, ["--data", directory, "--log", "off"], { env });
    expect(await postgres.ask(database, "select version from docket")).toBe(String(FILES.length));
    const token = (
      await docket("session", "create", "--account", "old@example.org", "--name", "laptop")
    ).out.trim();
    const icons = [{ host: "a.example", png: png(16, [1, 2, 3]) }];
    const api = (method: string, path: string, body?: unknown) =>
      send(method, `${server.url}/api/public/v1${path}`, { token, body });
    expect((await api("POST", "/icons", { icons })).json).toEqual({ saved: 1 });
    await api("POST", "/icons", { icons: [{ host: "a.example", png: png(32, [3, 2, 1]) }] });
    expect((await api("GET", "/icons?hosts=a.example,b.example")).json).toEqual({
      icons: [{ host: "a.example", png: png(32, [3, 2, 1]) }],
    });
    await server.stop();
  });

  test("are left to the older server that works, and brought up to date by the newer one that replaces it", async () => {
    const database = await postgres.database("rolling");
    for (const file of FILES.slice(0, -1))
      await postgres.ask(database, readFileSync(join(FOLDER, file), "utf8"));
    await postgres.ask(database, `update docket set version = ${FILES.length - 1}`);
    const version = () => postgres.ask(database, "select version from docket");
    // What an older server that works has of the database.
    const older = await takeLead(database, { onWait: () => {}, onLost: () => {} });
    const newer = await startOn(database);
    await until(async () => (await readiness(newer)) === 503);
    expect(await version()).toBe(`${FILES.length - 1}`);
    await older.end();
    await until(async () => (await readiness(newer)) === 200);
    expect(await version()).toBe(`${FILES.length}`);
    newer.child.kill("SIGTERM");
    expect(await newer.child.exited).toBe(0);
  });
});
