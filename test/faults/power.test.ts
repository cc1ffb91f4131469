import { Database } from "bun:sqlite";
import { beforeAll, describe, expect } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { migrateDatabase } from "../../src/db/sqlite/files/migrate.ts";
import { seed, times } from "../support/histories.ts";
import { newLedger } from "../support/load.ts";
import { makeCredentials } from "../support/process.ts";
import { dice } from "../support/random.ts";
import { NOON, testDirectory } from "../support/server.ts";
import { firstMigrations } from "../db/_migrations.ts";
import { ask, databaseFile, directoryForTest } from "../db/_store.ts";
import { type CutOptions, cutEverywhere } from "./_cuts.ts";
import { cut, type Disk, everything, newDisk, perform } from "./_disk.ts";
import { testWith } from "./_needs.ts";
import { recordLives, type Recorded } from "./_run.ts";
import { type Deed, serveTraced } from "./_trace.ts";

const newDirectory = (): string => realpathSync(testDirectory());

/** One loss while the log is written, which is most of the time; else all four. */
const mostlyOne = (deed: Deed): number =>
  times(deed.do === "write" && deed.file === "docket.db-wal" ? 1 : 4);

const two = (): number => times(2);

/** Starts and stops a server there, and looks at what it does. */
const recordStart = async (directory: string): Promise<Recorded> => {
  const before = newDisk(directory);
  const server = await serveTraced(directory, join(newDirectory(), "trace"));
  await server.stop();
  const deeds = await server.deeds();
  return { disk: () => structuredClone(before), deeds, ledger: newLedger() };
};

/** What the disk holds of the files that are looked at, if nothing of it is lost. */
const hashesOf = (disk: Disk): readonly string[] =>
  [...cut(disk, everything)]
    .filter(([name]) => /\.(db|db-wal|lock|lock-journal)$/.test(name))
    .map(([name, bytes]) => `${name} ${bytes.length} ${Bun.hash(bytes)}`)
    .toSorted();

const people = (place: string) => ask(place, "SELECT email FROM account");

/** Tries the cuts, finds nothing lost, and returns how many were tried. */
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
  }, 60_000);

  testWith(["strace"], "comes at every moment of the log's life", async () => {
    const { deeds, ledger } = recorded;
    expect(ledger.surprises).toEqual([]);
    // Every answer is found in the trace, at its moment.
    const replied = new Set(deeds.map((deed) => (deed.do === "reply" ? deed.request : "")));
    expect([...ledger.notes.keys()].filter((request) => !replied.has(request))).toEqual([]);
    const done = deeds.map((deed) => ("file" in deed ? `${deed.do} ${deed.file}` : deed.do));
    const emptied = done.indexOf("write docket.db");
    expect(emptied).toBeGreaterThan(0);
    // Emptied at work, and written anew from its beginning; then removed at the stop, and made again.
    const removed = done.indexOf("remove docket.db-wal");
    expect(done.slice(emptied, removed)).toContain("write docket.db-wal");
    expect(done.slice(removed)).toContain("open docket.db-wal");
    expect(done.slice(removed)).toContain("reply");
  });

  testWith(["strace"], "is tried on the very bytes that the servers wrote", async () => {
    const disk = recorded.disk(true);
    for (const deed of recorded.deeds) perform(disk, deed);
    expect(hashesOf(disk)).toEqual(hashesOf(newDisk(directory)));
  });

  testWith(
    ["strace"],
    "loses nothing that was answered, and leaves no push by half",
    async () => {
      expect(await survive(recorded, { losses: mostlyOne })).toBeGreaterThan(1_000);
    },
    120_000 * times(1),
  );

  testWith(
    ["strace"],
    "loses answered work where the disk only pretends to sync, so a loss would be seen",
    async () => {
      const { failures } = await cutEverywhere(recorded, {
        place: directoryForTest(),
        random: dice(seed),
        losses: (deed) => (deed.do === "reply" ? 1 : 0),
        honest: false,
      });
      const said = failures.join("\n");
      expect(said).toContain("was answered in version");
      expect(said).toContain("was filed and is gone");
      expect(said).toContain("is not listed once");
    },
    60_000,
  );
});

describe("a power cut at any moment of a start", () => {
  testWith(
    ["strace"],
    "leaves a first start that can be made again",
    async () => {
      const recorded = await recordStart(realpathSync(directoryForTest()));
      expect(await survive(recorded, { losses: two })).toBeGreaterThan(100);
    },
    60_000 * times(1),
  );

  testWith(
    ["strace"],
    "leaves an older version's data as they were, or migrated",
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
      const alsoLost = (place: string) => (people(place).length === 1 ? [] : ["ann is gone"]);
      expect(await survive(recorded, { losses: two, alsoLost })).toBeGreaterThan(100);
    },
    60_000 * times(1),
  );
});
