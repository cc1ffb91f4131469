import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { Refusal } from "../../domain/base/refusal.ts";
import { apiKey } from "../schema/credentials.ts";
import { account } from "../schema/records.ts";
import { version } from "../schema/history.ts";
import { type Orm, direct, named } from "../query.ts";
import { measureRecords } from "../records/put.ts";

const addSize = direct((orm) =>
  orm
    .update(account)
    .set({
      historySize: sql`${account.historySize} + ${sql.placeholder("own")}`,
      keysHistorySize: sql`${account.keysHistorySize} + ${sql.placeholder("charged")}`,
    })
    .where(eq(account.id, sql.placeholder("accountId"))),
);

// A separate query instead of RETURNING: see `insertVersion`.
const selectSize = direct<{ readonly own: number; readonly charged: number }>((orm) =>
  orm
    .select(named({ own: account.historySize, charged: account.keysHistorySize }))
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

const addKeySize = direct((orm) =>
  orm
    .update(apiKey)
    .set({ historySize: sql`${apiKey.historySize} + ${sql.placeholder("size")}` })
    .where(eq(apiKey.id, sql.placeholder("id"))),
);

const selectKeySize = direct<{ readonly size: number }>((orm) =>
  orm
    .select(named({ size: apiKey.historySize }))
    .from(apiKey)
    .where(eq(apiKey.id, sql.placeholder("id"))),
);

const MIB = 1024 ** 2;

/** How many bytes of history there is room for. */
export type Shares = {
  /** An account's own versions may always use this much before the oldest are deleted for space. */
  readonly people: number;
  /** What one key causes, and what all keys of an account cause, before their writes are refused. */
  readonly key: number;
  readonly keys: number;
};

export const SHARES: Shares = { people: 1024 * MIB, key: 256 * MIB, keys: 1024 * MIB };

/**
 * The quota needs a sum over all records, so it is not computed at every write, only each time the history
 * has grown by one of this many parts.
 */
const PARTS = 1024;

/**
 * Counts versions that a key causes. Refuses them (`disk_full`) if its share, or that of all the account's keys, is full:
 * nothing is deleted to make room, because then what the key did before could not be undone.
 */
export const charge = async (
  orm: Orm,
  accountId: number,
  { id, size }: { readonly id: string; readonly size: number },
  { key, keys }: Shares = SHARES,
): Promise<void> => {
  if (((await selectKeySize(orm).get({ id }))?.size ?? 0) + size > key) throw full("this key", key);
  if (((await selectSize(orm).get({ accountId }))?.charged ?? 0) + size > keys)
    throw full("all keys of this account", keys);
  await addCharge(orm, accountId, id, size);
};

/** Counts `size` more bytes, or fewer, against a key's share and that of all keys, without asking whether there is room. */
export const addCharge = async (
  orm: Orm,
  accountId: number,
  id: string,
  size: number,
): Promise<void> => {
  await addSize(orm).run({ accountId, own: 0, charged: size });
  await addKeySize(orm).run({ id, size });
};

const full = (whose: string, share: number): Refusal =>
  new Refusal(
    "disk_full",
    `The history of what ${whose} changed is full (${Math.floor(share / MIB)} MiB), so nothing was changed. ` +
      "Reading still works. A person can make room on the page of API keys, by undoing or keeping what the key did.",
  );

/**
 * Adds `size` bytes to the account's own history, and deletes its oldest versions if it exceeds its quota.
 * `least` is the smallest quota, in bytes.
 */
export const grow = async (
  orm: Orm,
  accountId: number,
  size: number,
  least = SHARES.people,
): Promise<void> => {
  await addSize(orm).run({ accountId, own: size, charged: 0 });
  const total = (await selectSize(orm).get({ accountId }))?.own ?? 0;
  const part = least / PARTS;
  if (total <= least - part || Math.floor(total / part) === Math.floor((total - size) / part))
    return undefined;
  const quota = await historyQuota(orm, accountId, least);
  const excess = total - quota + 2 * part;
  // If the quota itself shrank, no single write has to wait until all of the excess is deleted.
  if (excess > part) await deleteOldest(orm, accountId, Math.min(excess, size + 4 * part));
};

/** Returns the quota of the account's own history in bytes: twice the size of its records, at least 1 GiB. */
export const historyQuota = async (
  orm: Orm,
  accountId: number,
  least = SHARES.people,
): Promise<number> => shareFor((await measureRecords(orm, accountId)).content, least);

/** The history's share beside records of so many bytes. */
export const shareFor = (content: number, least = SHARES.people): number =>
  Math.max(least, 2 * content);

/**
 * The oldest versions of the whole account go first, so that each record's newest versions can still be
 * restored.
 */
const deleteOldest = async (orm: Orm, accountId: number, excess: number): Promise<void> => {
  const oldest = await orm
    .select({ id: version.id, size: sql<number>`${version.size} - ${version.keySize}` })
    .from(version)
    .where(eq(version.accountId, accountId))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  let freed = 0;
  const enough = oldest.findIndex(({ size }) => (freed += size) >= excess);
  const last = oldest[enough] ?? oldest.at(-1);
  if (!last) return;
  await dropVersions(orm, and(eq(version.accountId, accountId), lte(version.id, last.id)));
  if (enough === -1) await deleteOldest(orm, accountId, excess - freed);
};

/** Versions deleted in one transaction, so that no other write waits long. */
export const DROPPED_AT_ONCE = 1_000;

/** Deletes versions, and subtracts them from what they count against. */
export const dropVersions = async (orm: Orm, which: SQL | undefined): Promise<void> => {
  const { accountId, size, keySize, chargedTo, stamp } = version;
  const deleted = await orm
    .delete(version)
    .where(which)
    .returning({ accountId, size, keySize, chargedTo, stamp })
    .all();
  for (const [id, those] of Map.groupBy(deleted, (row) => row.accountId)) {
    const own = those.reduce((sum, row) => sum + row.size - row.keySize, 0);
    await addSize(orm).run({ accountId: id, own: -own, charged: 0 });
    await discharge(orm, id, those);
    const since = those.reduce((latest, row) => Math.max(latest, row.stamp ?? 0), 0);
    await raiseSince(orm).run({ accountId: id, since });
  }
};

/** Subtracts versions from the shares of the keys against which they counted. */
export const discharge = async (
  orm: Orm,
  accountId: number,
  versions: readonly Pick<typeof version.$inferSelect, "chargedTo" | "keySize">[],
): Promise<void> => {
  for (const [id, those] of Map.groupBy(versions, ({ chargedTo }) => chargedTo))
    if (id !== null)
      await addCharge(orm, accountId, id, -those.reduce((sum, row) => sum + row.keySize, 0));
};

const raiseSince = direct((orm) =>
  orm
    .update(account)
    .set({ historySince: sql`max(${account.historySince}, ${sql.placeholder("since")})` })
    .where(eq(account.id, sql.placeholder("accountId"))),
);
