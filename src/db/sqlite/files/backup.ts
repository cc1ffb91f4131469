import { UnusableDatabase } from "../../unusable.ts";
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Instant } from "../../../domain/base/instant.ts";
import { carryOver } from "./carry-over.ts";
import { readClock } from "../../records/clock.ts";
import { backupsIn, makeAside, removeLeftovers, RESTORING } from "./aside.ts";
import { nameOfCopy } from "../../copies.ts";
import { type Contents, contentsOf, copyInto, openBackup, openFile } from "./copy.ts";
import { noteFile } from "./lease-file.ts";
import { syncPath } from "./note.ts";
import { type Lock, lockDirectory } from "./lock.ts";
import { ormOf } from "../orm.ts";
import { account, server } from "../../schema/records.ts";
import { changeIn } from "./shipped.ts";
import { checkData } from "./soundness.ts";
import { whyUnusable } from "./unusable.ts";
import { hasBrokenLog } from "./log-check.ts";

/**
 * Writes a complete copy of the data to `file`, and checks it as a restore does. Returns the names of the tables that it
 * left out, because they are not Docket's. A server may be running meanwhile. Copying the files by other means could miss
 * what is still in the log. A copy that a restore would refuse is kept, and reported as an error.
 */
export const writeBackup = (directory: string, file: string): readonly string[] => {
  checkData({ directory, role: "visitor" });
  const source = openFile(join(directory, "docket.db"));
  try {
    const change = changeIn(source);
    const leftOut = copyInto(source, file);
    if (change !== null) throw notRestorable(directory, file, change);
    return leftOut;
  } finally {
    source.close();
  }
};

const notRestorable = (directory: string, file: string, change: string): UnusableDatabase =>
  new UnusableDatabase(
    `The data are copied to ${file}, but \`docket restore\` will refuse this copy: someone has changed ` +
      `${join(directory, "docket.db")}, and ${change}. Undo that change, then make another backup.`,
  );

/** What a restore would replace, and with what. */
export type Replacement = {
  /** Null if there are no data yet. */
  readonly present: Contents | "unreadable" | null;
  readonly backup: Contents | "unreadable";
};

/** Returns what a restore would do, and changes nothing. Refuses what a restore would refuse at the start. */
export const previewRestore = (directory: string, file: string): Replacement => {
  const present = join(directory, "docket.db");
  try {
    if (existsSync(present)) takeLock(directory).release();
    const source = openBackup(file);
    const backup = contentsOf(source);
    source.close();
    const replaced = openPresent(present);
    const found = replaced ? contentsOf(replaced) : existsSync(present) ? "unreadable" : null;
    replaced?.close();
    return { present: found, backup };
  } catch (error) {
    throw whyUnusable(error, directory);
  }
};

/** The outcome of a restore. */
export type Restored = {
  /** Where the previous data are stored; null if there were none. */
  readonly kept: string | null;
  /**
   * Whether everything revoked since the backup could be read from the previous data and was revoked again.
   */
  readonly carried: boolean;
  /** The names of the backup's tables that are not Docket's, and were left out. */
  readonly leftOut: readonly string[];
};

/**
 * Replaces the data with a backup. The previous data stay under `backups/`, and what was revoked in them
 * stays revoked (`carryOver`). The epoch changes, so that devices send everything they hold. The clock
 * continues above every `server_time` ever given out, so that no device misses later writes. Refuses a file whose schema
 * is not Docket's own.
 */
export const restoreBackup = async (
  directory: string,
  file: string,
  now: Instant,
): Promise<Restored> => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = takeLock(directory);
    try {
      removeLeftovers(directory);
      return await putInPlace(directory, file, now);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw whyUnusable(error, directory);
  }
};

const takeLock = (directory: string): Lock => {
  const lock = lockDirectory(directory);
  if ("release" in lock) return lock;
  throw new UnusableDatabase(
    `A Docket server (process ${lock.heldBy}) is using ${directory}. Stop it first.`,
  );
};

const putInPlace = async (directory: string, file: string, now: Instant): Promise<Restored> => {
  const present = join(directory, "docket.db");
  const incoming = join(directory, RESTORING);
  const source = openBackup(file);
  let leftOut: readonly string[];
  try {
    leftOut = copyInto(source, incoming);
  } finally {
    source.close();
  }
  const carried = await startAnew(incoming, present, now);
  const kept = setAside(directory, present, now);
  renameSync(incoming, present);
  syncPath(directory);
  // The epoch is new already, so the next server need not change it.
  noteFile(directory);
  return { kept, carried, leftOut };
};

/**
 * Gives the copy a new epoch, and carries over what must survive from the present data. Returns whether those
 * could be read.
 */
const startAnew = async (file: string, present: string, now: Instant): Promise<boolean> => {
  const database = new Database(file);
  const replaced = openPresent(present);
  try {
    const lease = Math.max(replaced ? await leaseOf(replaced) : 0, now);
    // Later than every `server_time` that was ever given out.
    const values = { lease: sql`max(${server.lease}, ${lease}) + 1`, epoch: Bun.randomUUIDv7() };
    await ormOf(database).update(server).set(values).run();
    await noteRestore(database);
    return replaced ? carryOver(database, replaced) : !existsSync(present);
  } finally {
    replaced?.close();
    database.close();
    syncPath(file);
  }
};

/** Notes which stamps the backup holds: what devices have beyond them was lost. A backup of an old version cannot say. */
const noteRestore = async (database: Database): Promise<void> => {
  const columns = database.query<{ name: string }, []>("PRAGMA table_info(account)").all();
  if (columns.some(({ name }) => name === "restores"))
    await ormOf(database)
      .update(account)
      .set({
        restores: sql`json_insert(coalesce(${account.restores}, '[]'), '$[#]',
          json_object('newest', ${account.hw}, 'from', (SELECT lease FROM server)))`,
      })
      .run();
};

/**
 * Opens the data that will be replaced, for reading. Returns null if there are none or they cannot be opened.
 */
const openPresent = (file: string): Database | null => {
  try {
    return openFile(file);
  } catch {
    return null;
  }
};

/** Returns 0 if the lease cannot be read. */
const leaseOf = async (database: Database): Promise<Instant> => {
  try {
    return (await readClock(ormOf(database), "visitor")).lease;
  } catch {
    return 0;
  }
};

/**
 * Copies the present data, log included, into `backups/`, and also leaves the database in place. The backup then
 * replaces it in one step, so a crash leaves either the old data or the new. Each step is on the disk before the next
 * begins: the copy before anything is removed, and the removal of the log before the backup arrives, because SQLite
 * would replay the old log into it.
 */
const setAside = (directory: string, present: string, now: Instant): string | null => {
  if (!existsSync(present)) return null;
  const kept = join(backupsIn(directory), nameOfCopy("before-restore", now));
  // A damaged log is stored as it is: SQLite would discard the part it cannot read.
  if (!hasBrokenLog(`${present}-wal`)) emptyLog(present);
  // The log first: without it, the copy of the database would look whole.
  for (const suffix of ["-wal", ""]) {
    if (!existsSync(present + suffix)) continue;
    makeAside(kept + suffix, (partial) => copyFileSync(present + suffix, partial));
  }
  for (const suffix of ["-wal", "-shm"]) rmSync(present + suffix, { force: true });
  syncPath(directory);
  return kept;
};

/** Moves what is still in the log into the database, if it can be read at all. */
const emptyLog = (file: string): void => {
  const database = new Database(file);
  let busy = 0;
  try {
    ({ busy } = database.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number });
  } catch {
    // Damaged data are stored as they are, together with the log.
  } finally {
    database.close();
  }
  if (busy !== 0)
    throw new UnusableDatabase(
      `Another Docket command is using ${file}. Nothing was changed. Try again when it has finished.`,
    );
};
