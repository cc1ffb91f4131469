import { beforeAll, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort, onPostgres, usePostgres } from "../support/postgres.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";

const refusal = async (database: string, ...words: string[]): Promise<string> => {
  const asked =
    words.length > 0 ? words : ["account", "add", "ann@example.org", "--password-stdin"];
  const ended = await run(DOCKET, [...asked, "--data", testDirectory()], {
    env: { DOCKET_DATABASE: database },
    input: "correct horse battery",
  });
  expect([ended.code > 0, ended.out]).toEqual([true, ""]);
  return ended.err.trim();
};

onPostgres("A database that cannot keep the data is refused with what to do", () => {
  const postgres = usePostgres();
  let good: string;
  beforeAll(async () => {
    good = await postgres.database("good");
  });

  test.each<[string, string]>([
    ["mysql://docket@localhost/docket", "database must be the address of a PostgreSQL database"],
    ["postgres://docket@nowhere.invalid/docket", "There is no machine named nowhere.invalid."],
    [
      `postgres://docket@127.0.0.1:${freePort()}/docket`,
      "PostgreSQL cannot be reached at 127.0.0.1:",
    ],
  ])("the address %s", async (address, sentence) => {
    expect(await refusal(address)).toContain(sentence);
  });

  test("one that is not there, and a user who is not let in", async () => {
    expect(await refusal(good.replace("/good", "/missing"))).toContain(
      "There is no database named missing. Create it with: createdb",
    );
    expect(await refusal(good.replace("docket@", "stranger@"))).toContain(
      "PostgreSQL does not let stranger in.",
    );
  });

  test("another encoding, someone else's tables, and no right to make tables", async () => {
    const latin = await postgres.database("latin", "encoding 'LATIN1' locale 'C'");
    expect(await refusal(latin)).toContain("This database stores text as LATIN1");
    const others = await postgres.database("others");
    await postgres.ask(others, "create table shop (id int)");
    expect(await refusal(others)).toContain("has tables that are not Docket's");
    expect(
      await postgres.ask(others, "select count(*) from pg_tables where schemaname = 'public'"),
    ).toBe("1");
    const guarded = await postgres.database("guarded");
    await postgres.ask(guarded, "create role guest login");
    expect(await refusal(guarded.replace("docket@", "guest@"))).toContain(
      "guest may not create tables in the database guarded.",
    );
  });

  test("one whose commits are not on the disk when they are answered", async () => {
    const careless = await postgres.database("careless");
    await postgres.ask(careless, "alter database careless set synchronous_commit = off");
    expect(await refusal(careless)).toContain("synchronous_commit is off");
  });

  test("one without data, for a command that needs some; and one that a newer version made", async () => {
    const empty = await postgres.database("empty");
    expect(await refusal(empty, "account", "list")).toContain(
      "There are no data in this database.",
    );
    expect(
      await postgres.ask(empty, "select count(*) from pg_tables where schemaname = 'public'"),
    ).toBe("0");
    const newer = await postgres.database("newer");
    await run(
      DOCKET,
      ["account", "add", "ann@example.org", "--password-stdin", "--data", testDirectory()],
      {
        env: { DOCKET_DATABASE: newer },
        input: "correct horse battery",
      },
    );
    await postgres.ask(newer, "update docket set version = version + 1");
    expect(await refusal(newer, "account", "list")).toContain(
      "A newer version of Docket made the tables",
    );
    await postgres.ask(newer, "update docket set version = version - 2");
    expect(await refusal(newer, "account", "list")).toMatch(/older version|no data/);
  });

  test("a standby, and a server that is too old", async () => {
    const standby = await postgres.standby("good");
    expect(await refusal(standby.database)).toContain("This database is a standby,");
    await standby.end();
    // No older server can be had here: this database says that it is one.
    const old = await postgres.database("old");
    await postgres.ask(
      old,
      `create function current_setting(text) returns text language sql as $$ select case $1
        when 'server_version_num' then '140011' when 'server_version' then '14.11'
        else pg_catalog.current_setting($1) end $$;
      alter database old set search_path = public, pg_catalog`,
    );
    expect(await refusal(old)).toContain("PostgreSQL 14.11 is too old. Docket needs version 15");
  });

  test("too few connections, for the server that is to work", async () => {
    const few = await postgres.database("few");
    await postgres.ask(
      few,
      "create role few login connection limit 1; alter database few owner to few",
    );
    expect(await refusal(few.replace("docket@", "few@"), "serve", "--port", "0")).toContain(
      "PostgreSQL has no connection left. A server of Docket needs 11",
    );
  });

  test.skipIf(Bun.which("pgbouncer") === null)("a pooler", async () => {
    const { host, pathname } = new URL(good);
    const [ini, port] = [join(testDirectory(), "pgbouncer.ini"), freePort()];
    await Bun.write(
      ini,
      `[databases]\n${pathname.slice(1)} = host=127.0.0.1 port=${host.split(":")[1]}\n` +
        `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n`,
    );
    chmodSync(dirname(ini), 0o755);
    chmodSync(ini, 0o644);
    const pooler = Bun.spawn(
      ["pgbouncer", ...(process.getuid?.() === 0 ? ["-u", "nobody"] : []), ini],
      {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      },
    );
    const at = good.replace(host, `127.0.0.1:${port}`);
    await until(async () => !(await refusal(at)).includes("cannot be reached"));
    expect(await refusal(at)).toContain(
      "as a pooler does not. Connect Docket to PostgreSQL itself",
    );
    pooler.kill();
    await pooler.exited;
  });

  test("a backup, which PostgreSQL makes itself", async () => {
    expect(await refusal(good, "backup")).toContain(
      "is backed up and restored with its own programs",
    );
    expect(await refusal(good, "restore", "some.db", "--yes")).toContain("run `docket restored`");
  });
});
