import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { type Claim, withClaim } from "../../domain/tasks/claim.ts";
import { direct, named, type Orm, remembered } from "../query.ts";
import { claim } from "../schema/agents.ts";
import { apiKey } from "../schema/credentials.ts";

const COLUMNS = {
  ...named({
    id: claim.id,
    taskId: claim.taskId,
    keyId: claim.keyId,
    until: claim.until,
    length: claim.length,
  }),
  by: sql`${apiKey.name}`.as("by"),
};

/** A claim is over with its time, and with its key. */
const LIVE = and(
  gt(claim.until, sql.placeholder("now")),
  isNull(apiKey.revokedAt),
  or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, sql.placeholder("now"))),
);

const selectLive = direct<Claim, "all" | "id" | "task">((orm, by) =>
  orm
    .select(COLUMNS)
    .from(claim)
    .innerJoin(apiKey, eq(apiKey.id, claim.keyId))
    .where(
      and(
        eq(claim.accountId, sql.placeholder("accountId")),
        by === "task" ? eq(claim.taskId, sql.placeholder("task")) : undefined,
        by === "id" ? eq(claim.id, sql.placeholder("id")) : undefined,
        LIVE,
      ),
    ),
);

const selectAny = direct<{ readonly taskId: string }>((orm) =>
  orm
    .select(named({ taskId: claim.taskId }))
    .from(claim)
    .where(eq(claim.accountId, sql.placeholder("accountId")))
    .limit(1),
);

/** Nearly no task is claimed, and the query with its key takes several times as long as this one. */
const selectStored = direct<{ readonly taskId: string }>((orm) =>
  orm
    .select(named({ taskId: claim.taskId }))
    .from(claim)
    .where(
      and(
        eq(claim.accountId, sql.placeholder("accountId")),
        eq(claim.taskId, sql.placeholder("task")),
      ),
    ),
);

/** Nor has nearly any account a claim, and every reply with tasks asks for them. */
const hasAny = remembered(
  async (orm, accountId: number): Promise<boolean> =>
    (await selectAny(orm).get({ accountId })) !== undefined,
);

/** Returns the account's claims that are not over. */
export const liveClaims = async (
  orm: Orm,
  accountId: number,
  now: Instant,
): Promise<readonly Claim[]> =>
  orm.mark() === null || (await hasAny(orm, accountId))
    ? selectLive(orm, "all").all({ accountId, now })
    : [];

export const claimOfTask = async (
  orm: Orm,
  accountId: number,
  task: string,
  now: Instant,
): Promise<Claim | null> =>
  (await selectStored(orm).get({ accountId, task })) === undefined
    ? null
    : ((await selectLive(orm, "task").get({ accountId, task, now })) ?? null);

export const claimById = async (
  orm: Orm,
  accountId: number,
  id: string,
  now: Instant,
): Promise<Claim | null> => (await selectLive(orm, "id").get({ accountId, id, now })) ?? null;

/** Stores a claim in the place of one that is over. */
export const putClaim = async (
  orm: Orm,
  accountId: number,
  { id, taskId, keyId, until, length }: Claim,
): Promise<void> => {
  const set = { id, keyId, until, length };
  await orm
    .insert(claim)
    .values({ accountId, taskId, ...set })
    .onConflictDoUpdate({ target: [claim.accountId, claim.taskId], set })
    .run();
};

/** Ends the claims on tasks. */
export const endClaims = async (
  orm: Orm,
  accountId: number,
  tasks: readonly string[],
): Promise<void> => {
  await orm
    .delete(claim)
    .where(and(eq(claim.accountId, accountId), inArray(claim.taskId, [...tasks])))
    .run();
};

/** Adds to each row, which is the JSON text of a task, who works on it. */
export const withClaims = async (
  orm: Orm,
  accountId: number,
  rows: readonly string[],
  now: Instant,
): Promise<readonly string[]> => {
  const claims = await liveClaims(orm, accountId, now);
  if (claims.length === 0) return rows.map((row) => withClaim(row, null));
  const byTask = new Map(claims.map((one) => [one.taskId, one]));
  return rows.map((row) => {
    const { id } = JSON.parse(row) as { readonly id: string };
    return withClaim(row, byTask.get(id) ?? null);
  });
};
