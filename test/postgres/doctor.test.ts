import { beforeAll, expect, test } from "bun:test";
import { freePort, onPostgres, usePostgres } from "../support/postgres.ts";
import { DOCKET } from "../support/docket.ts";
import { FAKETIME, testWith } from "../support/faults/needs.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

type Finding = { readonly about: string; readonly state: string; readonly found: string };

onPostgres("docket doctor, for a database of PostgreSQL,", () => {
  const postgres = usePostgres(["max_connections=25"]);
  let database: string;
  beforeAll(async () => {
    // As the guide says: the owner of the database, and of nothing else.
    const made = await postgres.database("docket");
    await postgres.ask(made, "create role plain login");
    await postgres.ask(made, "alter database docket owner to plain");
    database = made.replace("docket@", "plain@");
    const env = { DOCKET_DATABASE: database };
    await run(DOCKET, ["account", "add", "ann@example.org", "--data", testDirectory()], { env });
    await postgres.ask(database, "update account set owner = 1");
  });

  const doctor = async (address = database, env: Readonly<Record<string, string>> = {}) => {
    const words = ["doctor", "--json", "--data", testDirectory(), "--port", "9"];
    const { out } = await run(DOCKET, words, { env: { DOCKET_DATABASE: address, ...env } });
    const found = (JSON.parse(out) as readonly Finding[]).filter(
      // No server runs.
      ({ about, state }) => state !== "ok" && about !== "server",
    );
    return { found, wrong: found.map(({ about, state }) => `${state}: ${about}`) };
  };

  test("finds nothing wrong with a sound one", async () => {
    expect((await doctor()).wrong).toEqual([]);
  });

  test("finds one that is not there, and one without data", async () => {
    const nobody = await doctor(`postgres://docket@127.0.0.1:${freePort()}/docket`);
    expect(nobody.wrong).toEqual(["problem: database"]);
    expect(nobody.found[0]?.found).toContain("PostgreSQL cannot be reached at 127.0.0.1:");
    const empty = await doctor(await postgres.database("empty"));
    expect(empty.wrong).toEqual(["problem: database"]);
    expect(empty.found[0]?.found).toContain("There are no data in this database.");
  });

  test("finds that hardly a connection is left", async () => {
    const all = postgres.address("docket");
    const busy = Array.from({ length: 15 }, () =>
      Bun.spawn(["psql", "-qAtX", all, "-c", "select 'busy', pg_sleep(600)"], {
        stdout: "ignore",
        stderr: "ignore",
      }),
    );
    const sql = "select count(*) from pg_stat_activity where query like '%busy%pg_sleep%'";
    while (Number(await postgres.ask(all, sql)) < 16) await Bun.sleep(50);
    expect((await doctor()).wrong).toEqual(["note: connections"]);
    for (const one of busy) one.kill();
    await postgres.ask(
      all,
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%busy%' and pid <> pg_backend_pid()",
    );
  });

  test("finds data that go over the network in the clear", async () => {
    // Another way to write 127.0.0.1, which does not look like this machine.
    const { wrong } = await doctor(database.replace("127.0.0.1", "2130706433"));
    expect(wrong).toEqual(["problem: encryption"]);
  });

  test("finds a standby that may lack what was answered", async () => {
    const standby = await postgres.standby("docket");
    expect((await doctor()).wrong).toEqual(["problem: standby"]);
    await standby.end();
  });

  testWith(["faketime"], "finds clocks that are apart", async () => {
    const env = { LD_PRELOAD: FAKETIME ?? "", FAKETIME: "+3h" };
    expect((await doctor(database, env)).wrong).toContain("problem: clocks");
  });
});
