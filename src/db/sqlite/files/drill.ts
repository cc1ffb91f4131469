import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Instant, SECOND } from "../../../domain/base/instant.ts";
import { UnusableDatabase } from "../../unusable.ts";
import { restoreBackup } from "./backup.ts";
import { type Contents, contentsOf, openFile } from "./copy.ts";
import { foreignTables } from "./shipped.ts";

/** What a drill found: what was restored, how many tables were compared, and how long the restore took, in seconds. */
export type Drill = {
  readonly contents: Contents | "unreadable";
  readonly tables: number;
  readonly seconds: number;
};

/**
 * Restores a backup into a new place beside the data, and compares each table with the backup's, row by row. The place is
 * gone afterwards, and the data stay as they are. Refuses what a restore refuses, and a table that differs.
 */
export const drillBackup = async (
  directory: string,
  file: string,
  now: Instant,
): Promise<Drill> => {
  removeLeft(directory);
  const place = join(directory, `drill-${process.pid}`);
  mkdirSync(place, { mode: 0o700 });
  try {
    const start = performance.now();
    await restoreBackup(place, file, now);
    const seconds = (performance.now() - start) / SECOND;
    const [backup, restored] = [openFile(file), openFile(join(place, "docket.db"))];
    try {
      const tables = tablesOf(backup);
      const differs = tables.find((table) => digestOf(backup, table) !== digestOf(restored, table));
      if (differs !== undefined)
        throw new UnusableDatabase(
          `After a restore of ${file}, the table ${differs} is not what it is in the backup. Report this, and keep the backup.`,
        );
      return { contents: contentsOf(restored), tables: tables.length, seconds };
    } finally {
      backup.close();
      restored.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};

/** What a restore changes by itself: the table of the clock, and which stamps each account had. */
const CHANGED: Readonly<Record<string, string | null>> = { server: null, account: "restores" };

const tablesOf = (database: Database): readonly string[] => {
  const foreign = new Set(foreignTables(database));
  return database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !foreign.has(name) && CHANGED[name] !== null);
};

const digestOf = (database: Database, table: string): string => {
  const columns = database
    .query<{ name: string }, []>(`PRAGMA table_info("${table}")`)
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== CHANGED[table])
    .map((name) => `"${name}"`);
  const digest = new Bun.CryptoHasher("sha256");
  const rows = database.query(`SELECT ${columns.join(", ")} FROM "${table}"`).iterate();
  for (const row of rows)
    for (const value of Object.values(row as Readonly<Record<string, unknown>>))
      digest.update(value instanceof Uint8Array ? value : `${typeof value} ${String(value)}\n`);
  return digest.digest("hex");
};

/** What a drill left that was killed. */
const removeLeft = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    const [, pid] = /^drill-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
