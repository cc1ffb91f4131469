import type { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { migrate } from "drizzle-orm/bun-sqlite/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { ormOf } from "./orm.ts";

/** The generated SQL: beside `src` when run from source, embedded in the compiled binary. */
const FOLDER = Bun.isStandaloneExecutable
  ? join(import.meta.dir, "drizzle")
  : join(import.meta.dir, "../../drizzle");

/** The database cannot be used by this program; the message says why and what to do. */
export class UnusableDatabase extends Error {}

/**
 * Whether `database` lacks migrations that this program has. Refuses a database that a newer
 * program has changed, or one whose migrations are not those that this program knows.
 */
export const needsMigration = (database: Database): boolean => {
  const known = readMigrationFiles({ migrationsFolder: FOLDER });
  const applied = appliedMigrations(database);
  if (applied.some((hash, index) => known[index]?.hash !== hash))
    throw new UnusableDatabase(
      "The database was made by a newer or another version of docket, and this one will not touch it. " +
        "Run the version that made it, or restore a backup that is as old as this program.",
    );
  return applied.length < known.length;
};

/**
 * Brings the database up to date, after a backup into `backups/` beside it. Foreign keys are off
 * meanwhile: Drizzle rebuilds tables by dropping them, which would empty their children. They are
 * checked after, and no table may have lost rows; else the backup is put back.
 */
export const migrateDatabase = (database: Database, file: string, now: Date): void => {
  const before = countRows(database);
  const backup = before.size === 0 ? null : backUp(database, file, now);
  database.run("PRAGMA foreign_keys = OFF");
  migrate(ormOf(database), { migrationsFolder: FOLDER });
  const broken = database.query("PRAGMA foreign_key_check").all().length;
  const after = countRows(database);
  const lost = [...before].filter(([table, rows]) => (after.get(table) ?? rows) < rows);
  database.run("PRAGMA foreign_keys = ON");
  if (broken === 0 && lost.length === 0) return;
  database.close();
  if (backup) putBack(backup, file);
  throw new UnusableDatabase(
    `The migration would have lost rows, so it was undone${backup ? `; a backup is at ${backup}` : ""}. ` +
      "Go on with the version of docket that you used before, and report this.",
  );
};

const appliedMigrations = (database: Database): readonly string[] => {
  if (!tablesOf(database).includes("__drizzle_migrations")) return [];
  return database
    .query<{ hash: string }, []>("SELECT hash FROM __drizzle_migrations ORDER BY created_at")
    .all()
    .map(({ hash }) => hash);
};

const tablesOf = (database: Database): readonly string[] =>
  database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);

const countRows = (database: Database): ReadonlyMap<string, number> =>
  new Map(
    tablesOf(database).map((table) => [
      table,
      database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${table}"`).get()?.rows ??
        0,
    ]),
  );

const backUp = (database: Database, file: string, now: Date): string => {
  const name = `before-migration-${now.toISOString().replaceAll(/[:.]/g, "-")}.db`;
  const backup = join(dirname(file), "backups", name);
  mkdirSync(dirname(backup), { recursive: true, mode: 0o700 });
  database.query("VACUUM INTO ?").run(backup);
  return backup;
};

const putBack = (backup: string, file: string): void => {
  for (const suffix of ["-wal", "-shm"]) if (existsSync(file + suffix)) rmSync(file + suffix);
  copyFileSync(backup, file);
};
