import type { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Instant } from "../domain/base/instant.ts";
import { type Acks, saveAcks } from "./records/acks.ts";
import { readClock, type ServerClock, settleLease } from "./records/clock.ts";
import { connect } from "./sqlite/connection.ts";
import { startWriter } from "./sqlite/group-commit.ts";
import { type Lock, lockDirectory } from "./sqlite/files/lock.ts";
import { migrateDatabase, needsMigration, UnusableDatabase } from "./sqlite/files/migrate.ts";
import { type Orm, ormOf } from "./sqlite/orm.ts";
import { checkData } from "./sqlite/files/soundness.ts";
import { shareReads } from "./sqlite/shared-reads.ts";
import { whyUnusable } from "./sqlite/files/unusable.ts";
import { keepWal, NO_KEEPER } from "./sqlite/log.ts";
import { transactOn } from "./sqlite/transact.ts";
import type { Writer } from "./sqlite/transaction.ts";
import type { Transact } from "./transaction.ts";

/** The open data directory, as every function of `db/` takes it first. */
export type Store = {
  readonly directory: string;
  /** A connection of its own for reads, which never wait for a commit. */
  readonly reader: Orm;
  readonly writer: Writer;
  /** Does a job of an account's in a transaction of its own. */
  readonly transaction: Transact;
  readonly clock: ServerClock;
  /** What sessions are known to have stored. */
  readonly acks: Acks;
  /** Commits what was handed in, settles the lease if this was the server, and lets go of all. */
  close(): Promise<void>;
};

export type OpenOptions = {
  /** Made with mode 0700 if it is not there. */
  readonly directory: string;
  /** One server at a time has a directory; commands come and go beside it as visitors. */
  readonly role: ServerClock["role"];
  readonly now: Instant;
  /** Refuses a directory without data, which would be made otherwise. */
  readonly mustExist?: boolean;
  /** A line for whoever waits for the start. */
  readonly say?: (line: string) => void;
  /** Must end the process: the disk did not confirm what was written. See `WriterOptions`. */
  readonly onFatal?: (cause: unknown) => void;
};

const FILE = "docket.db";
const OURS = /^(docket\.|backups$)/;

/** Opens the data directory, migrating it if need be. Throws `UnusableDatabase` with what to do. */
export const openStore = (options: OpenOptions): Store => {
  let lock: Lock | null = null;
  try {
    // As the program does at its start: for those who open a store without it.
    process.umask(0o077);
    prepareDirectory(options);
    if (options.role === "server") lock = takeLock(options.directory);
    return openData(options, lock);
  } catch (error) {
    lock?.release();
    throw whyUnusable(error, options.directory);
  }
};

const openData = (options: OpenOptions, lock: Lock | null): Store => {
  const { directory, role, onFatal } = options;
  const file = join(directory, FILE);
  checkData(options);
  const database = connect(file);
  chmodSync(file, 0o600);
  if (needsMigration(database)) upgrade(database, options, lock);
  const reader = connect(file);
  reader.run("PRAGMA query_only = ON");
  const orm = ormOf(database);
  const clock = readClock(orm, role);
  // The writer waits on a timer instead, so that another process's lock stops nobody here.
  if (role === "server") database.run("PRAGMA busy_timeout = 0");
  const wal = role === "server" ? keepWal(database, file) : NO_KEEPER;
  const reads = ormOf(reader);
  const sharedReads = shareReads(reads, database);
  const writer = startWriter(database, orm, clock, { wal, onFatal, sharedReads });
  const acks: Acks = new Map();
  const close = async (): Promise<void> => {
    await writer.drain();
    if (role === "server") await settle(writer, clock, acks);
    sharedReads.leave();
    reader.close();
    database.close();
    lock?.release();
  };
  const transaction = transactOn(writer, acks);
  return { directory, reader: reads, writer, transaction, clock, acks, close };
};

/**
 * Leaves the lease as low as it may be, and all in one file for those who copy it: SQLite would see
 * to that itself, but for the statements that are still prepared.
 */
const settle = async (writer: Writer, clock: ServerClock, acks: Acks): Promise<void> => {
  try {
    await writer.write((tx) => {
      settleLease(tx.orm, clock);
      saveAcks(tx, acks);
    });
    writer.emptyLog(0);
  } catch {
    // Neither must be done: the data are then as safe as after a crash.
  }
};

const takeLock = (directory: string): Lock => {
  const lock = lockDirectory(directory);
  if ("release" in lock) return lock;
  throw new UnusableDatabase(
    `Another docket server (process ${lock.heldBy}) uses ${directory}. ` +
      "Stop it first, or give this one another directory with --data.",
  );
};

/**
 * The directory is its owner's alone; but one that holds other things too is not ours to close. A
 * visitor that is to work on data does not make them: a mistyped directory is an error.
 */
const prepareDirectory = ({ directory, mustExist = false }: OpenOptions): void => {
  if (mustExist && !existsSync(join(directory, FILE)))
    throw new UnusableDatabase(
      `There are no data in ${directory}. Start the server there, or make an account: docket account add EMAIL.`,
    );
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).every((name) => OURS.test(name))) chmodSync(directory, 0o700);
};

/** Brings the database up to date, alone: another server must not run meanwhile. */
const upgrade = (
  database: Database,
  { directory, now, say }: OpenOptions,
  held: Lock | null,
): void => {
  const lock = held ?? takeLock(directory);
  // Another command may have done it while this one waited.
  if (needsMigration(database))
    migrateDatabase(database, join(directory, FILE), new Date(now), undefined, say);
  if (!held) lock.release();
};
