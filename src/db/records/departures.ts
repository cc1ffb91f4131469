import { and, eq, inArray, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { Departure } from "../../domain/records/departure.ts";
import { direct, type Orm } from "../query.ts";
import { departure } from "../schema/agents.ts";

const upsert = direct((orm) =>
  orm
    .insert(departure)
    .values({
      accountId: sql.placeholder("accountId"),
      container: sql.placeholder("container"),
      taskId: sql.placeholder("taskId"),
      stamp: sql.placeholder("stamp"),
    })
    .onConflictDoUpdate({
      target: [departure.accountId, departure.container, departure.taskId],
      set: { stamp: sql.raw("excluded.stamp") },
    }),
);

/** Notes what left, in the place of what left the same container before. */
export const addDepartures = async (
  orm: Orm,
  accountId: number,
  left: readonly Departure[],
  stamp: Instant,
): Promise<void> => {
  for (const { container, taskId } of left)
    await upsert(orm).run({ accountId, container, taskId, stamp });
};

/** Returns what left after `since`, until `until`: of these containers, and of all buckets. */
export const departuresIn = (
  orm: Orm,
  accountId: number,
  containers: readonly string[],
  { since, until }: { readonly since: Instant; readonly until: Instant },
): Promise<readonly (Departure & { readonly stamp: Instant })[]> =>
  orm
    .select({
      container: departure.container,
      taskId: departure.taskId,
      stamp: departure.stamp,
    })
    .from(departure)
    .where(
      and(
        eq(departure.accountId, accountId),
        sql`${departure.stamp} > ${since} and ${departure.stamp} <= ${until}`,
        sql`(${inArray(departure.container, [...containers, NONE])} or ${departure.taskId} = '')`,
      ),
    )
    .orderBy(departure.stamp, departure.taskId)
    .all();

/** A list of values may not be empty. No container has this name. */
const NONE = "";
