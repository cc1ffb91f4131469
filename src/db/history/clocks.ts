import { and, desc, eq, gt } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { version } from "../schema/history.ts";
import type { Store } from "../store.ts";

/** A change that a device sent with a time that lay in the future, which was dated back. */
export type Clamped = {
  /** The id of the device's session. */
  readonly by: string | null;
  readonly at: Instant;
  /** What the device sent. */
  readonly updatedAt: string;
};

/** Returns the last 100 of such changes since a time, of all accounts, newest first. */
export const changesFromTheFuture = async (
  store: Store,
  since: Instant,
): Promise<readonly Clamped[]> =>
  store.reader
    .select({ by: version.byId, at: version.at, updatedAt: version.updatedAt })
    .from(version)
    .where(and(eq(version.loss, "clamped"), eq(version.byKind, "session"), gt(version.at, since)))
    .orderBy(desc(version.id))
    .limit(100)
    .all();
