import type { SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, is, Placeholder, type Query, type Table } from "drizzle-orm";
import { type Orm, prepared } from "./orm.ts";
import { enterTurn } from "./turn.ts";

type Values = Readonly<Record<string, unknown>>;

/** A query that SQLite answers itself. */
type Direct<Row> = {
  readonly get: (values: Values) => Row | undefined;
  readonly all: (values: Values) => Row[];
};

/**
 * A query of which Drizzle writes the SQL, once, and SQLite alone gives the rows. What Drizzle prepares asks for
 * each value of each row what its column is, and that takes longer than the query. For the few queries that stand
 * in every call; `names` are those of the columns, whose values must be meant as SQLite gives them.
 */
export const direct = <Row, Shape = void>(
  names: readonly (keyof Row & string)[],
  build: (orm: Orm, shape: Shape) => { readonly toSQL: () => Query },
): ((orm: Orm, shape: Shape) => Direct<Row>) => {
  const rowOf = (tuple: readonly unknown[]): Row => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at++) row[names[at] ?? ""] = tuple[at];
    return row as Row;
  };
  return prepared((orm, shape: Shape) => {
    const { sql, params } = build(orm, shape).toSQL();
    const statement = orm.$client.prepare<unknown, SQLQueryBindings[]>(sql);
    const slots = params.map((param) => (is(param, Placeholder) ? param.name : { value: param }));
    const bind = (values: Values): SQLQueryBindings[] =>
      slots.map((slot) =>
        typeof slot === "string" ? values[slot] : slot.value,
      ) as SQLQueryBindings[];
    const rows = (values: Values): unknown[][] => {
      enterTurn(orm);
      return statement.values(...bind(values));
    };
    return {
      get: (values) => rows(values).slice(0, 1).map(rowOf)[0],
      all: (values) => rows(values).map(rowOf),
    };
  });
};

/** The columns of a query that selects all of a table's. */
export const columnsOf = <Of extends Table>(table: Of) =>
  Object.keys(getTableColumns(table)) as (keyof Of["$inferSelect"] & string)[];
