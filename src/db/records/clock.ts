import { eq, sql } from "drizzle-orm";
import { type Instant, SECOND } from "../../domain/base/instant.ts";
import { type Orm, columnsOf, direct, named, prepared, remembered } from "../query.ts";
import { account, server } from "../schema/records.ts";

/**
 * The server's own clock. It decides what a pull delivers, and never goes back.
 *
 * A stamp is above every `server_time` ever given out (the floor), so no row is committed behind a client's
 * cursor. The lease makes the floor survive a crash: it is on the disk before any stamp or `server_time`
 * passes it, and the next start begins above it, even if the wall clock was set back meanwhile.
 */
export type ServerClock = {
  lease: Instant;
  /** A longer lease that is being written; null if none is. */
  raising: { readonly lease: Instant; readonly written: Promise<void> } | null;
  /** The largest `server_time` given out, per account; accounts that did not ask yet have `start`. */
  readonly floors: Map<number, Instant>;
  start: Instant;
  /**
   * Stamps of transactions that are not committed yet, per account. No `server_time` may reach them, or those
   * rows would be committed behind a client's cursor.
   */
  readonly pending: Map<number, Instant>;
  /** A command that runs beside a server cannot see the server's floors, so it stamps above the lease. */
  readonly role: "server" | "visitor";
};

const AHEAD = 10 * SECOND;
/** While the clock is ahead of the wall clock, a short lease keeps it from running further ahead. */
const AHEAD_OF_WALL = SECOND;

const readServer = direct<typeof server.$inferSelect>((orm) =>
  orm.select(columnsOf(server)).from(server),
);

const readHw = direct<{ readonly hw: Instant }>((orm) =>
  orm
    .select(named({ hw: account.hw }))
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

/** What a stamp must be above, in one query: as a join of both tables it took ten times as long. */
const readMarks = direct<{ readonly hw: Instant; readonly lease: Instant }>((orm) =>
  orm
    .select({ ...named({ hw: account.hw }), lease: sql`(select lease from server)`.as("lease") })
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

const writeHw = prepared((orm) =>
  orm
    .update(account)
    .set({ hw: sql`${sql.placeholder("hw")}` })
    .where(eq(account.id, sql.placeholder("accountId")))
    .prepare(),
);

export const raiseLease = prepared((orm) =>
  orm
    .update(server)
    .set({ lease: sql`max(lease, ${sql.placeholder("lease")})` })
    .prepare(),
);

const highestHw = prepared((orm) =>
  orm
    .select({ hw: sql<number>`coalesce(max(hw), 0)` })
    .from(account)
    .prepare(),
);

export const readClock = async (orm: Orm, role: ServerClock["role"]): Promise<ServerClock> => {
  const { lease = 0 } = (await readServer(orm).get({})) ?? {};
  return { lease, raising: null, floors: new Map(), pending: new Map(), start: lease, role };
};

/** The account's newest stamp; 0 if it has none. */
export const highWater = remembered(
  async (orm, accountId: number): Promise<Instant> =>
    (await readHw(orm).get({ accountId }))?.hw ?? 0,
);

/**
 * Returns an id that changes when a backup is restored. A client that sees a new one pulls everything again.
 */
export const readEpoch = remembered<void, string>(
  async (orm) => (await readServer(orm).get({}))?.epoch ?? "",
);

export const floorOf = (clock: ServerClock, accountId: number): Instant =>
  clock.floors.get(accountId) ?? clock.start;

export const leaseFor = (instant: Instant, now: Instant): Instant =>
  instant + (instant > now ? AHEAD_OF_WALL : AHEAD);

/** By how many ms stamps are at least ahead of the wall clock. Normally below 0. */
export const aheadOf = ({ lease }: ServerClock, now: Instant): number => lease - AHEAD - now;

/** A stamp, and the lease that applies once its transaction is committed. */
type Stamp = {
  readonly changedAt: Instant;
  readonly lease: Instant;
  readonly raised: boolean;
};

/** Returns the stamp for the account's records in this transaction. */
const nextStamp = async (
  orm: Orm,
  clock: ServerClock,
  accountId: number,
  now: Instant,
): Promise<Stamp> => {
  const { hw = 0, lease: onDisk = 0 } = (await readMarks(orm).get({ accountId })) ?? {};
  const floor = clock.role === "server" ? floorOf(clock, accountId) : onDisk;
  const changedAt = Math.max(now, hw + 1, floor + 1);
  clock.pending.set(accountId, changedAt);
  const lease = changedAt > onDisk ? leaseFor(changedAt, now) : onDisk;
  return { changedAt, lease, raised: lease > onDisk };
};

/** Saves the stamp and, if raised, the lease. Runs in the transaction that writes the stamped records. */
const saveStamp = async (
  orm: Orm,
  accountId: number,
  { changedAt, lease, raised }: Stamp,
): Promise<void> => {
  await writeHw(orm).run({ accountId, hw: changedAt });
  if (raised) await raiseLease(orm).run({ lease });
};

/** The stamps of one transaction. */
export const stampsOf = (orm: Orm, clock: ServerClock) => {
  // Cleared after a rollback to a savepoint, which also rolls back the rows that hold them.
  const given = new Map<number, Instant>();
  const seen = new Map<number, Stamp & { readonly now: Instant }>();
  let lease = 0;
  const next = async (accountId: number, now: Instant): Promise<Pick<Stamp, "changedAt">> => {
    const changedAt = given.get(accountId);
    if (changedAt !== undefined) return { changedAt };
    const known = seen.get(accountId);
    if (known?.now === now) return known;
    const stamp = { ...(await nextStamp(orm, clock, accountId, now)), now };
    seen.set(accountId, stamp);
    return stamp;
  };
  const give = async (accountId: number, now: Instant): Promise<Instant> => {
    const { changedAt } = await next(accountId, now);
    const stamp = seen.get(accountId);
    if (given.has(accountId) || stamp === undefined) return changedAt;
    await saveStamp(orm, accountId, stamp);
    lease = Math.max(lease, stamp.lease);
    given.set(accountId, changedAt);
    return changedAt;
  };
  const forget = (): void => {
    given.clear();
    seen.clear();
    lease = 0;
  };
  return { next, give, forget, lease: () => lease };
};

/** Lowers the lease at a graceful stop: all stamps are known then, so the next start need not skip ahead. */
export const settleLease = async (orm: Orm, clock: ServerClock): Promise<void> => {
  const hw = (await highestHw(orm).get())?.hw ?? 0;
  await orm
    .update(server)
    .set({ lease: Math.max(clock.start, hw, ...clock.floors.values()) })
    .run();
};
