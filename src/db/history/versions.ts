import { markOf } from "../../domain/base/rev.ts";
import { readEpoch } from "../records/clock.ts";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { keyText, type RecordKey } from "../../domain/base/record.ts";
import type { Restore } from "../../domain/sync/proof.ts";
import type { Kept } from "../transaction.ts";
import type { NewVersion, VersionRow } from "../../domain/history/version.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { massDeletion, version } from "../schema/history.ts";
import { account } from "../schema/records.ts";
import { type Orm, direct, named, prepared } from "../query.ts";
import { apiKey } from "../schema/credentials.ts";
import { compareTexts } from "../../domain/base/text.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { addCharge, charge, grow, SHARES, type Shares } from "./grow.ts";

/** A version is up to 1 MiB, so only this many are in memory, and are read in one go. */
const READ_AT_ONCE = 4;

const selectVersions = prepared((orm) =>
  orm
    .select()
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.table, sql.placeholder("table")),
        eq(version.recordId, sql.placeholder("id")),
        lt(version.id, sql.placeholder("before")),
      ),
    )
    .orderBy(desc(version.id))
    .limit(READ_AT_ONCE)
    .prepare(),
);

/** Returns the next versions of a record before one, newest first; empty when there are no more. */
export const versionsBefore = (
  orm: Orm,
  accountId: number,
  { table, id }: RecordKey,
  before: number,
): Promise<readonly VersionRow[]> => selectVersions(orm).all({ accountId, table, id, before });

const selectVersion = prepared((orm) =>
  orm
    .select()
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

/** Returns a version of the account by its number, or null. */
export const findVersion = async (
  orm: Orm,
  accountId: number,
  id: number,
): Promise<VersionRow | null> => (await selectVersion(orm).get({ accountId, id })) ?? null;

const selectRefused = direct<{ readonly id: number }>((orm) =>
  orm
    .select(named({ id: version.id }))
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.table, sql.placeholder("table")),
        eq(version.recordId, sql.placeholder("id")),
        eq(version.digest, sql.placeholder("digest")),
        // A literal, so that SQLite can use the partial index.
        sql`digest is not null`,
      ),
    ),
);

/** Whether a refused version with this digest is stored for the record. */
export const wasRefused = async (
  orm: Orm,
  accountId: number,
  { table, id }: RecordKey,
  digest: string,
): Promise<boolean> =>
  (await selectRefused(orm).get({ accountId, table, id, digest })) !== undefined;

const selectKept = direct<{ readonly since: Instant; readonly restored: string | null }>((orm) =>
  orm
    .select(named({ since: account.historySince, restored: account.restores }))
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

/** Returns which of the account's versions are sure to be stored: see `History.kept`. */
export const keptHistory = async (orm: Orm, accountId: number): Promise<Kept> => {
  const { since, restored } = (await selectKept(orm).get({ accountId })) ?? {
    since: 0,
    restored: null,
  };
  const restores = restored === null ? [] : (JSON.parse(restored) as readonly Restore[]);
  return { since, restored: restores, mark: markOf(await readEpoch(orm)) };
};

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
  keySize: sql.placeholder("keySize"),
  chargedTo: sql.placeholder("chargedTo"),
  digest: sql.placeholder("digest"),
  base: sql.placeholder("base"),
  via: sql.placeholder("via"),
};

// Without RETURNING: for that, SQLite opens a savepoint and writes out what the full-text index gathers.
const insertVersion = direct((orm) => orm.insert(version).values(VALUES));

/**
 * Stores versions, those of one record in this order, and counts them: see `Shares`. Refuses those of a key whose share is
 * full.
 */
export const keepVersions = async (
  orm: Orm,
  accountId: number,
  versions: readonly NewVersion[],
  shares: Shares = SHARES,
): Promise<void> => {
  const fresh = (await newOnes(orm, accountId, versions)).toSorted(byRecord);
  if (fresh.length === 0) return;
  const insert = insertVersion(orm);
  const keys = new Map<string | null, string | null>();
  for (const name of new Set(fresh.map(({ filedBy }) => filedBy)))
    keys.set(name, name === null ? null : await keyNamed(orm, accountId, name));
  const charged = fresh.map((one) => ({
    ...one,
    chargedTo: keys.get(one.filedBy) ?? one.chargedTo,
  }));
  for (const [id, those] of Map.groupBy(charged, ({ chargedTo }) => chargedTo)) {
    const size = those.reduce((sum, { keySize }) => sum + keySize, 0);
    if (id === null) continue;
    // What people change is never refused, also if it removes what a key filed.
    if (those.every(({ filedBy }) => filedBy === null))
      await charge(orm, accountId, { id, size }, shares);
    else await addCharge(orm, accountId, id, size);
  }
  const own = charged.reduce((sum, { size, keySize }) => sum + size - keySize, 0);
  if (own !== 0) await grow(orm, accountId, own, shares.people);
  for (const one of charged) {
    await breathe();
    await insert.run(one);
  }
};

/** The id of the newest key of that name, or "" if there is none. */
const keyNamed = async (orm: Orm, accountId: number, name: string): Promise<string> =>
  (
    await orm
      .select({ id: apiKey.id })
      .from(apiKey)
      .where(and(eq(apiKey.accountId, accountId), eq(apiKey.name, name)))
      .orderBy(desc(apiKey.createdAt), desc(apiKey.id))
      .limit(1)
      .get()
  )?.id ?? "";

/** A device may send the same refused version many times. It is stored once. */
const newOnes = async (
  orm: Orm,
  accountId: number,
  versions: readonly NewVersion[],
): Promise<readonly NewVersion[]> => {
  const seen = new Set<string>();
  const found: NewVersion[] = [];
  for (const one of versions) {
    const { table, recordId: id, digest } = one;
    if (digest !== null) {
      const name = `${keyText({ table, id })} ${digest}`;
      if (seen.has(name) || (await wasRefused(orm, accountId, { table, id }, digest))) continue;
      seen.add(name);
    }
    found.push(one);
  }
  return found;
};

const byRecord = (a: NewVersion, b: NewVersion): number =>
  compareTexts(a.table, b.table) || compareTexts(a.recordId, b.recordId);

/** Notes that a push deleted an unusually large number of records. */
export const insertDeletion = async (
  orm: Orm,
  deletion: typeof massDeletion.$inferInsert,
): Promise<void> => {
  await orm.insert(massDeletion).values(deletion).run();
};

/** Notes that the records deleted by such a push were restored. */
export const updateRestored = async (orm: Orm, id: number, now: Instant): Promise<void> => {
  await orm.update(massDeletion).set({ restoredAt: now }).where(eq(massDeletion.id, id)).run();
};
