import { asc, lte } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { version } from "../schema/history.ts";
import { newestOld } from "../sqlite/days.ts";
import { DROPPED_AT_ONCE, dropVersions } from "../sqlite/history/grow.ts";
import type { Orm } from "../sqlite/orm.ts";
import type { Store } from "../store.ts";

/** How long, at least, a version is stored after it was replaced or refused. */
export const HISTORY_RETENTION = 90 * DAY;

/**
 * Deletes the versions that are old (`newestOld`), in small batches so that other writes do not wait long. The oldest go
 * first: each version is stored as a difference from the next, so a gap would cut off everything before it.
 */
export const pruneHistory = async ({ reader, writer }: Store, now: Instant): Promise<void> => {
  const last = newestOld(reader, version, now);
  if (last === null) return;
  while (await writer.write(({ orm }) => dropSomeTo(orm, last)));
};

/** Returns whether there may be more. */
const dropSomeTo = (orm: Orm, last: number): boolean => {
  const old = orm
    .select({ id: version.id })
    .from(version)
    .where(lte(version.id, last))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  dropVersions(orm, lte(version.id, old.at(-1)?.id ?? 0));
  return old.length === DROPPED_AT_ONCE;
};
