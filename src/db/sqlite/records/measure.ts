import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { TABLES, type Table } from "../../../domain/base/record.ts";
import { breathe } from "../../../domain/base/breathe.ts";
import { record } from "../../schema/records.ts";
import type { Orm } from "../orm.ts";
import { byteLength } from "../../../domain/base/text.ts";
import type { RecordRow } from "../../../domain/records/row.ts";

/** What an account's records take up, in bytes. */
export type Measure = {
  /** Their payloads alone, by which the history's share is counted. */
  readonly content: number;
  /** With the rows and their ids, by which the account's quota is counted. */
  readonly whole: number;
};

/** What each record takes up beside its content, in bytes: its row, and its id in four indexes. */
const ROW = 512;
const IDS = 4;

/** What a record takes up, as the quota counts it, in bytes. */
export const sizeOf = ({ size, id }: Pick<RecordRow, "id" | "size">): number =>
  size + IDS * byteLength(id) + ROW;

/** What records take up in bytes: their payloads, and all of them as the quota counts it. */
const sizesOf = {
  content: sql<number>`coalesce(sum(${record.size}), 0)`,
  whole: sql<number>`coalesce(sum(${record.size} + ${IDS} * octet_length(${record.id}) + ${ROW}), 0)`,
};

/** Records that are added up at once: 4 ms. */
const AT_ONCE = 20_000;

/** Adds up all records of an account, deleted ones included: there may be a million. */
export const measureRecords = async (
  orm: Orm,
  accountId: number,
  atOnce = AT_ONCE,
): Promise<Measure> => {
  let [content, whole] = [0, 0];
  for (const table of TABLES)
    for (let after: Place | null = START; after !== null;) {
      await breathe();
      const rest = restOf(accountId, table, after);
      const end: Place | null = placeAfter(orm, rest, atOnce);
      const part = sumOf(
        orm,
        end ? and(rest, sql`${PLACE} <= (${end.changedAt}, ${end.id})`) : rest,
      );
      content += part.content;
      whole += part.whole;
      after = end;
    }
  return { content, whole };
};

/** A place in the index of changes, which holds all that is added up. */
type Place = { readonly changedAt: number; readonly id: string };

const START: Place = { changedAt: -1, id: "" };

const PLACE = sql`(${record.changedAt}, ${record.id})`;

const restOf = (accountId: number, table: Table, { changedAt, id }: Place): SQL | undefined =>
  and(
    eq(record.accountId, accountId),
    eq(record.table, table),
    sql`${PLACE} > (${changedAt}, ${id})`,
  );

/** The last of the next `count` records; null if there are fewer. */
const placeAfter = (orm: Orm, rest: SQL | undefined, count: number): Place | null =>
  orm
    .select({ changedAt: record.changedAt, id: record.id })
    .from(record)
    .where(rest)
    .orderBy(asc(record.changedAt), asc(record.id))
    .limit(1)
    .offset(count - 1)
    .get() ?? null;

const sumOf = (orm: Orm, which: SQL | undefined): Measure =>
  orm.select(sizesOf).from(record).where(which).get() ?? { content: 0, whole: 0 };
