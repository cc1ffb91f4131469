import { UnusableDatabase } from "../../unusable.ts";
import { Database } from "bun:sqlite";
import { isInstant } from "../../../domain/base/instant.ts";
import { appliedMigrations, applyMigrations, FOLDER, needsMigration } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { cutText, printableJson } from "../../../domain/base/text.ts";

/** A table, index, view or trigger, as SQLite's own list of them has it. */
type Part = {
  readonly type: string;
  readonly name: string;
  /** The table that it belongs to: for a table, itself. */
  readonly table: string;
  readonly sql: string | null;
};

/** Each part, "table record" for one, with the text that made it. */
type Schema = ReadonlyMap<string, string | null>;

const MIGRATIONS = "table __drizzle_migrations";
const MAX_SHOWN = 100;

/**
 * Returns whether a database is Docket's. Refuses one in which `changeIn` finds a change. Refuses one that a newer version
 * made. `file` is the name for the message.
 */
export const isShipped = (database: Database, file: string): boolean => {
  const names = new Set(partsOf(database).map(keyOf));
  if (!names.has("table server") || !names.has(MIGRATIONS)) return false;
  const change = changeIn(database);
  if (change === null) return true;
  throw new UnusableDatabase(
    `Someone has changed ${file}: ${change}. Docket does not restore it, and nothing was changed. Choose another backup.`,
  );
};

/**
 * Returns what keeps one of Docket's databases from being restored, in words, or null: the schema differs in anything but
 * foreign tables from what this version makes or migrates, or does not fit the migrations that the file lists, or no
 * server could read its clock. A trigger or a view in a backup would run inside Docket: it could turn a token that someone
 * knows into a session, or never end. Reads SQLite's own list of tables first, so nothing in the file runs.
 */
export const changeIn = (database: Database): string | null => {
  const shipped = shippedSchemas();
  const found = schemaOf(partsOf(database), foreignTables(database, shipped));
  const changed = [...found].find(([part, sql]) => !shipped.some((one) => one.get(part) === sql));
  // A newer version's own message, once its list of migrations is known to be a plain table.
  if (shipped.some((one) => one.get(MIGRATIONS) === found.get(MIGRATIONS)))
    needsMigration(database);
  if (changed) return `its ${shown(changed[0])} is not as Docket made it`;
  if (!shipped.some((one) => isSame(one, found))) return "some of its tables are missing";
  // The next start would apply the rest of the migrations to tables that have them already, and fail.
  const listed = shipped[appliedMigrations(database).length - 1];
  if (!listed || !isSame(listed, found)) return "its list of migrations does not fit its tables";
  return hasClock(database) ? null : "its clock is not one that Docket could have set";
};

/**
 * Returns the names of the tables that are not Docket's: another program made them beside its own, as Litestream does
 * (`_litestream_seq`), or SQLite did for `ANALYZE` (`sqlite_stat1`). A virtual table is none of these: it would run code.
 */
export const foreignTables = (
  database: Database,
  shipped: readonly Schema[] = shippedSchemas(),
): readonly string[] =>
  partsOf(database)
    .filter(({ type, sql }) => type === "table" && sql?.startsWith("CREATE TABLE") === true)
    .filter((part) => !shipped.some((one) => one.has(keyOf(part))))
    .map(({ name }) => name);

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
      return schemaOf(partsOf(database), []);
    });
  } finally {
    database.close();
  }
};

const partsOf = (database: Database): readonly Part[] =>
  database.query<Part, []>('SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema').all();

/** Without the tables named, and the indexes on them. A trigger on one of them stays. */
const schemaOf = (parts: readonly Part[], without: readonly string[]): Schema =>
  new Map(
    parts
      .filter(({ type, table }) => !/^(?:table|index)$/.test(type) || !without.includes(table))
      .map((part) => [keyOf(part), part.sql]),
  );

const keyOf = ({ type, name }: Part): string => `${type} ${name}`;

const isSame = (one: Schema, other: Schema): boolean =>
  one.size === other.size && [...one].every(([part, sql]) => other.get(part) === sql);

/** A name from a foreign file, as it can be printed on a terminal. */
const shown = (part: string): string => printableJson(cutText(part, MAX_SHOWN)).slice(1, -1);
