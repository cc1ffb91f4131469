import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/db/open.ts";
import { finishDeletions, purgeAccount, shutAccount } from "../../src/db/people/deletion.ts";
import { takeLead } from "../../src/db/postgres/lead.ts";
import { freePort, onPostgres, usePostgres } from "../support/postgres.ts";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { NOON, testDirectory } from "../support/server.ts";
import { finder } from "../support/db/search.ts";
import { accountFor, pushTask } from "../support/db/store.ts";

onPostgres("A server that another one has replaced", () => {
  const postgres = usePostgres();

  /** Returns the process of the connection to a database that waits for this. */
  const waiting = async (database: string, event: string): Promise<number> => {
    const name = new URL(database).pathname.slice(1);
    const sql = `select pid from pg_stat_activity where datname = '${name}' and wait_event = '${event}'`;
    for (;;) {
      const pid = await postgres.ask(database, sql);
      if (pid !== "") return Number(pid);
      await Bun.sleep(20);
    }
  };

  test("writes nothing more, and is told so at its next write", async () => {
    const database = await postgres.database("docket");
    let lost = 0;
    const opening = { directory: testDirectory(), database, now: NOON } as const;
    const store = await openStore({ ...opening, role: "server", onLost: () => (lost += 1) });
    await accountFor(store, "ann@example.org");
    await postgres.ask(database, "update docket set holder = 'another server'");
    await expect(accountFor(store, "bob@example.org")).rejects.toThrow(
      "cannot write to its database",
    );
    await Bun.sleep(200);
    expect(lost).toBe(1);
    expect(await postgres.ask(database, "select email from account")).toBe("ann@example.org");
    await store.close();
  });

  test("goes on when the connection of a write breaks off", async () => {
    const database = await postgres.database("cut");
    const opening = { directory: testDirectory(), database, now: NOON } as const;
    const store = await openStore({ ...opening, role: "server" });
    const held = postgres.ask(database, "lock table docket; select pg_sleep(20)").catch(() => {});
    await waiting(database, "PgSleep");
    const file = (email: string) =>
      accountFor(store, email).then(
        () => "filed",
        ({ message }: Error) => message,
      );
    const writing = file("ann@example.org");
    // PostgreSQL ends all other connections then, and starts again by itself.
    process.kill(await waiting(database, "relation"), "SIGKILL");
    expect(await writing).toContain("cannot write to its database");
    await held;
    while ((await file("bob@example.org")) !== "filed") await Bun.sleep(100);
    expect(await postgres.ask(database, "select email from account")).toBe("bob@example.org");
    await store.close();
  });

  test("stands by when it is cut off while it tells how to become its owner", async () => {
    const database = await postgres.database("owner");
    const env = { DOCKET_DATABASE: database };
    const words = ["account", "add", "ann@example.org", "--password-stdin"];
    await run(DOCKET, [...words, "--data", testDirectory()], {
      env,
      input: "correct horse battery",
    });
    const locked = postgres.ask(database, "lock table code in share mode; select pg_sleep(30)");
    await waiting(database, "PgSleep");
    const server = await serve(DOCKET, ["--data", testDirectory(), "--log", "off"], { env });
    process.kill(await waiting(database, "relation"), "SIGKILL");
    await locked.catch(() => {});
    await until(() => server.said().includes("It stands by."));
    await until(() => server.printed().split("This server has no owner yet.").length === 2);
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  test("that finds nobody at the database's address is told so, and nothing else happens", async () => {
    const nowhere = `postgres://docket@127.0.0.1:${freePort()}/docket`;
    let calls = 0;
    const leading = { onWait: () => (calls += 1), onLost: () => (calls += 1) };
    await expect(takeLead(nowhere, leading)).rejects.toThrow();
    // The driver says that the connection has ended a moment later.
    await Bun.sleep(100);
    expect(calls).toBe(0);
  });

  test("leaves the writes of commands beside it as they are", async () => {
    const database = await postgres.database("beside");
    const opening = { directory: testDirectory(), database, now: NOON } as const;
    const server = await openStore({ ...opening, role: "server" });
    const command = await openStore({ ...opening, role: "visitor" });
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        accountFor(at % 2 === 0 ? server : command, `p${at}@example.org`),
      ),
    );
    expect(await postgres.ask(database, "select count(*) from account")).toBe("20");
    await command.close();
    await server.close();
  });

  test("keeps its copy for searches while a command ends beside it, and none after its own end", async () => {
    const database = await postgres.database("copy");
    const opening = { directory: testDirectory(), database, now: NOON } as const;
    const copy = join(opening.directory, "mirror");
    const server = await openStore({ ...opening, role: "server" });
    mkdirSync(copy);
    const command = await openStore({ ...opening, role: "visitor" });
    await command.close();
    expect(existsSync(copy)).toBe(true);
    await server.close();
    expect(existsSync(copy)).toBe(false);
  });

  test("forgets, within the hour, the words of an account that a command deletes on another machine", async () => {
    const database = await postgres.database("words");
    const opening = { database, now: NOON } as const;
    const directory = testDirectory();
    const server = await openStore({ ...opening, directory, role: "server" });
    const command = await openStore({ ...opening, directory: testDirectory(), role: "visitor" });
    const [ann, bob] = [await accountFor(server), await accountFor(server, "bob@example.org")];
    await pushTask(server, ann, "t", NOON, { title: "heirloom" });
    await pushTask(server, bob, "t", NOON, { title: "keepsake" });
    expect(await finder(server, ann)("heirloom")).toHaveLength(1);
    expect(await finder(server, bob)("keepsake")).toHaveLength(1);
    const holds = (word: string): boolean =>
      [...new Bun.Glob("**/*").scanSync({ cwd: directory, absolute: true })].some((file) =>
        readFileSync(file).includes(word),
      );
    expect([holds("heirloom"), holds("keepsake")]).toEqual([true, true]);
    await shutAccount(command, ann, NOON);
    await purgeAccount(command, ann);
    // What the server does each hour.
    await finishDeletions(server);
    expect(holds("heirloom")).toBe(false);
    expect(await finder(server, bob)("keepsake")).toHaveLength(1);
    await command.close();
    await server.close();
  });
});
