import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import * as agents from "../../../src/db/schema/agents.ts";
import * as credentials from "../../../src/db/schema/credentials.ts";
import * as entry from "../../../src/db/schema/sign-in.ts";
import * as history from "../../../src/db/schema/history.ts";
import * as icons from "../../../src/db/schema/icons.ts";
import * as imports from "../../../src/db/schema/imports.ts";
import * as service from "../../../src/db/schema/records.ts";
import {
  COMMITTED,
  migrationText,
  readJournal,
  readSnapshot,
} from "../../support/db/migrations.ts";
import { ask, openForTest } from "../../support/db/store.ts";

const schema = {
  ...service,
  ...credentials,
  ...entry,
  ...history,
  ...imports,
  ...icons,
  ...agents,
};

/** Small rows that are only ever found by their key. */
const KEYED = ["agent_child"];
const TABLES: readonly SQLiteTable[] = Object.values(schema);
type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

test("Every table of the database is STRICT, and the small keyed ones have no rowid", async () => {
  const { directory } = await openForTest();
  const tables = ask<{ name: string; strict: number; wr: number }>(
    directory,
    `SELECT name, strict, wr FROM pragma_table_list
     WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  // Drizzle's own list of migrations is created by Drizzle, and is not STRICT.
  const ours = tables.filter(({ name }) => name !== "__drizzle_migrations");
  expect(ours).toEqual(
    TABLES.map((table) => getTableConfig(table).name)
      .toSorted()
      .map((name) => ({ name, strict: 1, wr: Number(KEYED.includes(name)) })),
  );
});

test("There are no other tables: the full-text index has files of its own", async () => {
  const { directory } = await openForTest();
  const others = ask<{ name: string }>(
    directory,
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type != 'table'",
  );
  expect(others).toEqual([]);
});

type ColumnInfo = { name: string; type: string; notnull: number; dflt_value: unknown; pk: number };

test.each(TABLES.map((table) => [getTableConfig(table).name, table] as const))(
  "The columns of %s in the database are those of the schema",
  async (name, table) => {
    const { directory } = await openForTest();
    const found = ask<ColumnInfo>(directory, "SELECT * FROM pragma_table_info(?)", name);
    const { columns, primaryKeys } = getTableConfig(table);
    const key = primaryKeys.flatMap((primary) => primary.columns.map((column) => column.name));
    expect(
      found.map(({ name: column, type, notnull, dflt_value, pk }) => ({
        column,
        type: type.toLowerCase(),
        notNull: notnull === 1,
        default: dflt_value,
        key: pk,
      })),
    ).toEqual(
      columns.map((column) => ({
        column: column.name,
        type: column.getSQLType(),
        notNull: column.notNull,
        default: column.default === undefined ? null : String(column.default),
        key: column.primary ? 1 : key.indexOf(column.name) + 1,
      })),
    );
  },
);

test("The indexes of the database are those of the schema", async () => {
  const { directory } = await openForTest();
  const found = ask<{ name: string; tbl_name: string }>(
    directory,
    "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
  );
  const wanted = TABLES.flatMap((table) => {
    const { name, indexes, columns } = getTableConfig(table);
    return [
      ...indexes.map(({ config }) => config.name),
      ...columns.flatMap((column) => (column.isUnique ? [column.uniqueName ?? ""] : [])),
    ].map((index) => ({ name: index, tbl_name: name }));
  });
  expect(found).toEqual(wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
});

test("The database is sound, and every reference in it resolves", async () => {
  const { directory } = await openForTest();
  expect(ask(directory, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(ask(directory, "PRAGMA foreign_key_check")).toEqual([]);
});

test("The migrations in the journal are those in the folder, each later than the one before", () => {
  const { entries } = readJournal();
  expect(entries.map(({ idx }) => idx)).toEqual(entries.map((_, index) => index));
  const times = entries.map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  const files = readdirSync(COMMITTED).filter((name) => name.endsWith(".sql"));
  expect(files.toSorted()).toEqual(entries.map(({ tag }) => `${tag}.sql`));
});

test("The last migration leaves no difference to the schema", async () => {
  const last = readSnapshot(readJournal().entries.length - 1) as Snapshot;
  const now = await generateSQLiteDrizzleJson({ ...schema });
  expect(await generateSQLiteMigration(last, now)).toEqual([]);
});

/** The only additions by hand that the generated SQL may have. */
const BY_HAND = /\) STRICT(?:, WITHOUT ROWID)?;$/;
/** The one row of `server` is created with its table, so that no crash can leave a database without it. */
const SEED =
  "INSERT INTO `server` (`id`, `lease`, `epoch`) VALUES (1, 0, lower(hex(randomblob(16))));";
/** The full-text index that versions before 0008 had, which Drizzle cannot express. */
const INDEX =
  "CREATE VIRTUAL TABLE `search` USING fts5(account, title, tabs, urls, notes, content='', contentless_delete=1, tokenize=\"unicode61 remove_diacritics 2 categories 'L* N* Co M* So'\");";
/** The line that asks for the stored rows to be projected again, which Drizzle does not know. */
const REBUILD = /^--> rebuild-projections$/m;
const statements = (text: string): readonly string[] =>
  text
    .replace(REBUILD, "")
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");

test.each(readJournal().entries.map(({ idx, tag }) => [tag, idx] as const))(
  "%s is what Drizzle generates, except for STRICT, changes of data, the seed and the full-text index",
  async (tag, idx) => {
    const before =
      idx === 0 ? await generateSQLiteDrizzleJson({}) : (readSnapshot(idx - 1) as Snapshot);
    const generated = await generateSQLiteMigration(before, readSnapshot(idx) as Snapshot);
    const committed = statements(migrationText(tag)).filter(
      (statement) =>
        ![SEED, INDEX, "DROP TABLE `search`;"].includes(statement) &&
        !statement.startsWith("UPDATE"),
    );
    expect(committed.map((statement) => statement.replace(BY_HAND, ");"))).toEqual(
      generated.map((statement) => statement.trim()),
    );
    for (const statement of committed)
      if (statement.startsWith("CREATE TABLE")) expect(statement).toMatch(BY_HAND);
  },
);
