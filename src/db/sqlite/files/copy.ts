import { UnusableDatabase } from "../../unusable.ts";
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { makeAside } from "./aside.ts";
import { isDamaged, isStorageFault } from "../faults.ts";
import { needsMigration } from "./migrate.ts";
import { foreignTables, isShipped } from "./shipped.ts";
import { hasFile, whyUnusable } from "./unusable.ts";
import type { Instant } from "../../../domain/base/instant.ts";

/**
 * Opens a file to be restored, read-only. Refuses one that differs in anything from what Docket makes, before anything in
 * it could run.
 */
export const openBackup = (file: string): Database => open(file, isShipped);

/**
 * Opens one of Docket's databases, of this version or an older one, read-only: closing a writable connection
 * would empty its log.
 */
export const openFile = (file: string): Database => open(file, () => true);

type Look = (database: Database, file: string) => boolean;

const open = (file: string, look: Look): Database => {
  if (!hasFile(file)) throw new UnusableDatabase(`There is no file ${file}. Check the path.`);
  let database: Database | null = null;
  try {
    database = new Database(file, { readonly: true });
    database.run("PRAGMA busy_timeout = 5000");
    if (isDocket(database, file, look)) return database;
  } catch (error) {
    // Even to read one, SQLite needs some space beside it.
    if (error instanceof UnusableDatabase || (isStorageFault(error) && !isDamaged(error))) {
      database?.close();
      throw whyUnusable(error, dirname(file));
    }
  }
  database?.close();
  throw new UnusableDatabase(
    `${file} is not a Docket database. Choose a file that \`docket backup\` made.`,
  );
};

const isDocket = (database: Database, file: string, look: Look): boolean => {
  if (!look(database, file)) return false;
  needsMigration(database);
  return database.query("SELECT 1 FROM server").get() !== null;
};

/**
 * Copies all of Docket's data into a new file, and checks the copy. Returns the names of the tables that it left out,
 * because they are not Docket's. Refuses to overwrite a file. Writes under a temporary name first, so that a half-written
 * copy is never mistaken for a complete one.
 */
export const copyInto = (source: Database, file: string): readonly string[] => {
  if (existsSync(file))
    throw new UnusableDatabase(
      `${file} already exists, and Docket does not overwrite it. Choose another name.`,
    );
  if (!existsSync(dirname(file)))
    throw new UnusableDatabase(`There is no directory ${dirname(file)}. Create it first.`);
  try {
    const foreign = foreignTables(source);
    makeAside(file, (partial) => {
      source.query("VACUUM INTO ?").run(partial);
      leaveOut(partial, foreign);
      checkCopy(partial);
    });
    return foreign;
  } catch (error) {
    throw isDamaged(error) ? notWhole(error) : whyUnusable(error, dirname(file));
  }
};

/**
 * Reads all of a backup, and checks it as a restore does. Returns what it holds. Refuses what a restore would refuse, and
 * what is damaged.
 */
export const verifyBackup = (file: string): Contents | "unreadable" => {
  const source = openBackup(file);
  try {
    const found = integrityOf(source);
    if (found !== "ok") throw new UnusableDatabase(`${file} is damaged (${found}).`);
    return contentsOf(source);
  } finally {
    source.close();
  }
};

const integrityOf = (database: Database): string =>
  (database.query("PRAGMA integrity_check").get() as { readonly integrity_check: string })
    .integrity_check;

/** VACUUM copies the rows of every table as they are, and evaluates nothing that a table declares. */
const leaveOut = (file: string, tables: readonly string[]): void => {
  if (tables.length === 0) return;
  const copy = new Database(file);
  try {
    copy.run("PRAGMA foreign_keys = OFF");
    for (const table of tables) copy.run(`DROP TABLE "${table.replaceAll('"', '""')}"`);
  } finally {
    copy.close();
  }
};

const checkCopy = (file: string): void => {
  const copy = new Database(file);
  try {
    const found = integrityOf(copy);
    if (found !== "ok") throw notWhole(found);
  } finally {
    copy.close();
  }
};

const notWhole = (found: unknown): UnusableDatabase =>
  new UnusableDatabase(
    `The database is damaged (${found instanceof Error ? found.message : found}), so Docket did not copy it. Restore an earlier backup.`,
  );

/** How much data a database holds. */
export type Contents = {
  readonly accounts: number;
  /** Neither deleted nor in the trash. */
  readonly tasks: number;
  /** The instant of the newest change in any account; null if there are none. */
  readonly changedAt: Instant | null;
};

/** Counts what a database of this version or an older one holds, using its indexes only. */
export const contentsOf = (database: Database): Contents | "unreadable" => {
  try {
    return database.query<Contents, []>(COUNTS).get() ?? "unreadable";
  } catch {
    return "unreadable";
  }
};

const COUNTS = `SELECT
  (SELECT count(*) FROM account) AS accounts,
  (SELECT count(*) FROM record WHERE tbl = 'sync_tasks' AND live = 1) AS tasks,
  (SELECT nullif(max(hw), 0) FROM account) AS changedAt`;
