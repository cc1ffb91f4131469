import { and, desc, eq, sql } from "drizzle-orm";
import type { NewVersion } from "../../../domain/history/version.ts";
import { apiKey } from "../../schema/credentials.ts";
import { version } from "../../schema/history.ts";
import { keyText } from "../../../domain/base/record.ts";
import { compareTexts } from "../../../domain/base/text.ts";
import { breathe } from "../../../domain/base/breathe.ts";
import { direct } from "../direct-query.ts";
import type { Orm } from "../orm.ts";
import { addCharge, charge, grow, SHARES, type Shares } from "./grow.ts";
import { wasRefused } from "./versions.ts";

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
  const fresh = versions.filter(isNewTo(orm, accountId)).toSorted(byRecord);
  if (fresh.length === 0) return;
  const insert = insertVersion(orm);
  const keys = new Map(
    [...new Set(fresh.map(({ filedBy }) => filedBy))].map((name) => [
      name,
      name === null ? null : keyNamed(orm, accountId, name),
    ]),
  );
  const charged = fresh.map((one) => ({
    ...one,
    chargedTo: keys.get(one.filedBy) ?? one.chargedTo,
  }));
  for (const [id, those] of Map.groupBy(charged, ({ chargedTo }) => chargedTo)) {
    const size = those.reduce((sum, { keySize }) => sum + keySize, 0);
    if (id === null) continue;
    // What people change is never refused, also if it removes what a key filed.
    if (those.every(({ filedBy }) => filedBy === null))
      charge(orm, accountId, { id, size }, shares);
    else addCharge(orm, accountId, id, size);
  }
  const own = charged.reduce((sum, { size, keySize }) => sum + size - keySize, 0);
  if (own !== 0) await grow(orm, accountId, own, shares.people);
  for (const one of charged) {
    await breathe();
    insert.run(one);
  }
};

/** The id of the newest key of that name, or "" if there is none. */
const keyNamed = (orm: Orm, accountId: number, name: string): string =>
  orm
    .select({ id: apiKey.id })
    .from(apiKey)
    .where(and(eq(apiKey.accountId, accountId), eq(apiKey.name, name)))
    .orderBy(desc(apiKey.createdAt), desc(apiKey.id))
    .limit(1)
    .get()?.id ?? "";

/** A device may send the same refused version many times. It is stored once. */
const isNewTo = (orm: Orm, accountId: number) => {
  const seen = new Set<string>();
  return ({ table, recordId: id, digest }: NewVersion): boolean => {
    if (digest === null) return true;
    const name = `${keyText({ table, id })} ${digest}`;
    if (seen.has(name) || wasRefused(orm, accountId, { table, id }, digest)) return false;
    seen.add(name);
    return true;
  };
};

const byRecord = (a: NewVersion, b: NewVersion): number =>
  compareTexts(a.table, b.table) || compareTexts(a.recordId, b.recordId);
