import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile, directoryForTest } from "../support/db/store.ts";
import {
  makeCredentials,
  query,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { overwrite } from "../support/faults/damage.ts";

let server: ServerProcess | null = null;
afterEach(async () => void (await server?.stop("SIGKILL")));

const MIB = 1024 * 1024;

/** A stopped server with more data than a start checks before it serves. */
const largeWorld = async (): Promise<string> => {
  const directory = directoryForTest();
  await makeCredentials(directory);
  query(
    directory,
    `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 75)
     INSERT INTO record (account_id, tbl, id, payload, size, updated, updated_at, changed_at, created_at, created_by,
       title, trashed, live, open, row)
     SELECT 1, 'sync_tasks', 't' || at, '{"x":"' || hex(zeroblob(${MIB / 2})) || '"}', ${MIB}, 0, '', at, 0, 'person',
       '', 0, 1, 1, '{}' FROM n`,
  );
  expect(statSync(databaseFile(directory)).size).toBeGreaterThan(64 * MIB);
  server = await startServerProcess(directory, { log: "json" });
  return directory;
};

const noteOf = (directory: string): string => join(directory, "docket.stopped");
const SOUND = "the last server did not stop cleanly: the data were checked and are sound";
const checked = async (): Promise<void> => {
  while (!saidNow().includes(SOUND)) await Bun.sleep(10);
};
const saidNow = (): string => server?.said() ?? "";
const ready = async (): Promise<number> => (await fetch(`${server?.url()}/healthz`)).status;

test("After a clean stop the data are not checked, and after a kill they are, while the server works", async () => {
  const directory = await largeWorld();
  // The commands that made the data left no note.
  await checked();
  expect(await server?.stop("SIGTERM")).toBe(0);
  expect(existsSync(noteOf(directory))).toBe(true);

  await server?.start();
  expect(existsSync(noteOf(directory))).toBe(false);
  expect(await ready()).toBe(200);
  await Bun.sleep(1_500);
  expect(server?.said()).not.toContain(SOUND);

  await server?.stop("SIGKILL");
  await server?.start();
  expect(await ready()).toBe(200);
  await checked();
});

test.skipIf(!existsSync("/proc/locks"))(
  "The check takes no lock of the server away: another process would remove the log of data that nobody uses",
  async () => {
    const directory = await largeWorld();
    await checked();
    const { ino } = statSync(databaseFile(directory));
    const locks = readFileSync("/proc/locks", "utf8").split("\n");
    expect(
      locks.filter((lock) => new RegExp(` READ +\\d+ \\w+:\\w+:${ino} `).test(lock)),
    ).not.toEqual([]);
  },
);

test("Data that were touched after a clean stop are checked, and a server on damaged ones stops and says so", async () => {
  const directory = await largeWorld();
  await checked();
  await server?.stop("SIGTERM");
  const note = readFileSync(noteOf(directory));
  // A page of an index: nothing reads it at the start.
  overwrite(databaseFile(directory), 9_000);
  writeFileSync(noteOf(directory), note);
  await server?.start();
  expect(await server?.ended()).toBe(1);
  expect(saidNow()).toContain(`${databaseFile(directory)} is damaged (`);
  expect(saidNow()).toContain("The server stopped. Replace it with a backup: docket restore FILE");

  // The next start does not serve them for as long as the check takes.
  const start = () => run(DOCKET, ["serve", "--port", "0", "--data", directory, "--log", "off"]);
  const { code, err } = await start();
  expect([code, err]).toEqual([1, expect.stringContaining("is damaged (")]);
  expect(existsSync(join(directory, "docket.damaged"))).toBe(true);
});
