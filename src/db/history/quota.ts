import { and, asc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Store } from "../store.ts";
import { measureRecords } from "../records/put.ts";
import { discharge, DROPPED_AT_ONCE, dropVersions, shareFor } from "./grow.ts";
import { account } from "../schema/records.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { version } from "../schema/history.ts";
import { newestOld } from "../days.ts";
import type { Orm } from "../query.ts";

/** What an account takes up, and how much it may, in bytes. */
export type Space = {
  /** Its tasks, folders and buckets. A quota of null is no limit. */
  readonly records: { readonly size: number; readonly quota: number | null };
  /** What people's own versions take up. */
  readonly history: { readonly size: number; readonly share: number };
  /** What counts against the share of all the account's keys. */
  readonly keys: { readonly size: number; readonly share: number };
};

export const readSpace = async (
  { reader, quota, shares }: Store,
  accountId: number,
): Promise<Space> => {
  const { content, whole } = await measureRecords(reader, accountId);
  const row = await reader
    .select({ own: account.historySize, keys: account.keysHistorySize })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return {
    records: { size: whole, quota },
    history: { size: row?.own ?? 0, share: shareFor(content, shares.people) },
    keys: { size: row?.keys ?? 0, share: shares.keys },
  };
};

/** How long, at least, a version is stored after it was replaced or refused. */
export const HISTORY_RETENTION = 90 * DAY;

/**
 * Deletes the versions that are old (`newestOld`), in small batches so that other writes do not wait long. The oldest go
 * first: each version is stored as a difference from the next, so a gap would cut off everything before it.
 */
export const pruneHistory = async ({ reader, writer }: Store, now: Instant): Promise<void> => {
  const last = await newestOld(reader, version, now);
  if (last === null) return;
  while (await writer.write(({ orm }) => dropSomeTo(orm, last)));
};

/** Returns whether there may be more. */
const dropSomeTo = async (orm: Orm, last: number): Promise<boolean> => {
  const old = await orm
    .select({ id: version.id })
    .from(version)
    .where(lte(version.id, last))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  await dropVersions(orm, lte(version.id, old.at(-1)?.id ?? 0));
  return old.length === DROPPED_AT_ONCE;
};

// What keys cause counts against shares of the history: see `Shares`.

/** Versions of these keys, from an instant on, and up to a version. */
type Range = {
  readonly keyIds: readonly string[];
  readonly since: Instant;
  readonly upTo: number;
};

/** Versions released per transaction, so that no other write waits long. */
const AT_ONCE = 1_000;

/**
 * Frees the room that the keys' versions take in their shares of the history, because a person has undone or kept what
 * they did. Nothing is deleted: the versions stay for their 90 days, and can still be undone.
 */
export const releaseVersions = async (
  store: Store,
  accountId: number,
  range: Range,
): Promise<void> => {
  while (await store.writer.write(({ orm }) => releaseSome(orm, accountId, range)));
};

/** Returns whether there may be more. */
const releaseSome = async (
  orm: Orm,
  accountId: number,
  { keyIds, since, upTo }: Range,
): Promise<boolean> => {
  const { id, chargedTo, keySize } = version;
  const some = await orm
    .select({ id, chargedTo, keySize })
    .from(version)
    .where(
      and(
        eq(version.accountId, accountId),
        // Of keys that are not known any more, nobody could release them otherwise.
        inArray(chargedTo, [...keyIds, ""]),
        sql`charged_to is not null`,
        gte(version.at, since),
        lte(id, upTo),
      ),
    )
    .orderBy(asc(id))
    .limit(AT_ONCE)
    .all();
  const ids = some.map((row) => row.id);
  await orm.update(version).set({ chargedTo: null }).where(inArray(id, ids)).run();
  await discharge(orm, accountId, some);
  return some.length === AT_ONCE;
};

/**
 * Returns the instant up to which versions of the account may be missing, if that is later than `since`: what a key did
 * between the two cannot be undone any more, or not all of it. Otherwise null.
 */
export const missingUntil = async (
  { reader }: Store,
  accountId: number,
  since: Instant,
): Promise<Instant | null> => {
  const row = await reader
    .select({ until: account.historySince })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return row && row.until > since ? row.until : null;
};
