import { and, asc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { account } from "../schema/records.ts";
import { version } from "../schema/history.ts";
import { discharge } from "../sqlite/history/grow.ts";
import type { Orm } from "../sqlite/orm.ts";
import type { Store } from "../store.ts";

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
const releaseSome = (orm: Orm, accountId: number, { keyIds, since, upTo }: Range): boolean => {
  const { id, chargedTo, keySize } = version;
  const some = orm
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
  orm.update(version).set({ chargedTo: null }).where(inArray(id, ids)).run();
  discharge(orm, accountId, some);
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
  const row = reader
    .select({ until: account.historySince })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return row && row.until > since ? row.until : null;
};
