import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";

/** Drizzle over one connection. */
export const ormOf = (database: Database) => drizzle(database);

export type Orm = ReturnType<typeof ormOf>;

/**
 * A query that is built and prepared once per connection and shape: building its SQL again would cost more
 * than running it. `shape` tells apart the variants of one query: a word, or an object of words and flags.
 */
export const prepared = <Query, Shape = void>(
  build: (orm: Orm, shape: Shape) => Query,
): ((orm: Orm, shape: Shape) => Query) => {
  const knownBy = perConnection(() => new Map<unknown, Query>());
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
