import {
  type Column,
  getTableColumns,
  is,
  Param,
  Placeholder,
  type Query,
  type SQL,
  sql,
  type Table,
} from "drizzle-orm";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/**
 * A connection of an engine: Drizzle's builders, and statements for the queries that run in every call. Every result must
 * be awaited.
 */
export type Orm = BaseSQLiteDatabase<"async", void> & {
  readonly statement: <Row>(sql: string) => Statement<Row>;
  /** Returns an object that is another one once the data may have changed; null where nothing may be remembered. */
  readonly mark: () => object | null;
};

/** A statement of the engine's own. Values are given in the order of their question marks. */
export type Statement<Row> = {
  readonly run: (...values: readonly unknown[]) => Promise<unknown>;
  readonly get: (...values: readonly unknown[]) => Promise<Row | undefined>;
  readonly all: (...values: readonly unknown[]) => Promise<readonly Row[]>;
};

/**
 * A query that is built and prepared once per connection and shape: building its SQL again would cost more
 * than running it. `shape` tells apart the variants of one query: a word, or an object of words and flags.
 */
export const prepared = <Built, Shape = void>(
  build: (orm: Orm, shape: Shape) => Built,
): ((orm: Orm, shape: Shape) => Built) => {
  const knownBy = perConnection(() => new Map<unknown, Built>());
  return (orm, shape) => {
    const known = knownBy(orm);
    const key = typeof shape === "object" && shape !== null ? Object.values(shape).join() : shape;
    const found = known.get(key);
    if (found !== undefined) return found;
    const query = build(orm, shape);
    known.set(key, query);
    return query;
  };
};

/** A value that exists once per connection, created on first use. */
export const perConnection = <Value>(make: () => Value): ((orm: Orm) => Value) => {
  const all = new WeakMap<Orm, Value>();
  return (orm) => {
    const there = all.get(orm);
    if (there !== undefined) return there;
    const made = make();
    all.set(orm, made);
    return made;
  };
};

type Values = Readonly<Record<string, unknown>>;

/** A query that runs on the engine's own statement, without Drizzle. */
type Direct<Row> = {
  readonly run: (values: Values) => Promise<unknown>;
  readonly get: (values: Values) => Promise<Row | undefined>;
  readonly all: (values: Values) => Promise<readonly Row[]>;
};

/**
 * A query whose SQL Drizzle writes once, and whose rows come straight from the engine. Drizzle's own prepared
 * queries look up the column of each value in each row, which takes longer than the query itself. Use it for
 * the few queries that run in every call. Select columns under the row's field names (see `named`), and
 * expect values as the engine returns them.
 */
export const direct = <Row, Shape = void>(
  build: (orm: Orm, shape: Shape) => { readonly toSQL: () => Query },
): ((orm: Orm, shape: Shape) => Direct<Row>) =>
  prepared((orm, shape: Shape) => {
    const { sql: text, params } = build(orm, shape).toSQL();
    const statement = orm.statement<Row>(text);
    const slots = params.map((param) => {
      const value: unknown = is(param, Param) ? param.value : param;
      return is(value, Placeholder) ? value.name : { value };
    });
    const bind = (values: Values): readonly unknown[] =>
      slots.map((slot) => {
        const value = typeof slot === "string" ? values[slot] : slot.value;
        // It would be treated as NULL.
        if (value === undefined)
          throw new Error(`There is no value of ${String(slot)} in: ${text}`);
        return value;
      });
    return {
      run: (values) => statement.run(...bind(values)),
      get: (values) => statement.get(...bind(values)),
      all: (values) => statement.all(...bind(values)),
    };
  });

/** Returns columns to select, each under its own field's name. */
export const named = <Columns extends Readonly<Record<string, Column>>>(
  columns: Columns,
): { [Name in keyof Columns]: SQL.Aliased } =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)]),
  ) as { [Name in keyof Columns]: SQL.Aliased };

/** Returns all of a table's columns, to select. */
export const columnsOf = (table: Table) => named(getTableColumns(table));

/** Cached values per function. */
const KEPT = 1_000;

/**
 * Caches reads that nearly every call needs and that rarely change. A value stays cached until any process
 * writes anything other than traces. That is checked once per turn of the event loop, so a revocation takes
 * effect at once. Missing values (undefined) are not cached. On connections without a mark, nothing is cached.
 *
 * Never cache what a call's trace writes (`recordTrace`): traces are written without clearing the cache.
 */
export const remembered = <Key, Value>(
  find: (orm: Orm, key: Key) => Promise<Value>,
): ((orm: Orm, key: Key) => Promise<Value>) => {
  const memoryOf = perConnection(() => ({ mark: {}, known: new Map<Key, Promise<Value>>() }));
  return (orm, key) => {
    const mark = orm.mark();
    if (mark === null) return find(orm, key);
    const memory = memoryOf(orm);
    if (memory.mark !== mark || memory.known.size >= KEPT) memory.known.clear();
    memory.mark = mark;
    const known = memory.known.get(key);
    if (known !== undefined) return known;
    const found = find(orm, key);
    memory.known.set(key, found);
    const forget = (): void => {
      if (memory.known.get(key) === found) memory.known.delete(key);
    };
    found.then((value) => value === undefined && forget(), forget);
    return found;
  };
};
