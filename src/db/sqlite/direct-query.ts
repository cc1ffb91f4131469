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

/** A query that SQLite answers itself. */
type Direct<Row> = {
  readonly run: (values: Values) => Changes;
  readonly get: (values: Values) => Row | undefined;
  readonly all: (values: Values) => Row[];
};

/**
 * A query of which Drizzle writes the SQL, once, and SQLite alone gives the rows. What Drizzle prepares asks for
 * each value of each row what its column is, and that takes longer than the query. For the few queries that stand
 * in every call: what they select must be named as the row's fields (see `named`), and meant as SQLite gives it.
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
        // SQLite would take it for NULL.
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

/** Columns to select, each under its own field's name. */
export const named = <Columns extends Readonly<Record<string, Column>>>(
  columns: Columns,
): { [Name in keyof Columns]: SQL.Aliased } =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)]),
  ) as { [Name in keyof Columns]: SQL.Aliased };

/** All of a table's columns, to select. */
export const columnsOf = (table: Table) => named(getTableColumns(table));
