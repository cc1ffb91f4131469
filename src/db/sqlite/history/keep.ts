import { sql } from "drizzle-orm";
import type { NewVersion } from "../../../domain/history/version.ts";
import { version } from "../../schema/history.ts";
import { eachInSlices } from "../../../domain/base/slices.ts";
import { andThen, type MaybePromise } from "../../../domain/base/maybe-promise.ts";
import { direct } from "../direct-query.ts";
import { type Orm, prepared } from "../orm.ts";
import { grow } from "./grow.ts";

const VALUES = {
  accountId: sql.placeholder("accountId"),
  table: sql.placeholder("table"),
  recordId: sql.placeholder("recordId"),
  at: sql.placeholder("at"),
  stamp: sql.placeholder("stamp"),
  loss: sql.placeholder("loss"),
  updatedAt: sql.placeholder("updatedAt"),
  deletedAt: sql.placeholder("deletedAt"),
  writerKind: sql.placeholder("writerKind"),
  writerId: sql.placeholder("writerId"),
  byKind: sql.placeholder("byKind"),
  byId: sql.placeholder("byId"),
  difference: sql.placeholder("difference"),
  size: sql.placeholder("size"),
  digest: sql.placeholder("digest"),
  base: sql.placeholder("base"),
  via: sql.placeholder("via"),
};

// Without RETURNING: for that, SQLite opens a savepoint and writes out what the full-text index gathers.
const insertVersion = direct((orm) => orm.insert(version).values(VALUES));

/** A device may send the same refused version many times. It is stored once. */
const insertRefused = prepared((orm) =>
  orm.insert(version).values(VALUES).onConflictDoNothing().returning({ id: version.id }).prepare(),
);

/** Stores versions in this order, and adds them to the account's total. */
export const keepVersions = (
  orm: Orm,
  accountId: number,
  versions: readonly NewVersion[],
): MaybePromise<void> => {
  let bytes = 0;
  const inserted = eachInSlices(versions, (one) => {
    if (insert(orm, one)) bytes += one.size;
  });
  return andThen(inserted, () => {
    if (bytes > 0) grow(orm, accountId, bytes);
  });
};

/** Returns whether it was not stored yet. */
const insert = (orm: Orm, one: NewVersion): boolean => {
  if (one.digest !== null) return insertRefused(orm).get(one) !== undefined;
  insertVersion(orm).run(one);
  return true;
};
