import { Database } from "bun:sqlite";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import type { Instant } from "../instant.ts";
import { readClock } from "./clock.ts";
import { lockDirectory } from "./lock.ts";
import { needsMigration, UnusableDatabase } from "./migrate.ts";
import { ormOf } from "./orm.ts";
import { server } from "./schema.ts";

/**
 * Writes a copy of the data to `file`, whole and checked, while a server may be running. A copy of
 * the files by other means could miss what is still in the log.
 */
export const writeBackup = (directory: string, file: string): void => {
  const source = openFile(join(directory, "docket.db"));
  try {
    copyInto(source, file);
  } finally {
    source.close();
  }
};

/**
 * Puts a backup in the data's place; what was there is kept under `backups/`, whose path is returned
 * (null if there was nothing). The epoch changes, so that devices send all they hold, and the clock
 * goes on above every `server_time` that was ever given out, so that none skips what is written next.
 */
export const restoreBackup = (directory: string, file: string, now: Instant): string | null => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(directory);
  if (!("release" in lock))
    throw new UnusableDatabase(
      `A docket server (process ${lock.heldBy}) uses ${directory}: stop it first.`,
    );
  try {
    const present = join(directory, "docket.db");
    const incoming = join(directory, "docket.db.restoring");
    rmSync(incoming, { force: true });
    const source = openFile(file);
    copyInto(source, incoming);
    source.close();
    startAnew(incoming, Math.max(leaseOf(present), now));
    const kept = setAside(directory, present, now);
    renameSync(incoming, present);
    syncPath(directory);
    return kept;
  } finally {
    lock.release();
  }
};

/** Opens a database of ours, of this version or an older one. */
const openFile = (file: string): Database => {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UnusableDatabase(`There is no database at ${file}.`);
  const database = new Database(file, { readwrite: true, create: false });
  database.run("PRAGMA busy_timeout = 5000");
  if (isDocket(database)) return database;
  throw new UnusableDatabase(`${file} is not a database of docket.`);
};

const isDocket = (database: Database): boolean => {
  try {
    needsMigration(database);
    return database.query("SELECT 1 FROM server").get() !== null;
  } catch (error) {
    if (error instanceof UnusableDatabase) throw error;
    return false;
  }
};

/** Into a file of another name first, so that a half-written copy is never taken for a whole one. */
const copyInto = (source: Database, file: string): void => {
  if (existsSync(file))
    throw new UnusableDatabase(`${file} is there already: it is not written over.`);
  if (!existsSync(dirname(file)))
    throw new UnusableDatabase(`There is no directory ${dirname(file)}.`);
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  source.query("VACUUM INTO ?").run(partial);
  chmodSync(partial, 0o600);
  const copy = new Database(partial);
  const { integrity_check: found } = copy.query("PRAGMA integrity_check").get() as {
    integrity_check: string;
  };
  copy.close();
  if (found !== "ok")
    throw new UnusableDatabase(`The database is damaged (${found}): it was not copied.`);
  syncPath(partial);
  renameSync(partial, file);
  syncPath(dirname(file));
};

const syncPath = (path: string): void => {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** The lease of the data that are to be replaced; 0 if there are none that can be read. */
const leaseOf = (file: string): Instant => {
  if (!existsSync(file)) return 0;
  const database = new Database(file);
  try {
    return readClock(ormOf(database), "visitor").lease;
  } catch {
    return 0;
  } finally {
    database.close();
  }
};

/**
 * Keeps the present data, log included, under a name of their own, and leaves them where they are: the
 * backup then takes their place in one step, so that a crash leaves the one or the other.
 */
const setAside = (directory: string, present: string, now: Instant): string | null => {
  if (!existsSync(present)) return null;
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  const kept = join(directory, "backups", `before-restore-${stamp}.db`);
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
  emptyLog(present);
  for (const suffix of ["-wal", ""]) {
    if (existsSync(present + suffix)) copyFileSync(present + suffix, kept + suffix);
  }
  syncPath(kept);
  for (const suffix of ["-wal", "-shm"]) rmSync(present + suffix, { force: true });
  return kept;
};

/** Moves what is still in the log into the database, if it can be read at all. */
const emptyLog = (file: string): void => {
  const database = new Database(file);
  let busy = 0;
  try {
    ({ busy } = database.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number });
  } catch {
    // Damaged data are kept as they are, the log beside them.
  } finally {
    database.close();
  }
  if (busy !== 0)
    throw new UnusableDatabase(
      `Another docket command uses ${file}: wait for its end. Nothing was changed.`,
    );
};

const startAnew = (file: string, lease: Instant): void => {
  const database = new Database(file);
  const values = { lease: sql`max(${server.lease}, ${lease})`, epoch: Bun.randomUUIDv7() };
  ormOf(database).update(server).set(values).run();
  database.close();
  syncPath(file);
};
