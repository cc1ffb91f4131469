import type { Instant } from "../base/instant.ts";

// What is proved of the device that pushes: what it has seen, and which restores it has noticed. Nothing is inferred.

/** A `server_time` that a session was given with everything up to it, and when by the wall clock. */
export type Delivery = { readonly time: Instant; readonly at: Instant };

/**
 * What a session is known to have stored. `since` is the last cursor that it sent, if it was a `server_time` given to it:
 * that confirms every delivery up to there. `deliveries` are the last few, the oldest first; whether those after `since`
 * arrived is not known yet. `furthest` is the latest `since` that it has sent, at least since the server started. It may be
 * from before a restore. The device has noticed every restore before it.
 */
export type Ack = {
  readonly since: Instant | null;
  readonly deliveries: readonly Delivery[];
  readonly furthest: Instant | null;
};

export const NO_ACK: Ack = { since: null, deliveries: [], furthest: null };

/** How many deliveries are kept. */
const KEPT = 8;

/**
 * Returns the ack after a session sent `since` (null for none). Later replies did not arrive or were not stored. A `since`
 * that the session was never given, or a while ago, proves nothing. If it is later than the known one, the device may have
 * been given it before a crash, or with a part of what there was, so what was known stays.
 */
export const acknowledge = (ack: Ack, since: Instant | null): Ack => {
  const furthest = Math.max(since ?? 0, ack.furthest ?? 0) || null;
  if (since === null) return { ...NO_ACK, furthest };
  const deliveries = ack.deliveries.filter(({ time }) => time <= since);
  if (since === ack.since || deliveries.at(-1)?.time === since)
    return { since, deliveries, furthest };
  const isLater = ack.since !== null && since > ack.since;
  return isLater ? { since: ack.since, deliveries, furthest } : { ...NO_ACK, furthest };
};

/**
 * Adds what a session is about to be given. If there is nothing new in it, the device has held all of it since the
 * delivery that it has confirmed with the same request.
 */
export const deliver = (ack: Ack, delivery: Delivery, isEmpty: boolean): Ack => {
  const confirmed = ack.deliveries.find(({ time }) => time === ack.since);
  const added = isEmpty && confirmed ? { ...delivery, at: confirmed.at } : delivery;
  const others = ack.deliveries.filter(
    (one) => one.time !== added.time && (one.at !== added.at || one === confirmed),
  );
  return { ...ack, deliveries: [...others, added].slice(-KEPT) };
};

/** An edit: when it was made by the device's clock, and when it arrived by the server's. */
export type EditTime = { readonly updated: Instant; readonly now: Instant };

/** The confirmed deliveries, newest first. */
export const confirmed = ({ since, deliveries }: Ack): readonly Delivery[] =>
  deliveries.filter(({ time }) => since !== null && time <= since).toReversed();

/**
 * The newest confirmed delivery that is older than an edit: the device had seen everything up to it. Null if there is none.
 * One that is ahead of the server's clock was noted before that clock was set back, so its time says nothing.
 */
export const lastSeen = (ack: Ack, { updated, now }: EditTime): Delivery | null =>
  confirmed(ack).find(({ at }) => Math.min(updated, now) > at || at > now) ?? null;

/** A restore: the newest stamp in the backup, and a time that is later than every `server_time` given before. */
export type Restore = { readonly newest: Instant; readonly from: Instant };

/**
 * Returns the newest stamp in the backup of the first restore that a device has not noticed yet, or null if it has noticed
 * all: it has, once it has confirmed a pull from after it, even if another restore has made that unknown.
 */
export const unnoticed = (restores: readonly Restore[], { furthest }: Ack): Instant | null => {
  const later = restores.filter(({ from }) => (furthest ?? 0) < from);
  return later.length === 0 ? null : Math.min(...later.map(({ newest }) => newest));
};

/** What is known of the device that pushes. */
export type Holder = {
  readonly sessionId: string | null;
  readonly ack: Ack;
  /** The newest stamp in the backup of the first restore that it has not noticed; null if there is none. */
  readonly restored: Instant | null;
};

/**
 * Whether a version with this stamp can be the one that a device means by its `updated_at`. Until a device has noticed a
 * restore, the versions that it names are from before: a later one with that `updated_at` is another.
 */
export const canMean = ({ restored }: Holder, stamp: Instant | null): boolean =>
  restored === null || (stamp ?? 0) <= restored;
