import { Refusal } from "../refusal.ts";

/** SQLite's own name for what went wrong, as `SQLITE_FULL`; empty if it was not SQLite. */
const sqliteCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own.startsWith("SQLITE_") ? own : sqliteCode(error.cause);
};

/** Another connection has the write lock. */
export const isBusy = (error: unknown): boolean => sqliteCode(error).startsWith("SQLITE_BUSY");

/** The file is not a database, or not a whole one any more. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT)/.test(sqliteCode(error));

/** What the storage cannot do right now becomes a refusal that says so; all else stays as it is. */
export const storageRefusal = (error: unknown): unknown => {
  const code = sqliteCode(error);
  const refusal = code === "SQLITE_FULL" ? diskFull() : STORAGE.test(code) ? unavailable() : null;
  if (refusal === null) return error;
  refusal.cause = error;
  return refusal;
};

const STORAGE = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)/;

const diskFull = (): Refusal =>
  new Refusal(
    "disk_full",
    "The server's disk is full: nothing was changed. Free some space and try again.",
  );

const unavailable = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server's storage cannot be written right now: nothing was changed. Try again later.",
    { "retry-after": "5" },
  );
