import { UnusableDatabase } from "../unusable.ts";
import type { Database } from "bun:sqlite";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Instant } from "../../domain/base/instant.ts";
import { type Acks, saveAcks } from "../records/acks.ts";
import { readClock, type ServerClock, settleLease } from "../records/clock.ts";
import { connect } from "./connection.ts";
import { faultLine, readRefusal } from "./faults.ts";
import { startWriter } from "./writer.ts";
import { SHARES, type Shares } from "../history/grow.ts";
import { removeLeftovers } from "./files/aside.ts";
import { type Lock, lockDirectory } from "./files/lock.ts";
import { migrateDatabase, needsMigration } from "./files/migrate.ts";
import { ormOf } from "./orm.ts";
import { shareReads } from "./shared-reads.ts";
import type { Writer } from "../writer.ts";
import { openLeaseFile } from "./files/lease-file.ts";
import { type BackgroundCheck, type Checked, checkInBackground } from "./files/background-check.ts";
import { forgetCleanStop, noteCleanStop, noteDamage } from "./files/clean-stop.ts";
import { checkData } from "./files/soundness.ts";
import { foundDamaged, hasFile, whyUnusable } from "./files/unusable.ts";
import { startSearcher } from "./search/searcher.ts";
import { keepWal, NO_KEEPER } from "./log.ts";
import { transactOn } from "../transact.ts";
import type { Store } from "../store.ts";
import { noteRestored } from "../restored.ts";

export type OpenOptions = {
  /** Created with mode 0700 if it does not exist. */
  readonly directory: string;
  /** A directory has one server at a time; commands open it beside the server as visitors. */
  readonly role: ServerClock["role"];
  /** The address of a PostgreSQL database that keeps the data instead; null or left out for the embedded one. */
  readonly database?: string | null;
  /** Of servers on one PostgreSQL database, one works: called if this one waits, and if it may no longer work. */
  readonly onWait?: () => void;
  readonly onLost?: () => void;
  /** Whether it has worked on that database before: then it waits until that can be reached. */
  readonly isAgain?: boolean;
  readonly now: Instant;
  /** Refuses a directory without data instead of creating it. */
  readonly mustExist?: boolean;
  /** How many bytes an account's records may take up. Without it, there is no limit. */
  readonly quota?: number | null;
  /** How much history there is room for; see `SHARES` for what it is without this. */
  readonly shares?: Shares;
  /** Receives progress lines for the person waiting for the start. */
  readonly say?: (line: string) => void;
  /** Called when the disk did not confirm a write; must end the process. See `WriterOptions`. */
  readonly onFatal?: (cause: unknown) => void;
  /**
   * Called with the result of a check that was made in the background, after an unclean stop. For data that are damaged,
   * `problem` says what to do.
   */
  readonly onChecked?: (result: Checked, problem: UnusableDatabase | null) => void;
};

const FILE = "docket.db";
const OURS = /^(docket\.|search\.db|(backups|search|uploads)$)/;

/**
 * Opens the data directory and migrates it if necessary. Throws `UnusableDatabase`, whose message says what
 * to do.
 */
export const openStore = async (options: OpenOptions): Promise<Store> => {
  let lock: Lock | null = null;
  try {
    // The program does this at its start; here it covers callers that open a store directly.
    process.umask(0o077);
    prepareDirectory(options);
    if (options.role === "server") {
      lock = takeLock(options.directory);
      removeLeftovers(options.directory);
    }
    return await openData(options, lock);
  } catch (error) {
    lock?.release();
    throw whyUnusable(error, options.directory);
  }
};

const openData = async (options: OpenOptions, lock: Lock | null): Promise<Store> => {
  const { directory, role, onFatal } = options;
  const file = join(directory, FILE);
  const unchecked = checkData(options);
  if (role === "server") forgetCleanStop(directory);
  const database = connect(file);
  chmodSync(file, 0o600);
  if (needsMigration(database)) upgrade(database, options, lock);
  const reader = connect(file);
  reader.run("PRAGMA query_only = ON");
  const orm = ormOf(database);
  const clock = await readClock(orm, role);
  // The writer waits on a timer instead, so that another process's lock does not block the event loop.
  database.run("PRAGMA busy_timeout = 0");
  const wal = role === "server" ? keepWal(database, file) : NO_KEEPER;
  const reads = ormOf(reader);
  const sharedReads = shareReads(reader, database);
  const writer = startWriter(database, orm, clock, { wal, onFatal, sharedReads });
  const acks: Acks = new Map();
  const searcher = startSearcher(directory);
  const check = unchecked ? watchCheck(options) : null;
  const leaseFile = role === "server" ? openLeaseFile(database, directory, clock.lease) : null;
  const close = async (): Promise<void> => {
    check?.end();
    await searcher.close();
    await writer.drain();
    await wal.end();
    leaseFile?.loosen();
    const settled = role === "server" && (await settle(writer, clock, acks));
    leaseFile?.end((await readClock(orm, role)).lease);
    sharedReads.leave();
    reader.close();
    database.close();
    const isSound = check === null || (await check.result).state === "sound";
    if (settled && isSound) noteCleanStop(directory);
    lock?.release();
  };
  const { quota = null, shares = SHARES } = options;
  const transaction = transactOn(writer, acks, quota, shares);
  const store: Store = {
    directory,
    reader: reads,
    writer,
    searcher,
    transaction,
    clock,
    quota,
    shares,
    acks,
    faults: { refusal: readRefusal, line: faultLine },
    close,
  };
  if (leaseFile?.isFromElsewhere) {
    await noteRestored(store, Math.max(clock.lease, leaseFile.left, options.now) + 1);
    options.say?.(
      "These data were not left here by a server: they were moved or restored. Each device sends what it holds when it syncs next.",
    );
  }
  leaseFile?.follow(clock);
  return store;
};

/**
 * Lowers the lease as far as possible and moves the whole log into the database file, for people who copy
 * that file. SQLite does not do the latter itself while statements are still prepared. Returns whether both were done.
 */
const settle = async (writer: Writer, clock: ServerClock, acks: Acks): Promise<boolean> => {
  try {
    await writer.write(async (tx) => {
      await settleLease(tx.orm, clock);
      await saveAcks(tx, acks);
    });
    writer.emptyLog(0);
    return true;
  } catch {
    // Neither step is essential: without them the data are as safe as after a crash.
    return false;
  }
};

/** Checks the data while the server works, and passes the result on. */
const watchCheck = ({ directory, onChecked }: OpenOptions): BackgroundCheck => {
  const check = checkInBackground(directory);
  void check.result.then((result) => {
    const isDamaged = result.state === "damaged";
    if (isDamaged) noteDamage(directory, result.damage);
    onChecked?.(result, isDamaged ? foundDamaged(directory, result.damage) : null);
  });
  return check;
};

const takeLock = (directory: string): Lock => {
  const lock = lockDirectory(directory);
  if ("release" in lock) return lock;
  throw new UnusableDatabase(
    `Another Docket server (process ${lock.heldBy}) is using ${directory}. ` +
      "Stop it first, or choose another directory with --data.",
  );
};

/**
 * Makes the directory private to its owner, unless it also holds other files: Docket must not change access
 * to those. With `mustExist`, a mistyped directory is an error and is not created.
 */
const prepareDirectory = ({ directory, mustExist = false }: OpenOptions): void => {
  if (mustExist && !hasFile(join(directory, FILE)))
    throw new UnusableDatabase(
      `There are no data in ${directory}. Check the path. For new data, start the server there or run \`docket account add EMAIL\`.`,
    );
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).every((name) => OURS.test(name))) chmodSync(directory, 0o700);
};

/** Migrates the database while no other server runs. */
const upgrade = (
  database: Database,
  { directory, now, say }: OpenOptions,
  held: Lock | null,
): void => {
  const lock = held ?? takeLock(directory);
  // Another command may have migrated it while this one waited for the lock.
  if (needsMigration(database))
    migrateDatabase(database, join(directory, FILE), new Date(now), undefined, say);
  if (!held) lock.release();
};
