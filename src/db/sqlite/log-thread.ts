import { Database } from "bun:sqlite";
import { isUnsure, sqliteCode } from "./faults.ts";
import type { Moved, ToMover } from "./log.ts";

// Moves SQLite's log into the database on a thread of its own. Its syncs would otherwise hold up the event loop.

declare const self: Worker;

let database: Database | null = null;
/** Set once a sync has failed: another one would then succeed, although pages are lost. */
let failed: Moved = null;

self.addEventListener("message", ({ data }: MessageEvent<ToMover>): void => {
  self.postMessage("move" in data ? move(data.move, data.truncate) : close(), []);
});

const close = (): Moved => {
  database?.close();
  database = null;
  return null;
};

const move = (file: string, truncate: boolean): Moved => {
  if (failed) return failed;
  try {
    database ??= open(file);
    database.query(`PRAGMA wal_checkpoint(${truncate ? "TRUNCATE" : "PASSIVE"})`).get();
    return null;
  } catch (error) {
    const moved = { message: String(error), code: sqliteCode(error) };
    if (isUnsure(error)) failed = moved;
    return moved;
  }
};

/** How long it waits for a transaction to end before it truncates the log, in ms. Moving waits for none. */
const PATIENCE = 200;

const open = (file: string): Database => {
  const opened = new Database(file, { create: true });
  for (const pragma of [
    `busy_timeout = ${PATIENCE}`,
    "synchronous = FULL",
    "wal_autocheckpoint = 0",
  ])
    opened.run(`PRAGMA ${pragma}`);
  return opened;
};
