import { desc, lt, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY, type Instant } from "../domain/base/instant.ts";
import type { Orm } from "./query.ts";

/** A table whose rows get ascending numbers, and are found by their time with an index. */
type Dated = SQLiteTable & { readonly at: SQLiteColumn };

/** A day on which rows were written: its start, and the number of a row of that day. */
export type WrittenDay = { readonly start: Instant; readonly row: number };

/**
 * The days up to `now` (UTC, by the server's clock) on which rows of a table were written, the newest first. Age is
 * measured by these days and not by the clock: a clock that is wrong for an hour adds a day or two, however far ahead
 * it is. Takes one look at the index for each day.
 */
export const writtenDays = async (
  orm: Orm,
  table: Dated,
  now: Instant,
): Promise<readonly WrittenDay[]> => {
  const lastBefore = orm
    .select({ at: sql<Instant>`${table.at}`, row: sql<number>`rowid` })
    .from(table)
    .where(lt(table.at, sql.placeholder("end")))
    .orderBy(desc(table.at), desc(sql`rowid`))
    .limit(1)
    .prepare();
  const days: WrittenDay[] = [];
  let last = await lastBefore.get({ end: now + 1 });
  while (last) {
    const start = Math.floor(last.at / DAY) * DAY;
    days.push({ start, row: last.row });
    last = await lastBefore.get({ end: start });
  }
  return days;
};

/**
 * What is kept for 90 days is old once rows were written on so many later days. The rest is for days on which the
 * clock was wrong.
 */
const DAYS_KEPT = 100;

/**
 * The number of the newest row that is old, with all before it; null while everything is kept. A row's own time does
 * not count, since it may be from a clock that was wrong: rows are numbered in the order in which they were written.
 */
export const newestOld = async (orm: Orm, table: Dated, now: Instant): Promise<number | null> => {
  const rows = (await writtenDays(orm, table, now)).map(({ row }) => row);
  return rows.toSorted((a, b) => b - a)[DAYS_KEPT] ?? null;
};

/** The start of the earliest of the newest `count` days; null if there are fewer. */
export const startOfNewest = (days: readonly WrittenDay[], count = DAYS_KEPT): Instant | null =>
  days[count - 1]?.start ?? null;
