import { mapInOrder } from "../../domain/base/in-order.ts";
import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { markOf } from "../../domain/base/rev.ts";
import { type SyncedRow, syncRow, type Table, TABLES } from "../../domain/base/record.ts";
import { highWater, readEpoch } from "./clock.ts";
import { type Orm, direct, named, prepared } from "../query.ts";
import type { Store } from "../store.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { record } from "../schema/records.ts";
import { issueServerTime } from "./server-time.ts";

/** A window of the account's changes: `since < stamp <= until`. */
type Window = { readonly since: Instant; readonly until: Instant };

export type Pull = Window & {
  /** The server's time now. `until` of a page is earlier. */
  readonly serverTime: Instant;
  readonly epoch: string;
  /** Whether there are changes after `until`. Only a paged pull has any. */
  readonly hasMore: boolean;
  /** Whether the window holds no records. */
  readonly empty: boolean;
};

/** Rows per chunk, and the bytes of payload it should not exceed: together they bound the memory used. */
const CHUNK_ROWS = 256;
const CHUNK_BYTES = 256 * 1024;

/** Only a row value lets SQLite seek to where the last chunk ended; a second bound would rescan. */
const IN_WINDOW = and(
  eq(record.accountId, sql.placeholder("accountId")),
  eq(record.table, sql.placeholder("table")),
  sql`(${record.changedAt}, ${record.id}) > (${sql.placeholder("stamp")}, ${sql.placeholder("after")})`,
);

/** The next positions and their sizes, read from the index alone, to size a chunk before reading it. */
const selectPositions = direct<Pick<RecordRow, "changedAt" | "id" | "size">>((orm) =>
  orm
    .select(named({ changedAt: record.changedAt, id: record.id, size: record.size }))
    .from(record)
    .where(and(IN_WINDOW, lte(record.changedAt, sql.placeholder("until"))))
    .orderBy(record.changedAt, record.id)
    .limit(CHUNK_ROWS),
);

const { id, updatedAt, deletedAt, payload, createdBy, createdByKey, changedAt } = record;

const selectChunk = direct<SyncedRow>((orm) =>
  orm
    .select(named({ id, updatedAt, deletedAt, payload, createdBy, createdByKey, changedAt }))
    .from(record)
    .where(
      and(
        IN_WINDOW,
        sql`(${record.changedAt}, ${record.id}) <= (${sql.placeholder("last")}, ${sql.placeholder("lastId")})`,
      ),
    )
    .orderBy(record.changedAt, record.id),
);

const selectStamps = prepared((orm) =>
  orm
    .select({ changedAt: record.changedAt })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        gt(record.changedAt, sql.placeholder("since")),
      ),
    )
    .orderBy(record.changedAt)
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/**
 * Decides what a pull delivers. With `since` null or ahead of the server's time (a restored server, or a
 * client's own clock), that is everything: sending a record twice is harmless, skipping one is not. With
 * `limit` the window ends after the commit that holds the limit-th record.
 */
export const openPull = async (
  store: Store,
  accountId: number,
  since: Instant | null,
  limit: number | null,
  now: Instant,
): Promise<Pull> => {
  const { reader: orm, clock, writer } = store;
  const seen = await highWater(orm, accountId);
  const serverTime = await issueServerTime(clock, writer, accountId, seen, now);
  // Read after the server time is issued, so that commits made while the lease was written are included.
  const hw = await highWater(orm, accountId);
  const from = since === null || since > serverTime ? BEFORE_ALL : since;
  const epoch = await readEpoch(orm);
  const pull = { since: from, until: serverTime, serverTime, epoch, hasMore: false };
  if (hw <= from) return { ...pull, empty: true };
  const end = limit === null ? null : await pageEnd(orm, accountId, pull, limit);
  return end === null
    ? { ...pull, empty: false }
    : { ...pull, until: end, hasMore: true, empty: false };
};

const BEFORE_ALL: Instant = -1;

/** The stamp of the window's limit-th record, if more commits follow it. */
const pageEnd = async (
  orm: Orm,
  accountId: number,
  { since, until }: Window,
  limit: number,
): Promise<Instant | null> => {
  const found = await mapInOrder(TABLES, (table) =>
    selectStamps(orm).all({ accountId, table, since, limit: limit + 1 }),
  );
  const stamps = found
    .flat()
    .map((row) => row.changedAt)
    .filter((stamp) => stamp <= until)
    .toSorted((a, b) => a - b);
  const end = stamps[limit - 1];
  return end !== undefined && (await lastStamp(orm, accountId, until)) > end ? end : null;
};

const lastStamp = async (orm: Orm, accountId: number, until: Instant): Promise<Instant> =>
  Math.min(await highWater(orm, accountId), until);

/**
 * Yields the window's records of one table as JSON texts, in chunks. Each chunk is a short read of its own,
 * so no read transaction stays open while a slow client reads. A record that changes meanwhile leaves the
 * window and comes with the next pull.
 */
export async function* pullRows(
  store: Store,
  accountId: number,
  table: Table,
  { since, until, epoch }: Pick<Pull, "epoch" | "since" | "until">,
): AsyncGenerator<readonly string[]> {
  // Sorts before every record of the first stamp after `since`, because no id is empty.
  let position = { stamp: since + 1, after: "" };
  const mark = markOf(epoch);
  for (;;) {
    const positions = await selectPositions(store.reader).all({
      accountId,
      table,
      ...position,
      until,
    });
    const last = chunkEnd(positions);
    if (last === undefined) return;
    const bounds = { last: last.changedAt, lastId: last.id };
    const rows = await selectChunk(store.reader).all({ accountId, table, ...position, ...bounds });
    yield rows.map((row) => syncRow(row, mark));
    if (last === positions.at(-1) && positions.length < CHUNK_ROWS) return;
    position = { stamp: last.changedAt, after: last.id };
  }
}

/** The last position of a chunk: as many records as fit its bytes, at least one. */
const chunkEnd = <Position extends { readonly size: number }>(
  positions: readonly Position[],
): Position | undefined => {
  let bytes = 0;
  const over = positions.findIndex(({ size }) => (bytes += size) > CHUNK_BYTES);
  return over === -1 ? positions.at(-1) : positions[Math.max(over - 1, 0)];
};
