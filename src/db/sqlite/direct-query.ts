import type { Changes, SQLQueryBindings } from "bun:sqlite";
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
import { type Orm, prepared } from "./orm.ts";
import { enterSharedRead } from "./shared-reads.ts";

type Values = Readonly<Record<string, unknown>>;

/** A query that runs on SQLite's own statement, without Drizzle. */
type Direct<Row> = {
  readonly run: (values: Values) => Changes;
  readonly get: (values: Values) => Row | undefined;
  readonly all: (values: Values) => Row[];
};

/**
 * A query whose SQL Drizzle writes once, and whose rows come straight from SQLite. Drizzle's own prepared
 * queries look up the column of each value in each row, which takes longer than the query itself. Use it for
 * the few queries that run in every call. Select columns under the row's field names (see `named`), and
 * expect values as SQLite returns them.
 */
export const direct = <Row, Shape = void>(
  build: (orm: Orm, shape: Shape) => { readonly toSQL: () => Query },
): ((orm: Orm, shape: Shape) => Direct<Row>) =>
  prepared((orm, shape: Shape) => {
    const { sql: text, params } = build(orm, shape).toSQL();
    const statement = orm.$client.prepare<Row, SQLQueryBindings[]>(text);
    const slots = params.map((param) => {
      const value: unknown = is(param, Param) ? param.value : param;
      return is(value, Placeholder) ? value.name : { value };
    });
    const bind = (values: Values): SQLQueryBindings[] =>
      slots.map((slot) => {
        const value = typeof slot === "string" ? values[slot] : slot.value;
        // SQLite would treat it as NULL.
        if (value === undefined)
          throw new Error(`There is no value of ${String(slot)} in: ${text}`);
        return value as SQLQueryBindings;
      });
    return {
      run: (values) => statement.run(...bind(values)),
      get: (values) => {
        enterSharedRead(orm);
        return statement.get(...bind(values)) ?? undefined;
      },
      all: (values) => {
        enterSharedRead(orm);
        return statement.all(...bind(values));
      },
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
