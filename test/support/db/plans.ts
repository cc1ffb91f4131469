import { ormOf } from "../../../src/db/sqlite/orm.ts";
import { Database } from "bun:sqlite";
import { transactOn } from "../../../src/db/transact.ts";
import { startWriter } from "../../../src/db/sqlite/writer.ts";
import { openStore } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { NO_KEEPER } from "../../../src/db/sqlite/log.ts";
import { NOON } from "../server.ts";
import { databaseFile } from "./store.ts";

/** Returns SQLite's plan for each query on records that `work` reads or writes with. */
export const writePlans = (
  directory: string,
  work: (store: Store) => unknown,
): Promise<readonly string[]> =>
  plansOf(
    directory,
    (opened, database) => {
      const orm = ormOf(database);
      const options = { wal: NO_KEEPER, onFatal: undefined };
      const writer = startWriter(database, orm, opened.clock, options);
      const transaction = transactOn(writer, opened.acks);
      return work({ ...opened, reader: orm, writer, transaction });
    },
    ({ sql }) => !/(from|update) "(account|server)"/.test(sql),
  );

/** The tables that a plan reads as a whole. What a co-routine has read already is none, nor is a list in JSON. */
export const scannedIn = (plan: string): readonly string[] => {
  const named = (what: RegExp): string[] => [...plan.matchAll(what)].map(([, name = ""]) => name);
  const read = named(/CO-ROUTINE ([^\s;]+)/g);
  return named(/SCAN ([^\s;]+)(?! VIRTUAL)\b/g).filter((name) => {
    const at = read.indexOf(name);
    if (at !== -1) read.splice(at, 1);
    return at === -1;
  });
};

type Query = { readonly sql: string; readonly values: readonly unknown[] };

/** The connection, with `tell` called for each statement that runs on it. */
const watched = (database: Database, tell: (query: Query) => void): Database => {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return telling(statement, ["all", "get", "run", "values"], (values) => tell({ sql, values }));
  };
  return telling(database, [], () => {}, { prepare });
};

/**
 * The same object with the members of `instead` replaced; `before` is called before each of the named
 * methods.
 */
const telling = <Thing extends object>(
  thing: Thing,
  names: readonly string[],
  before: (values: readonly unknown[]) => void,
  instead: Readonly<Record<string, unknown>> = {},
): Thing =>
  new Proxy(thing, {
    get: (_thing, name) => {
      if (typeof name === "string" && name in instead) return instead[name];
      const member: unknown = Reflect.get(thing, name, thing);
      if (typeof member !== "function") return member;
      return (...values: unknown[]): unknown => {
        if (names.includes(String(name))) before(values);
        return Reflect.apply(member, thing, values);
      };
    },
  });

const plansOf = async (
  directory: string,
  work: (opened: Store, database: Database) => unknown,
  counts: (query: Query) => boolean = () => true,
): Promise<readonly string[]> => {
  const ran: Query[] = [];
  const opened = await openStore({ directory, role: "visitor", now: NOON });
  const database = new Database(databaseFile(directory));
  const seen = watched(database, (query) => void ran.push(query));
  try {
    await work(opened, seen);
    return ran.filter(counts).map(({ sql, values }) =>
      database
        .query<{ detail: string }, never[]>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...(values as never[]))
        .map(({ detail }) => detail)
        .join("; "),
    );
  } finally {
    database.close();
    await opened.close();
  }
};
