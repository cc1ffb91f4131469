import { sql } from "drizzle-orm";
import type { Actor } from "../../domain/people/caller.ts";
import type { Change } from "../../domain/sync/change.ts";
import { difference } from "../../domain/history/difference.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { deserialise, type Payload } from "../../domain/base/payload.ts";
import { byteLength } from "../../domain/base/text.ts";
import { type Loss, versionDigest } from "../../domain/history/version.ts";
import { direct } from "../sqlite/direct-query.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { grow } from "./retention.ts";
import type { record } from "../schema/records.ts";
import { version } from "../schema/history.ts";

type RecordRow = typeof record.$inferSelect;

/** Who does what, and when by the wall: how a version comes to lose. */
export type Replacement = {
  readonly loss: Loss;
  readonly by: Actor;
  readonly now: Instant;
  /** Of a deed among many: the bytes that they keep, which whoever does them counts (`grow`) in the end. */
  readonly kept?: HistoryGrowth;
};

export type HistoryGrowth = { bytes: number };

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
};

// Without RETURNING: for that SQLite opens a savepoint, and writes out what the full-text index gathers.
const insertVersion = direct((orm) => orm.insert(version).values(VALUES));

/** The same version is refused as often as it comes, and kept once. */
const insertRefused = prepared((orm) =>
  orm.insert(version).values(VALUES).onConflictDoNothing().returning({ id: version.id }).prepare(),
);

/** Bytes that a version takes beside its difference. */
const OVERHEAD = 300;

/**
 * Keeps the version that `after` takes the place of, as its difference from that. Where both say the same,
 * nothing is lost and nothing kept; of a record that a key makes, that it was not there before.
 */
export const keepReplaced = (
  orm: Orm,
  before: { readonly row: RecordRow; readonly payload: Payload } | null,
  after: RecordRow,
  payload: Payload,
  { loss, by, now, kept }: Replacement,
): void => {
  const place = { accountId: after.accountId, table: after.table, recordId: after.id };
  const replacement = {
    at: now,
    stamp: after.changedAt,
    byKind: by.kind,
    byId: by.id,
    digest: null,
  };
  if (before === null) {
    if (by.kind !== "api_key") return;
    const { updatedAt } = after;
    const nobody = { writerKind: null, writerId: null, updatedAt, deletedAt: null };
    return keep(orm, { ...place, ...replacement, ...nobody, loss: "made", difference: null }, kept);
  }
  const { updatedAt, deletedAt, writerKind, writerId } = before.row;
  const found = difference(payload, before.payload);
  if (found === null && deletedAt === after.deletedAt) return;
  const lost = { updatedAt, deletedAt, writerKind, writerId };
  const text = JSON.stringify(found ?? {});
  keep(orm, { ...place, ...replacement, ...lost, loss, difference: text }, kept);
};

/** Keeps a version that a device pushed and that does not stand so, once however often it comes. */
export const keepRefused = (
  orm: Orm,
  standing: RecordRow,
  change: Change,
  { loss, by, now }: Replacement,
): void => {
  const found = difference(deserialise(standing.payload), change.payload);
  if (found === null && loss === "stale" && standing.deletedAt === change.deletedAt) return;
  const row = sized({
    accountId: standing.accountId,
    table: standing.table,
    recordId: standing.id,
    at: now,
    stamp: standing.changedAt,
    loss,
    updatedAt: change.updatedAt,
    deletedAt: change.deletedAt,
    writerKind: by.kind,
    writerId: by.id,
    byKind: standing.writerKind,
    byId: standing.writerId,
    difference: JSON.stringify(found ?? {}),
    digest: versionDigest(loss, change),
  });
  if (insertRefused(orm).get(row)) grow(orm, row.accountId, row.size);
};

type Unsized = Omit<typeof version.$inferInsert, "size">;

const sized = (row: Unsized) => ({
  ...row,
  size: OVERHEAD + byteLength(row.difference ?? ""),
});

const keep = (orm: Orm, unsized: Unsized, kept: HistoryGrowth | undefined): void => {
  const row = sized(unsized);
  insertVersion(orm).run(row);
  if (kept) kept.bytes += row.size;
  else grow(orm, row.accountId, row.size);
};
