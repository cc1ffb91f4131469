import { Database } from "bun:sqlite";
import { describe, expect } from "bun:test";
import { existsSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { migrateDatabase } from "../../src/db/sqlite/files/migrate.ts";
import { startServerProcess } from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { plainEnvironment, run } from "../support/program.ts";
import { NOON } from "../support/server.ts";
import { firstMigrations } from "../support/db/migrations.ts";
import { ask, databaseFile, directoryForTest } from "../support/db/store.ts";
import { MOUNT, testWith } from "../support/faults/needs.ts";
import { filesIn, mountStorage } from "../support/faults/storage.ts";

const MB = 1024 * 1024;

/** Data of an older version: ann, and calls that take so many bytes. */
const makeOldData = (directory: string, bytes: number): void => {
  const file = databaseFile(directory);
  const database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  migrateDatabase(database, file, new Date(NOON), firstMigrations(2));
  database.run(`INSERT INTO account (uid, email, plan, plan_source, created_at, hw)
    VALUES ('a1', 'ann@example.org', 'pro', 'self_hosted', ${NOON}, 0)`);
  database.run(`WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted
    WHERE n < ${Math.floor(bytes / 4_000)})
    INSERT INTO activity (account_id, key_id, at, method, route, status, client, took_token, count)
    SELECT 1, 'k1', ${NOON} - n, 'GET', '/r', 200, hex(randomblob(1800)), 1, 1 FROM counted`);
  database.close();
};

/** The names in `backups/`, apart from the copies that are whole and hold ann. */
const notWhole = (directory: string): readonly string[] => {
  const backups = join(directory, "backups");
  const names = existsSync(backups) ? readdirSync(backups) : [];
  return names.filter((name) => !name.endsWith(".db") || !holdsAnn(join(backups, name)));
};

const holdsAnn = (file: string): boolean => {
  try {
    using database = new Database(file, { readonly: true });
    const sound = database.query("PRAGMA integrity_check").values().flat()[0] === "ok";
    return sound && database.query("SELECT email FROM account").values().length === 1;
  } catch {
    return false;
  }
};

/** Starts a server, and kills it once it has begun to write a file into `backups/`. */
const killWhileItCopies = async (directory: string): Promise<void> => {
  const backups = join(directory, "backups");
  const words = ["serve", "--port", "0", "--data", directory, "--log", "off"];
  const child = Bun.spawn([...DOCKET, ...words], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const hasBegun = (): boolean =>
    existsSync(backups) &&
    readdirSync(backups).some(
      (name) => (statSync(join(backups, name), { throwIfNoEntry: false })?.size ?? 0) > 2 * MB,
    );
  while (child.exitCode === null && !hasBegun()) await Bun.sleep(1);
  child.kill("SIGKILL");
  await child.exited;
};

describe("a start that migrates the data", () => {
  testWith([], "leaves no half-made backup if it is killed while it makes one", async () => {
    const directory = realpathSync(directoryForTest());
    makeOldData(directory, 60 * MB);
    const before = filesIn(directory);
    await killWhileItCopies(directory);
    expect(filesIn(directory)).toEqual(before);
    const left = notWhole(directory);
    expect(left).not.toEqual([]);
    expect(left.filter((name) => name.endsWith(".db"))).toEqual([]);

    const server = await startServerProcess(directory);
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(readdirSync(join(directory, "backups"))).toHaveLength(1);
    expect(notWhole(directory)).toEqual([]);
    expect(ask(directory, "SELECT email FROM account")).toEqual([{ email: "ann@example.org" }]);
  });

  testWith(MOUNT, "leaves no half-made backup if the disk is full, and says so", async () => {
    const { directory } = mountStorage(24);
    makeOldData(directory, 8 * MB);
    const before = filesIn(directory);
    const ballast = join(dirname(directory), "ballast");
    writeFileSync(ballast, new Uint8Array(8 * MB));
    expect(
      await run(DOCKET, ["serve", "--port", "0", "--data", directory, "--log", "off"]),
    ).toEqual({
      code: 1,
      out: "",
      err:
        `docket: The disk is full, so Docket cannot write in ${directory}. ` +
        "Free some space there, and try again.\n",
    });
    expect(filesIn(directory)).toEqual(before);
    expect(readdirSync(join(directory, "backups"))).toEqual([]);
    rmSync(ballast);
    const server = await startServerProcess(directory);
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(readdirSync(join(directory, "backups"))).toHaveLength(1);
    expect(notWhole(directory)).toEqual([]);
  });

  testWith([], "removes what was left half-made, and nothing else", async () => {
    const directory = realpathSync(directoryForTest());
    makeOldData(directory, 0);
    const at = "2026-03-04T12-00-00-000Z";
    const leftovers = [
      "docket.db.restoring",
      "docket.db.restoring-journal",
      "docket.db.restoring.partial",
      `backups/before-migration-${at}.db.partial`,
      `backups/before-migration-${at}.db.partial-journal`,
      `backups/before-restore-${at}.db.partial`,
      `backups/before-restore-${at}.db-wal.partial`,
    ];
    const others = [
      `backups/before-restore-${at}.db`,
      `backups/before-restore-${at}.db-wal`,
      "backups/mine.db.partial",
      "docket.db.old",
    ];
    for (const name of [...others, ...leftovers]) await Bun.write(join(directory, name), "x");
    const server = await startServerProcess(directory);
    await server.stop("SIGTERM");
    const isThere = (name: string): boolean => existsSync(join(directory, name));
    expect(leftovers.filter(isThere)).toEqual([]);
    expect(others.filter(isThere)).toEqual(others);
  });
});
