import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Orm, Statement } from "../query.ts";
import type { Connection } from "./driver.ts";

/**
 * A connection to PostgreSQL, or a pool of them. The builders are those of the embedded database: both engines understand the
 * same SQL, but for the form of placeholders.
 */
export const ormOf = (query: Connection["query"]): Orm => {
  const send = async (text: string, values: readonly unknown[], asLists: boolean) =>
    (await query({ text: translated(text, values), values: values.map(sent), asLists })).rows;
  const statement = <Row>(text: string): Statement<Row> => ({
    run: (...values) => send(text, values, false),
    get: async (...values) => (await send(text, values, false))[0] as Row | undefined,
    all: async (...values) => (await send(text, values, false)) as readonly Row[],
  });
  const orm = drizzle(async (text, values, method) => {
    const rows = (await send(text, values as readonly unknown[], true)) as unknown[];
    return { rows: (method === "get" ? rows[0] : rows) as unknown[] };
  });
  // What another server changes is not announced, so nothing is remembered.
  return Object.assign(orm, { statement, mark: () => null }) as unknown as Orm;
};

/** PostgreSQL stores no NUL. A payload has it as JSON writes it; elsewhere it becomes what an unpaired surrogate becomes. */
const sent = (value: unknown): unknown => {
  if (typeof value === "string" && value.includes("\0")) return value.replaceAll("\0", "\uFFFD");
  return typeof value === "boolean" ? Number(value) : value;
};

/** A value's type must be said: beside a small number, PostgreSQL takes a time for one that is too small for it. */
const typeOf = (value: unknown): string => {
  if (typeof value === "string") return "::text";
  if (typeof value === "boolean") return "::bigint";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "::bigint" : "::float8";
  return value instanceof Uint8Array ? "::bytea" : "";
};

/** What of a statement is text or a name, is a placeholder, or says which index to use, which PostgreSQL decides itself. */
const PARTS = /'[^']*'|"[^"]*"|\?| indexed by \w+|cross join "\w+" on /g;

/** Returns a statement as PostgreSQL reads it. */
const translated = (text: string, values: readonly unknown[]): string => {
  let at = 0;
  return withOwnNames(withNewIds(text)).replace(PARTS, (part) => {
    if (part.startsWith(" indexed by")) return "";
    if (part.startsWith("cross join")) return part.slice("cross ".length);
    if (part !== "?") return part;
    at += 1;
    return `$${at}${typeOf(values[at - 1])}`;
  });
};

/** Drizzle gives a number that the database shall choose as null, from which SQLite takes a new one. */
const withNewIds = (text: string): string =>
  /^insert into "\w+" \("id", /.test(text)
    ? text.replaceAll(/( values |\), )\(null, /g, "$1(default, ")
    : text;

/** In `on conflict (…)`, PostgreSQL takes the names of columns alone. */
const withOwnNames = (text: string): string =>
  text.replace(/ on conflict \([^)]*\)/, (part) => part.replaceAll(/"\w+"\./g, ""));
