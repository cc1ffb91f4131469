import type { Database } from "bun:sqlite";
import { Refusal } from "../../domain/base/refusal.ts";

/** SQLite's own name for what went wrong, as `SQLITE_FULL`; empty if it was not SQLite. */
export const sqliteCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own.startsWith("SQLITE_") ? own : sqliteCode(error.cause);
};

/** Another connection has the write lock. */
export const isBusy = (error: unknown): boolean => sqliteCode(error).startsWith("SQLITE_BUSY");

/** The file is not a database, or not a whole one any more. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT)/.test(sqliteCode(error));

/** A transaction that may stand after the next start, or may not. */
class UnsureCommit extends Error {}

/**
 * Commits. Where SQLite says that it failed, nothing stands: the disk was full, or a write failed, and
 * the page that makes it a commit is not whole. All other errors of the storage may come after that page.
 */
export const commitNow = (database: Database): void => {
  try {
    database.query("COMMIT").run();
  } catch (error) {
    const code = sqliteCode(error);
    if (!/^SQLITE_(IOERR|NOMEM)/.test(code) || code === "SQLITE_IOERR_WRITE") throw error;
    throw new UnsureCommit(`COMMIT failed: ${code}`, { cause: error });
  }
};

/** Whether what was written before is unsure now: a sync failed, or a commit at its very end. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof UnsureCommit || /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(sqliteCode(error));

const STORAGE = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)/;

/** Whether it is the storage that failed, and not a program. */
export const isStorageFault = (error: unknown): boolean =>
  isDamaged(error) || sqliteCode(error) === "SQLITE_FULL" || STORAGE.test(sqliteCode(error));

/** What the storage cannot do right now becomes a refusal that says so; all else stays as it is. */
export const storageRefusal = (error: unknown): unknown => {
  if (!isStorageFault(error)) return error;
  if (isDamaged(error)) return caused(damaged(), error);
  return caused(sqliteCode(error) === "SQLITE_FULL" ? diskFull() : unwritable(), error);
};

/** What the storage cannot read becomes a refusal that says so; null for all else. */
export const readRefusal = (error: unknown): Refusal | null => {
  if (!isStorageFault(error)) return null;
  return caused(isDamaged(error) ? damaged() : unreadable(), error);
};

const caused = (refusal: Refusal, cause: unknown): Refusal => {
  refusal.cause = cause;
  return refusal;
};

const LATER = { "retry-after": "5" };

const diskFull = (): Refusal =>
  new Refusal(
    "disk_full",
    "The server's disk is full. Nothing was changed. Free some space and try again.",
  );

const unwritable = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server cannot write to its storage right now. Nothing was changed. Try again later.",
    LATER,
  );

const unreadable = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server cannot read its storage right now. Try again later.",
    LATER,
  );

const damaged = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server's database is damaged. The server's owner must check its log and restore a backup.",
  );

/** For whoever waits for a write that may stand or not, and for all who come later. */
export const unsure = (cause: unknown): Refusal =>
  caused(
    new Refusal(
      "unavailable",
      "The disk did not confirm the write, so it may or may not have been saved. Check after the server has restarted.",
    ),
    cause,
  );

/** A log line that tells the server's owner what to do about a failure; null if it is not a storage failure. */
export const faultLine = (error: unknown): string | null => {
  if (!isStorageFault(error)) return null;
  if (isDamaged(error))
    return "the data are damaged: stop the server, then restore a backup with `docket restore FILE`";
  if (isBusy(error))
    return "another process kept the data locked for too long: find it and stop it";
  return sqliteCode(error) === "SQLITE_FULL"
    ? "the disk is full and nothing can be written: free some space"
    : "the storage failed: check the disk and the system log";
};
