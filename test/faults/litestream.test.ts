import { expect } from "bun:test";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { query, rowsIn, makeCredentials, startServerProcess } from "../support/process.ts";
import { testDirectory } from "../support/server.ts";
import { until } from "../support/replies.ts";
import { testWith } from "../support/faults/needs.ts";

// Litestream copies SQLite's log while a program writes it, and keeps two tables of its own in the database.

testWith(
  ["litestream"],
  "data beside which Litestream and ANALYZE have run are backed up and restored",
  async () => {
    const [data, aside, fresh] = [testDirectory(), testDirectory(), testDirectory()];
    const { key } = await makeCredentials(data);
    const server = await startServerProcess(data);
    const replica = Bun.spawn(
      ["litestream", "replicate", join(data, "docket.db"), `file://${join(aside, "replica")}`],
      { stdout: "ignore", stderr: "ignore" },
    );
    try {
      const made = await fetch(`${server.url()}/api/public/v1/tasks`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ title: "Choose a bicycle" }),
      });
      expect(made.status).toBe(201);
      const theirs = ["_litestream_seq", "_litestream_lock"];
      await until(() => theirs.every((name) => tablesOf(data).includes(name)));
      query(data, "ANALYZE");

      const backup = join(aside, "backup.db");
      expect(await docket(data, "backup", backup)).toEqual({
        code: 0,
        out: `${backup}\n`,
        err:
          "Wrote a complete backup, and checked it as a restore does:\n" +
          `Left out these tables, which are not Docket's: "_litestream_seq", "_litestream_lock", "sqlite_stat1"\n`,
      });
      expect((await docket(fresh, "restore", backup, "--yes")).code).toBe(0);
      expect(rowsIn(fresh)).toEqual(rowsIn(data));
    } finally {
      replica.kill();
      await replica.exited;
      await server.stop("SIGTERM");
    }
    const restored = await startServerProcess(fresh);
    expect(await restored.stop("SIGTERM")).toBe(0);
  },
);

const docket = (directory: string, ...words: readonly string[]) =>
  run(DOCKET, [...words, "--data", directory]);

const tablesOf = (directory: string): readonly string[] =>
  query<{ name: string }>(directory, "SELECT name FROM sqlite_schema").map(({ name }) => name);
