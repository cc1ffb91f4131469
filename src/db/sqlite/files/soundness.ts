import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { damaged, lostLog } from "./unusable.ts";
import { hasBrokenLog } from "./log-check.ts";

type Checked = {
  readonly directory: string;
  readonly role: "server" | "visitor";
  /** Receives progress lines for the person waiting. */
  readonly say?: (line: string) => void;
};

/** From this size on, in bytes, the check is slow enough to be announced. */
const LARGE = 64 * 1024 * 1024;

/**
 * Refuses damaged data before anything could change them. Every command checks the log; only a server, which
 * will go on writing, checks the database.
 */
export const checkData = ({ directory, role, say }: Checked): void => {
  const file = join(directory, "docket.db");
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // A crash at the very first start leaves a journal. SQLite must roll that back before it can read.
  if (size === 0 || existsSync(`${file}-journal`)) return;
  if (hasBrokenLog(`${file}-wal`)) throw lostLog(directory);
  if (role !== "server") return;
  if (size > LARGE) say?.("Checking the data. This may take a while.");
  readThrough(file);
  const found = quickCheck(file);
  if (found !== "ok") throw damaged(directory, `damaged (${found.split("\n").at(-1)})`);
};

/**
 * Reads the file from front to back ahead of the check, which would fetch each page separately: ten times as
 * slow from a cold disk.
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
