import { Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isDamaged } from "../faults.ts";
import { writeNote } from "../files/note.ts";

// `search.db`: the full-text index of all accounts, made from their records alone.

/** Raise it whenever the tables below, or what `searchText` and `searchable` return, change. */
const VERSION = 2;

/**
 * `state` says which records of an account the index has read: those of this epoch of the data, up to stamp `stamp`, and
 * of that stamp those up to id `last`. `task` numbers an account's tasks in the order in which they changed, within a
 * range of its own (`rangeOf`). `search` is contentless: it holds no text, only where each word is.
 */
const TABLES = [
  `CREATE TABLE state (account INTEGER PRIMARY KEY, epoch TEXT NOT NULL, stamp INTEGER NOT NULL,
     last TEXT NOT NULL) STRICT`,
  `CREATE TABLE task (number INTEGER PRIMARY KEY, account INTEGER NOT NULL, id TEXT NOT NULL,
     UNIQUE (account, id)) STRICT`,
  `CREATE VIRTUAL TABLE search USING fts5(title, tabs, urls, notes, addresses, place, content='', contentless_delete=1,
     tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M* So'")`,
  `PRAGMA user_version = ${VERSION}`,
];

/** `synchronous` may be NORMAL: after a power cut the index lacks its last part, which it then reads again. */
const PRAGMAS = [
  "busy_timeout = 5000",
  "journal_mode = WAL",
  "synchronous = NORMAL",
  "mmap_size = 0",
  "cache_size = -4000",
  "temp_store = MEMORY",
  "journal_size_limit = 4194304",
];

/** The numbers of an account's tasks: the first and the last. Every query is bounded by them. */
export const rangeOf = (accountId: number): readonly [number, number] => [
  accountId * 2 ** 32,
  accountId * 2 ** 32 + 2 ** 32 - 1,
];

export const indexFile = (directory: string): string => join(directory, "search.db");

/** Opens the index for reading and writing. Makes an empty one if there is none, or if it is damaged or of another version. */
export const openIndex = (directory: string): Database => {
  removeOld(directory);
  const file = indexFile(directory);
  const database = isSound(file) ? connect(file) : makeNew(file);
  rmSync(sumFile(file), { force: true });
  return database;
};

/** Opens a database of the server for reading. */
export const openToRead = (file: string): Database => {
  const database = new Database(file, { readonly: true });
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA cache_size = -4000");
  return database;
};

/** Moves everything into the file, closes it and notes that it is whole. */
export const closeIndex = (database: Database): void => {
  const file = database.filename;
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  if (existsSync(file) && sizeOf(`${file}-wal`) === 0) writeNote(sumFile(file), sumOf(file));
};

/** Deletes the index. A process that has it open works on in the deleted file until it checks `fileNumber`. */
export const removeIndex = (directory: string): void => removeFiles(indexFile(directory));

/** The inode of the index's file: another one once the index was deleted and made again, 0 if there is none. */
export const fileNumber = (directory: string): number =>
  statSync(indexFile(directory), { throwIfNoEntry: false })?.ino ?? 0;

/** Whether the index's own structure is damaged. */
export const isWhole = (database: Database): boolean => {
  try {
    database.run("INSERT INTO search (search) VALUES ('integrity-check')");
    return database.query("PRAGMA quick_check").values()[0]?.[0] === "ok";
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
};

/** Whether the pages of the index's file are sound. Changes nothing, and works beside a server. */
export const canReadIndex = (file: string): boolean => {
  try {
    using database = openToRead(file);
    return database.query("PRAGMA quick_check").values()[0]?.[0] === "ok";
  } catch {
    return false;
  }
};

const makeNew = (file: string): Database => {
  removeFiles(file);
  const database = connect(file);
  database.run("BEGIN IMMEDIATE");
  for (const statement of TABLES) database.run(statement);
  database.run("COMMIT");
  return database;
};

const connect = (file: string): Database => {
  const database = new Database(file, { create: true });
  for (const pragma of PRAGMAS) database.run(`PRAGMA ${pragma}`);
  return database;
};

/** Whether the file is as it was closed, or, after a crash, whole as far as SQLite can tell. */
const isSound = (file: string): boolean => {
  if (sizeOf(file) === 0) return false;
  const isAsClosed = sizeOf(`${file}-wal`) === 0 && sumOf(file) === noteOf(file);
  let database: Database | null = null;
  try {
    database = connect(file);
    const version = database.query("PRAGMA user_version").values()[0]?.[0];
    return version === VERSION && (isAsClosed || isWhole(database));
  } catch {
    return false;
  } finally {
    database?.close();
  }
};

const sumFile = (file: string): string => `${file}.sum`;

const noteOf = (file: string): string | null => {
  try {
    return readFileSync(sumFile(file), "utf8");
  } catch {
    return null;
  }
};

/** A digest of the whole file: SQLite itself would not notice a changed word. */
const sumOf = (file: string): string => {
  const hasher = new Bun.CryptoHasher("sha256");
  const bytes = new Uint8Array(1024 * 1024);
  const descriptor = openSync(file, "r");
  try {
    for (let read = readSync(descriptor, bytes); read > 0; read = readSync(descriptor, bytes))
      hasher.update(bytes.subarray(0, read));
    return hasher.digest("hex");
  } finally {
    closeSync(descriptor);
  }
};

/** Earlier versions had a file for each account, in a folder that a directory shared with other programs may have too. */
const OLD = /^\d+(?:-inbox|-f[A-Za-z0-9]+)?\.db(?:\.sum|-wal|-shm)?$/;

const removeOld = (directory: string): void => {
  const folder = join(directory, "search");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (OLD.test(name)) rmSync(join(folder, name));
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
};

const removeFiles = (file: string): void => {
  for (const suffix of [".sum", "-wal", "-shm", ""]) rmSync(file + suffix, { force: true });
};

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
