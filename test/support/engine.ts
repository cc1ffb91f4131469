import { test } from "bun:test";
import { Client } from "pg";
import type { OpenOptions } from "../../src/db/open.ts";

/** The address of a PostgreSQL server, on which each data directory of a test gets a database; embedded without it. */
const SERVER = process.env["DOCKET_TEST_DATABASE"];

/** Whether the tests run on PostgreSQL. */
export const ON_POSTGRES = SERVER !== undefined;

/** A test of what only the embedded database has: its file and that file's lock, or the order in which it answers at once. */
export const embeddedTest = test.skipIf(ON_POSTGRES);

const made = new Map<string, Promise<string>>();

/** How to open the data of a directory on the engine that the tests run on. */
export const engineOf = async (directory: string): Promise<Pick<OpenOptions, "database">> => {
  if (SERVER === undefined) return {};
  let database = made.get(directory);
  if (database === undefined) made.set(directory, (database = make(SERVER, directory)));
  return { database: await database };
};

/** Runs a statement of SQLite's in the directory's database, and returns its rows. */
export const askPostgres = <Row>(
  directory: string,
  statement: string,
  values: readonly (number | string)[],
): Row[] => {
  let at = 0;
  const text = statement
    .replaceAll("?", () => literal(values[at++] ?? ""))
    .replace(/\bsqlite_schema\b/, SCHEMA);
  const rows = /^\s*(select|with)/i.test(text)
    ? `select coalesce(json_agg(row_to_json(found)), '[]') from (${text}) as found`
    : `${text}; select '[]'`;
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", urlOf(SERVER ?? "", directory), "-c", rows],
    { stdin: "ignore" },
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()) as Row[];
};

/** Returns all rows of these tables of the directory's database. In one statement, since each starts a program. */
export const everyRowOnPostgres = (directory: string, tables: readonly string[]) => {
  const all = tables.map(
    (name) =>
      `select '${name}' as name, coalesce(json_agg(found), '[]') as rows from "${name}" as found`,
  );
  const found = askPostgres<{ name: string; rows: Record<string, unknown>[] }>(
    directory,
    all.join(" union all "),
    [],
  );
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
};

const SCHEMA =
  "(select 'table' as type, tablename as name from pg_tables where schemaname = 'public') as sqlite_schema";

const literal = (value: number | string): string =>
  typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;

const urlOf = (server: string, directory: string): string => {
  const url = new URL(server);
  url.pathname = `/${nameOf(directory)}`;
  return url.href;
};

const nameOf = (directory: string): string => `test_${Bun.hash(directory).toString(36)}`;

const make = async (server: string, directory: string): Promise<string> => {
  const name = nameOf(directory);
  const client = new Client(server);
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
  if (rowCount === 0)
    await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  await client.end();
  return urlOf(server, directory);
};
