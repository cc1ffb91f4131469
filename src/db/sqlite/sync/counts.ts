import { eq, sql } from "drizzle-orm";
import type { Instant } from "../../../domain/base/instant.ts";
import { session } from "../../schema/credentials.ts";
import type { PushCounts } from "../../transaction.ts";
import { type Orm, prepared } from "../orm.ts";

const addCounts = prepared((orm) =>
  orm
    .update(session)
    .set({
      lastSyncAt: sql`${sql.placeholder("now")}`,
      pulled: sql`coalesce(${session.pulled}, 0) + ${sql.placeholder("pulled")}`,
      applied: sql`coalesce(${session.applied}, 0) + ${sql.placeholder("applied")}`,
      rejected: sql`coalesce(${session.rejected}, 0) + ${sql.placeholder("rejected")}`,
    })
    .where(eq(session.id, sql.placeholder("id")))
    .prepare(),
);

/** Adds a sync to the counts of its session. */
export const countSync = (
  orm: Orm,
  id: string,
  done: PushCounts & { readonly pulled: number },
  now: Instant,
): void => {
  addCounts(orm).run({ id, now, ...done });
};
