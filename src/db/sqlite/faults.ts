import { Refusal } from "../../domain/base/refusal.ts";

/** Returns SQLite's name for an error, such as `SQLITE_FULL`; empty if the error is not SQLite's. */
export const sqliteCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own.startsWith("SQLITE_") ? own : sqliteCode(error.cause);
};

/** Whether another connection holds the write lock. */
export const isBusy = (error: unknown): boolean => sqliteCode(error).startsWith("SQLITE_BUSY");

/** Whether the file is not a database, or no longer a whole one. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT)/.test(sqliteCode(error));

/** A transaction that may or may not turn out to be stored after the next start. */
export class UnsureCommit extends Error {}

/** Whether earlier writes are now unsure: a sync failed, or a commit failed at its very end. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof UnsureCommit || /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(sqliteCode(error));

const STORAGE = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)/;

/** Whether the storage failed, rather than the program. */
export const isStorageFault = (error: unknown): boolean =>
  isDamaged(error) || sqliteCode(error) === "SQLITE_FULL" || STORAGE.test(sqliteCode(error));

/** Turns a storage failure into a refusal that says so. Returns any other error unchanged. */
export const storageRefusal = (error: unknown): unknown => {
  if (!isStorageFault(error)) return error;
  if (isDamaged(error)) return caused(damaged(), error);
  return caused(sqliteCode(error) === "SQLITE_FULL" ? diskFull() : unwritable(), error);
};

/** Turns a failed read of the storage into a refusal that says so. Returns null for any other error. */
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

/** The refusal for callers whose write may or may not be stored, and for all later ones. */
export const unsure = (cause: unknown): Refusal =>
  caused(
    new Refusal(
      "unavailable",
      "The disk did not confirm the write, so it may or may not have been saved. Check after the server has restarted.",
    ),
    cause,
  );

/**
 * Returns a log line that tells the server's owner what to do about a storage failure, or null for any other
 * error.
 */
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
