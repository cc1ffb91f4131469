import { Database } from "bun:sqlite";
import { beforeAll, describe, expect } from "bun:test";
import { copyFileSync, existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { migrateDatabase } from "../../src/db/sqlite/files/migrate.ts";
import { dice, seed, times } from "../support/random.ts";
import { newLedger } from "../support/load.ts";
import { makeCredentials } from "../support/process.ts";
import { NOON, testDirectory } from "../support/server.ts";
import { firstMigrations } from "../support/db/migrations.ts";
import {
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  accountFor,
  pushTask,
} from "../support/db/store.ts";
import { type CutOptions, cutEverywhere } from "../support/faults/cuts.ts";
import { cut, type Disk, everything, newDisk, perform } from "../support/faults/disk.ts";
import { testWith } from "../support/faults/needs.ts";
import { recordLives, type Recorded } from "../support/faults/run.ts";
import { writeBackup } from "../../src/db/sqlite/files/backup.ts";
import { runTraced, type Step, serveTraced } from "../support/faults/trace.ts";

const newDirectory = (): string => realpathSync(testDirectory());

/** One kind of loss after a write to the log, which is most of the time; otherwise two. */
const mostlyOne = (step: Step): number =>
  times(step.do === "write" && step.file === "docket.db-wal" ? 1 : 2);

const two = (): number => times(2);

/** Most around the moment at which one file takes another's place. */
const mostAtRenames = (step: Step): number => times(step.do === "rename" ? 20 : 2);

/** Starts and stops a server there, and records what it does to its files. */
const recordStart = async (directory: string): Promise<Recorded> => {
  const before = newDisk(directory);
  const server = await serveTraced(directory, join(newDirectory(), "trace"));
  await server.stop();
  const steps = await server.steps();
  return { disk: () => structuredClone(before), steps, ledger: newLedger() };
};

/** Hashes of the files that are compared, if the disk loses nothing. */
const hashesOf = (disk: Disk): readonly string[] =>
  [...cut(disk, everything)]
    .filter(([name]) => /\.(db|db-wal|lock|lock-journal)$/.test(name))
    .map(([name, bytes]) => `${name} ${bytes.length} ${Bun.hash(bytes)}`)
    .toSorted();

/** Whether the database has this program's last table. */
const isMigrated = (place: string): boolean =>
  ask(place, "SELECT 1 FROM sqlite_schema WHERE name = 'tab_url'").length === 0;

/** What each backup in `backups/` says, or why it says nothing. */
const inBackups = (place: string, sql: string): readonly (readonly [string, string])[] => {
  const backups = join(place, "backups");
  const names = existsSync(backups) ? readdirSync(backups) : [];
  return names
    .filter((name) => name.endsWith(".db"))
    .map((name) => [name, say(join(backups, name), sql)]);
};

const say = (file: string, sql: string): string => {
  try {
    using database = new Database(file, { readonly: true });
    const [found] = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    return found?.integrity_check === "ok"
      ? JSON.stringify(database.query(sql).values().flat())
      : "damaged";
  } catch (error) {
    return String(error);
  }
};

const people = (place: string) => ask(place, "SELECT email FROM account");

/** Tries the cuts and expects no loss. Returns how many were tried. */
const survive = async (
  recorded: Recorded,
  options: Pick<CutOptions, "alsoLost" | "losses">,
): Promise<number> => {
  const chosen = { ...options, place: directoryForTest(), random: dice(seed) };
  const { tried, failures } = await cutEverywhere(recorded, chosen);
  expect({ failures: failures.slice(0, 5), seed }).toEqual({ failures: [], seed });
  return tried;
};

describe("a power cut while people and agents work", () => {
  const directory = newDirectory();
  let recorded: Recorded;

  beforeAll(async () => {
    if (!Bun.which("strace")) return;
    const credentials = await makeCredentials(directory);
    recorded = await recordLives(directory, newDirectory(), credentials, dice(seed));
  });

  testWith(["strace"], "is tried at every moment in the life of the log", async () => {
    const { steps, ledger } = recorded;
    expect(ledger.surprises).toEqual([]);
    // The trace contains every answer.
    const replied = new Set(steps.map((step) => (step.do === "reply" ? step.request : "")));
    expect([...ledger.notes.keys()].filter((request) => !replied.has(request))).toEqual([]);
    const done = steps.map((step) => ("file" in step ? `${step.do} ${step.file}` : step.do));
    const emptied = done.indexOf("write docket.db");
    expect(emptied).toBeGreaterThan(0);
    // Emptied while the server works and written again from the start; then removed at the stop, and created again.
    const removed = done.indexOf("remove docket.db-wal");
    expect(done.slice(emptied, removed)).toContain("write docket.db-wal");
    expect(done.slice(removed)).toContain("open docket.db-wal");
    expect(done.slice(removed)).toContain("reply");
  });

  testWith(["strace"], "is tried on exactly the bytes that the servers wrote", async () => {
    const disk = recorded.disk(true);
    for (const step of recorded.steps) perform(disk, step);
    expect(hashesOf(disk)).toEqual(hashesOf(newDisk(directory)));
  });

  testWith(
    ["strace"],
    "loses no confirmed write, and leaves no push half applied",
    async () => {
      expect(await survive(recorded, { losses: mostlyOne })).toBeGreaterThan(1_000);
    },
    300_000 * times(1),
  );

  testWith(
    ["strace"],
    "loses confirmed writes if the disk only pretends to sync, so the test can detect a loss",
    async () => {
      const { failures } = await cutEverywhere(recorded, {
        place: directoryForTest(),
        random: dice(seed),
        losses: (step) => (step.do === "reply" ? 1 : 0),
        honest: false,
      });
      const said = failures.join("\n");
      expect(said).toContain("was answered in version");
      expect(said).toContain("was filed and is gone");
      expect(said).toContain("is not listed once");
    },
  );
});

describe("a power cut at any moment of a start", () => {
  testWith(
    ["strace"],
    "leaves a first start that can be repeated",
    async () => {
      const recorded = await recordStart(realpathSync(directoryForTest()));
      expect(await survive(recorded, { losses: two })).toBeGreaterThan(100);
    },
    300_000 * times(1),
  );

  testWith(
    ["strace"],
    "leaves the data of an older version either unchanged or migrated",
    async () => {
      const directory = realpathSync(directoryForTest());
      const file = databaseFile(directory);
      const database = new Database(file);
      migrateDatabase(database, file, new Date(NOON), firstMigrations(2));
      database.run(`INSERT INTO account (uid, email, plan, plan_source, created_at, hw)
        VALUES ('a1', 'ann@example.org', 'pro', 'self_hosted', ${NOON}, 0)`);
      database.close();
      const recorded = await recordStart(directory);
      expect(people(directory)).toEqual([{ email: "ann@example.org" }]);
      const alsoLost = (place: string): readonly string[] => [
        ...(people(place).length === 1 ? [] : ["ann is gone"]),
        ...inBackups(place, "SELECT email FROM account")
          .filter(([, said]) => said !== '["ann@example.org"]')
          .map(([name, said]) => `${name} says ${said}`),
        ...(isMigrated(place) && inBackups(place, "SELECT 1").length === 0 ? ["no backup"] : []),
      ];
      expect(await survive(recorded, { losses: two, alsoLost })).toBeGreaterThan(100);
    },
    300_000 * times(1),
  );
});

describe("a power cut at any moment of a restore", () => {
  /** What is lost after t1 was restored in the place of t1 and t2. */
  const lostOf = (place: string): readonly string[] => {
    const present = JSON.stringify(
      ask<{ id: string }>(place, "SELECT id FROM record").map(({ id }) => id),
    );
    const kept = inBackups(place, "SELECT id FROM record");
    return [
      ...(present === OLD || present === RESTORED ? [] : [`the data have ${present}`]),
      ...kept.filter(([, said]) => said !== OLD).map(([name, said]) => `${name} says ${said}`),
      ...(present === RESTORED && kept.length === 0 ? ["what was replaced is gone"] : []),
    ];
  };
  const [OLD, RESTORED] = ['["t1","t2"]', '["t1"]'];

  testWith(
    ["strace"],
    "leaves the data as they were, or the backup in their place and a copy of them",
    async () => {
      const store = await openForTest();
      const ann = await accountFor(store);
      await pushTask(store, ann, "t1", NOON);
      const backup = join(newDirectory(), "copy.db");
      writeBackup(store.directory, backup);
      store.writer.emptyLog(0);
      await pushTask(store, ann, "t2", NOON + 1);
      // As a kill leaves them: t2 is in SQLite's log only.
      const directory = newDirectory();
      for (const name of ["docket.db", "docket.db-wal"])
        copyFileSync(join(store.directory, name), join(directory, name));
      const before = newDisk(directory);
      const words = ["restore", backup, "--yes"];
      const steps = await runTraced(directory, join(newDirectory(), "trace"), words);
      expect(lostOf(directory)).toEqual([]);
      expect(inBackups(directory, "SELECT 1")).toHaveLength(1);
      const recorded = { disk: () => structuredClone(before), steps, ledger: newLedger() };
      expect(await survive(recorded, { losses: mostAtRenames, alsoLost: lostOf })).toBeGreaterThan(
        100,
      );
    },
    300_000 * times(1),
  );
});
