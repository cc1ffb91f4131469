import { UnusableDatabase } from "../../unusable.ts";
import type { Database } from "bun:sqlite";
import { dirname, join } from "node:path";
import { backupsIn, makeAside } from "./aside.ts";
import { nameOfCopy } from "../../copies.ts";
import { rebuildProjections } from "./rebuild.ts";
import { type Migration, readMigrations } from "./migrations.ts";

/** The generated SQL: beside `src` when run from source, embedded in the compiled binary. */
export const FOLDER = Bun.isStandaloneExecutable
  ? join(import.meta.dir, "packed/drizzle")
  : join(import.meta.dir, "../../../../drizzle");

/**
 * Returns whether the database lacks migrations that this program has. Refuses a database that a newer
 * program has changed, or one with migrations that this program does not know.
 */
export const needsMigration = (database: Database, folder = FOLDER): boolean => {
  const known = readMigrations(folder);
  const applied = appliedMigrations(database);
  if (applied.some((hash, index) => known[index]?.hash !== hash))
    throw new UnusableDatabase(
      "A newer or different version of Docket made this database. Nothing was changed. " +
        "Run that version, or restore a backup that this version or an older one made: `docket backups list` names those from before an upgrade.",
    );
  return applied.length < known.length;
};

/**
 * Brings the database up to date, after a backup into `backups/` beside it. Foreign keys are off meanwhile,
 * because Drizzle rebuilds tables by dropping them, which would delete their children. Before the single
 * commit, foreign keys are checked, and no table may have lost rows; otherwise nothing is changed. Projections,
 * which SQL cannot fill, are filled in the same transaction. `say` receives progress
 * lines for the person waiting.
 */
export const migrateDatabase = (
  database: Database,
  file: string,
  now: Date,
  folder = FOLDER,
  say?: (line: string) => void,
): void => {
  const before = countRows(database);
  const backup = before.size === 0 ? null : backUp(database, file, now);
  database.run("PRAGMA foreign_keys = OFF");
  database.run("BEGIN IMMEDIATE");
  try {
    const applied = applyMigrations(database, folder);
    // Once, at the end: the program can only project into the columns of its own version.
    if (applied.some(({ rebuilds }) => rebuilds)) rebuildProjections(database, say);
    if (hasLost(database, before)) throw lossy(backup);
    database.run("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  } finally {
    database.run("PRAGMA foreign_keys = ON");
  }
};

/**
 * Applies the missing migrations, up to the number `until`, and returns them. Drizzle's own migrator commits before anything could be
 * checked. The list it keeps in the database is the same.
 */
export const applyMigrations = (
  database: Database,
  folder: string,
  until?: number,
): readonly Migration[] => {
  database.run(
    "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
  );
  const applied = appliedMigrations(database).length;
  const lacking = readMigrations(folder).slice(applied, until);
  for (const { statements, hash, generatedAt } of lacking) {
    for (const statement of statements) database.run(statement);
    database
      .query("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)")
      .run(hash, generatedAt);
  }
  return lacking;
};

const has = (database: Database, table: string): boolean =>
  database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !==
  null;

const hasLost = (database: Database, before: ReadonlyMap<string, number>): boolean => {
  const after = countRows(database);
  const lost = [...before].some(([table, rows]) => (after.get(table) ?? rows) < rows);
  return lost || database.query("PRAGMA foreign_key_check").all().length > 0;
};

const lossy = (backup: string | null): UnusableDatabase =>
  new UnusableDatabase(
    `The migration would have lost rows, so Docket undid it. ${backup ? `A backup is at ${backup}. ` : ""}` +
      "Go back to the version of Docket that you used before, and report this.",
  );

/** The hashes of the migrations that a database lists, in their order. */
export const appliedMigrations = (database: Database): readonly string[] => {
  if (!has(database, "__drizzle_migrations")) return [];
  return database
    .query<{ hash: string }, []>("SELECT hash FROM __drizzle_migrations ORDER BY created_at")
    .all()
    .map(({ hash }) => hash);
};

/**
 * Without the full-text index: SQLite alone decides how many rows it uses, so their number says nothing about
 * lost data.
 */
const tablesOf = (database: Database): readonly string[] =>
  database
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name != 'sqlite_schema'",
    )
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
  const backup = join(backupsIn(dirname(file)), nameOfCopy("before-migration", now.getTime()));
  makeAside(backup, (partial) => database.query("VACUUM INTO ?").run(partial));
  return backup;
};
