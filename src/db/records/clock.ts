import { eq, sql } from "drizzle-orm";
import { type Instant, SECOND } from "../../domain/base/instant.ts";
import { columnsOf, direct, named } from "../sqlite/direct-query.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { account, server } from "../schema/records.ts";
import { remembered } from "../sqlite/shared-reads.ts";

/**
 * The server's own clock: it decides what a pull delivers, and it never goes back.
 *
 * A stamp is above every `server_time` that was ever given out (the floor), so a row can never be
 * committed behind a cursor. The lease carries the floor over a crash: it is on the disk before any
 * stamp or `server_time` passes it, and the next start begins above it, however the wall clock was
 * set meanwhile.
 */
export type ServerClock = {
  lease: Instant;
  /** The largest `server_time` given out, per account; `start` for those not asked yet. */
  readonly floors: Map<number, Instant>;
  readonly start: Instant;
  /**
   * Stamps of a transaction that is not committed yet, per account: no `server_time` may reach them, or what they
   * are given to would come behind it.
   */
  readonly pending: Map<number, Instant>;
  /** A command beside a running server cannot know its floors: it stamps above the lease. */
  readonly role: "server" | "visitor";
};

const AHEAD = 10 * SECOND;
/** While the clock runs ahead of the wall, a short lease keeps it from running further. */
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

export const readClock = (orm: Orm, role: ServerClock["role"]): ServerClock => {
  const { lease = 0 } = readServer(orm).get({}) ?? {};
  return { lease, floors: new Map(), pending: new Map(), start: lease, role };
};

/** The account's newest stamp. */
export const highWater = remembered(
  (orm, accountId: number): Instant => readHw(orm).get({ accountId })?.hw ?? 0,
);

/** Changes when the data were restored: a client that sees a new one pulls from nothing. */
export const readEpoch = remembered<void, string>((orm) => readServer(orm).get({})?.epoch ?? "");

export const floorOf = (clock: ServerClock, accountId: number): Instant =>
  clock.floors.get(accountId) ?? clock.start;

export const leaseFor = (instant: Instant, now: Instant): Instant =>
  instant + (instant > now ? AHEAD_OF_WALL : AHEAD);

/** By how many ms, at least, stamps are ahead of the wall; below 0 in an ordinary state of things. */
export const aheadOf = ({ lease }: ServerClock, now: Instant): number => lease - AHEAD - now;

/** A stamp, and the lease that holds once the transaction that uses it is committed. */
export type Stamp = {
  readonly changedAt: Instant;
  readonly lease: Instant;
  readonly raised: boolean;
};

/** The stamp that the account's records get in this transaction. */
export const nextStamp = (orm: Orm, clock: ServerClock, accountId: number, now: Instant): Stamp => {
  const { hw = 0, lease: onDisk = 0 } = readMarks(orm).get({ accountId }) ?? {};
  const floor = clock.role === "server" ? floorOf(clock, accountId) : onDisk;
  const changedAt = Math.max(now, hw + 1, floor + 1);
  clock.pending.set(accountId, changedAt);
  const lease = changedAt > onDisk ? leaseFor(changedAt, now) : onDisk;
  return { changedAt, lease, raised: lease > onDisk };
};

/** Writes down that the stamp is given, in the transaction of the records that get it. */
export const giveStamp = (
  orm: Orm,
  accountId: number,
  { changedAt, lease, raised }: Stamp,
): void => {
  writeHw(orm).run({ accountId, hw: changedAt });
  if (raised) raiseLease(orm).run({ lease });
};

/** At a graceful stop nothing is unknown: the next start need not begin further ahead than this. */
export const settleLease = (orm: Orm, clock: ServerClock): void => {
  const hw = highestHw(orm).get()?.hw ?? 0;
  orm
    .update(server)
    .set({ lease: Math.max(clock.start, hw, ...clock.floors.values()) })
    .run();
};
