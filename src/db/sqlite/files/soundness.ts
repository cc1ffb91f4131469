import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { damaged, hasFile, lostLog } from "./unusable.ts";
import { forgetDamage, wasDamaged, wasStoppedCleanly } from "./clean-stop.ts";
import { hasBrokenLog } from "./log-check.ts";

type Opened = { readonly directory: string; readonly role: "server" | "visitor" };

/** From this size on, in bytes, a start does not wait for the check. */
const LARGE = 64 * 1024 * 1024;

/**
 * Refuses damaged data before anything could change them. Every command checks the log. Only a server, which
 * will go on writing, checks the database, unless the last one stopped cleanly and nothing has touched it since.
 * Returns whether the database is still to be checked: a large one is, while the server works already.
 */
export const checkData = ({ directory, role }: Opened): boolean => {
  const file = join(directory, "docket.db");
  const size = hasFile(file) ? statSync(file).size : 0;
  // A crash at the very first start leaves a journal. SQLite must roll that back before it can read.
  if (size === 0 || existsSync(`${file}-journal`)) return false;
  if (hasBrokenLog(`${file}-wal`)) throw lostLog(directory);
  if (role !== "server" || wasStoppedCleanly(directory)) return false;
  if (size > LARGE && !wasDamaged(directory)) {
    checkSchema(file);
    return true;
  }
  readThrough(file);
  const damage = findDamage(directory);
  if (damage !== null) throw damaged(directory, damage);
  forgetDamage(directory);
  return false;
};

/** Checks the whole database. Returns what is wrong, in words for its owner; null if it is sound. */
export const findDamage = (directory: string): string | null => {
  const found = quickCheck(join(directory, "docket.db"));
  return found === "ok" ? null : `damaged (${found.split("\n").at(-1)})`;
};

/** Throws if the file is no database at all. */
const checkSchema = (file: string): void => {
  using database = new Database(file, { readonly: true });
  tablesOf(database);
};

/**
 * Reads the file from front to back ahead of the check, which would fetch each page separately: ten times as
 * slow from a cold disk. Never call it while this process has the database open: closing any descriptor of a file drops
 * all of a process's locks on it (sqlite.org/howtocorrupt.html, section 2.2), and another process that then opens and
 * closes the database would take the log away.
 */
const readThrough = (file: string): void => {
  const descriptor = openSync(file, "r");
  const bytes = new Uint8Array(1024 * 1024);
  try {
    while (readSync(descriptor, bytes) > 0);
  } finally {
    closeSync(descriptor);
  }
};

/** On a read-only connection: closing a writable one would empty the log. */
const quickCheck = (file: string): string => {
  const database = new Database(file, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const tables = ["sqlite_schema", ...tablesOf(database)];
    return (
      tables.map((table) => checkTable(database, table)).find((found) => found !== "ok") ?? "ok"
    );
  } finally {
    database.close();
  }
};

/**
 * All tables except virtual ones. The tables in which the full-text index stores its words are checked like
 * any other. Checking the index itself would read all words again, which takes several times as long as
 * everything else.
 */
const tablesOf = (database: Database): readonly string[] =>
  database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .all()
    .map(({ name }) => name);

const checkTable = (database: Database, table: string): string => {
  using check = database.prepare<{ quick_check: string }, []>(`PRAGMA quick_check("${table}")`);
  return check.get()?.quick_check.trim() ?? "no answer";
};
