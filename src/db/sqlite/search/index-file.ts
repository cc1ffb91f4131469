import { Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { writeNote } from "../files/note.ts";

/** The full-text index of one scope: a file of its own, made from an account's records alone. */
export type IndexFile = {
  readonly database: Database;
  /** Moves everything into the file and notes that it is whole. */
  readonly close: () => void;
  /** Closes and deletes it. */
  readonly remove: () => void;
};

/** Raise it whenever the tables below, or what `searchText` and `searchable` return, change. */
const VERSION = 1;

/**
 * `state` says which records the index has read: those of this scope and this epoch of the data, up to stamp `stamp`, and of that stamp those up to id `last`.
 * `task` numbers the tasks in the order in which they changed, so the highest number is the newest change. `search` is
 * contentless: it holds no text, only where each word is.
 */
const TABLES = [
  `CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), epoch TEXT NOT NULL, stamp INTEGER NOT NULL,
     last TEXT NOT NULL) STRICT`,
  "CREATE TABLE task (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT",
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

const folderOf = (directory: string): string => join(directory, "search");

/** Opens the index of this name. Makes an empty one if there is none, or if it is damaged or of another version. */
export const openIndex = (directory: string, name: string): IndexFile => {
  mkdirSync(folderOf(directory), { recursive: true, mode: 0o700 });
  const file = join(folderOf(directory), `${name}.db`);
  const database = isSound(file) ? connect(file) : makeNew(file);
  rmSync(sumFile(file), { force: true });
  return {
    database,
    close: () => closeWhole(database, file),
    remove: () => {
      database.close();
      removeFiles(file);
    },
  };
};

/** Deletes the indexes of all names but these. */
export const sweepIndexes = (directory: string, names: readonly string[]): void => {
  for (const name of indexNames(directory).difference(new Set(names)))
    removeFiles(join(folderOf(directory), `${name}.db`));
};

/** Deletes an account's indexes, even if the search thread has them open: what it then writes is in no directory. */
export const removeIndexes = (directory: string, accountId: number): void => {
  for (const name of indexNames(directory))
    if (name.split("-")[0] === String(accountId))
      removeFiles(join(folderOf(directory), `${name}.db`));
};

/** An index's files, as `scopeName` names them. A directory that Docket shares may hold other databases in a folder `search`. */
const NAMED = /^\d+(?:-inbox|-f[A-Za-z0-9]+)?(?=\.db(?:\.sum|-wal|-shm)?$)/;

const indexNames = (directory: string): Set<string> =>
  existsSync(folderOf(directory))
    ? new Set(readdirSync(folderOf(directory)).flatMap((file) => NAMED.exec(file) ?? []))
    : new Set();

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
  if (sizeOf(`${file}-wal`) === 0 && sumOf(file) === noteOf(file)) return isCurrent(file);
  return isCurrent(file) && isWhole(file);
};

const isCurrent = (file: string): boolean =>
  ask(file, (database) => database.query("PRAGMA user_version").values()[0]?.[0] === VERSION);

const isWhole = (file: string): boolean =>
  ask(file, (database) => {
    database.run("INSERT INTO search (search) VALUES ('integrity-check')");
    return database.query("PRAGMA quick_check").values()[0]?.[0] === "ok";
  });

const ask = (file: string, question: (database: Database) => boolean): boolean => {
  let database: Database | null = null;
  try {
    database = connect(file);
    return question(database);
  } catch {
    return false;
  } finally {
    database?.close();
  }
};

const closeWhole = (database: Database, file: string): void => {
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  if (existsSync(file) && sizeOf(`${file}-wal`) === 0) writeNote(sumFile(file), sumOf(file));
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

const removeFiles = (file: string): void => {
  for (const suffix of [".sum", "-wal", "-shm", ""]) rmSync(file + suffix, { force: true });
};

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
