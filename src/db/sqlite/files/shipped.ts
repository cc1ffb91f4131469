import { Database } from "bun:sqlite";
import { isInstant } from "../../../domain/base/instant.ts";
import {
  appliedMigrations,
  applyMigrations,
  FOLDER,
  needsMigration,
  UnusableDatabase,
} from "./migrate.ts";
import { readMigrations } from "./migrations.ts";

/** A table, index, view or trigger, as SQLite's own list of them has it. */
type Part = { readonly type: string; readonly name: string; readonly sql: string | null };

/** Each part, "table record" for one, with the text that made it. */
type Schema = ReadonlyMap<string, string | null>;

const MIGRATIONS = "table __drizzle_migrations";
const MAX_SHOWN = 100;

/**
 * Returns whether a database is Docket's. Refuses one whose schema differs in anything from what this version makes or
 * migrates, or does not fit the migrations that the file lists, or whose clock no server could read. Refuses one that a
 * newer version made. A trigger or a view in a backup would run inside Docket: it could turn a token that someone knows
 * into a session, or never end. Reads SQLite's own list of tables first, so nothing in the file runs. `file` is the name
 * for the message.
 */
export const isShipped = (database: Database, file: string): boolean => {
  const found = partsOf(database);
  if (!found.has("table server") || !found.has(MIGRATIONS)) return false;
  const shipped = shippedSchemas();
  const foreign = [...found].find(([part, sql]) => !shipped.some((one) => one.get(part) === sql));
  // A newer version's own message, once its list of migrations is known to be a plain table.
  if (shipped.some((one) => one.get(MIGRATIONS) === found.get(MIGRATIONS)))
    needsMigration(database);
  if (foreign) throw changed(file, `its ${shown(foreign[0])} is not as Docket made it`);
  if (!shipped.some((one) => isSame(one, found)))
    throw changed(file, "some of its tables are missing");
  // The next start would apply the rest of the migrations to tables that have them already, and fail.
  const listed = shipped[appliedMigrations(database).length - 1];
  if (!listed || !isSame(listed, found))
    throw changed(file, "its list of migrations does not fit its tables");
  if (!hasClock(database)) throw changed(file, "its clock is not one that Docket could have set");
  return true;
};

const changed = (file: string, what: string): UnusableDatabase =>
  new UnusableDatabase(
    `Someone has changed ${file}: ${what}. Docket does not restore it, and nothing was changed. Choose another backup.`,
  );

/** Whether every stamp that a start continues from is one that can be written as a time. */
const hasClock = (database: Database): boolean =>
  database
    .query<{ stamp: unknown }, []>("SELECT lease AS stamp FROM server UNION SELECT hw FROM account")
    .all()
    .every(({ stamp }) => isInstant(stamp));

/** The schema after each of the migrations: this version and every older one. */
const shippedSchemas = (): readonly Schema[] => {
  const database = new Database(":memory:");
  try {
    return readMigrations(FOLDER).map((_, at) => {
      applyMigrations(database, FOLDER, at + 1);
      return partsOf(database);
    });
  } finally {
    database.close();
  }
};

const partsOf = (database: Database): Schema =>
  new Map(
    database
      .query<Part, []>("SELECT type, name, sql FROM sqlite_schema")
      .all()
      .map(({ type, name, sql }) => [`${type} ${name}`, sql]),
  );

const isSame = (one: Schema, other: Schema): boolean =>
  one.size === other.size && [...one].every(([part, sql]) => other.get(part) === sql);

/** A name from a foreign file, as it can be printed on a terminal. */
const shown = (part: string): string => JSON.stringify(part.slice(0, MAX_SHOWN)).slice(1, -1);
