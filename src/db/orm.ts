import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";

/** Drizzle over one connection. */
export const ormOf = (database: Database) => drizzle(database);

export type Orm = ReturnType<typeof ormOf>;

/**
 * A query that is built once per connection and shape, and prepared then: building its SQL anew
 * costs more than running it. `shape` tells apart the forms that one query may take.
 */
export const prepared = <Query, Shape = void>(
  build: (orm: Orm, shape: Shape) => Query,
): ((orm: Orm, shape: Shape) => Query) => {
  const cache = new WeakMap<Orm, Map<string, Query>>();
  return (orm, shape) => {
    const known = cache.get(orm) ?? new Map<string, Query>();
    cache.set(orm, known);
    const key = shape === undefined ? "" : JSON.stringify(shape);
    const query = known.get(key) ?? build(orm, shape);
    known.set(key, query);
    return query;
  };
};
