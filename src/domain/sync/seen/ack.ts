import type { Instant } from "../../base/instant.ts";

/** A `server_time` that a session was given, and when by the wall clock. */
export type Issued = {
  readonly time: Instant;
  readonly at: Instant;
  /**
   * Set if records stamped before it were delivered later: on a page, or because something was written
   * meanwhile.
   */
  readonly partial?: true;
  /** Set if others that were given after the one before it and before this one are not known any more. */
  readonly afterGap?: true;
};

/**
 * What a session is known to have stored. `since` is the last cursor it sent, if it was a `server_time` given
 * to it: that proves the device has everything up to there. `issued` lists the times it was given, in order.
 * Those up to `since` arrived; whether later ones did is not known yet. `furthest` is the latest `since` that it has sent,
 * at least since the server started. It may be from before a restore. The device has noticed every restore before it.
 */
export type Ack = {
  readonly since: Instant | null;
  readonly issued: readonly Issued[];
  readonly furthest: Instant | null;
  /** Set if more may have been given since the last of `issued`: what was not saved is lost in a crash. */
  readonly mayLack?: true;
};

export const NO_ACK: Ack = { since: null, issued: [], furthest: null };

/** How many of the newest are kept, and how many of the older ones. */
const KEPT = 8;
const KEPT_BEFORE = 16;

/**
 * Returns the ack after a session sent `since` (null for none). Later replies did not arrive or were not
 * stored: the device has data up to `since` and no further. A `since` that the session was never given proves
 * nothing. If it is later than the known one, the device may have been given it before a crash or a restore,
 * so what was known stays.
 */
export const acknowledge = (ack: Ack, since: Instant | null): Ack => {
  const furthest = Math.max(since ?? 0, ack.furthest ?? 0) || null;
  if (since !== null && ack.issued.some(({ time }) => time === since))
    return { since, issued: ack.issued.filter(({ time }) => time <= since), furthest };
  const isAfterLoss = since !== null && ack.since !== null && since > ack.since;
  if (isAfterLoss) return { ...ack, furthest };
  return { ...NO_ACK, furthest, ...(since !== null && ack.mayLack ? { mayLack: true } : {}) };
};

/**
 * Adds a `server_time` that the session is about to be given. The last 8 are kept, and progressively fewer of
 * the older ones. Old deliveries matter: if one were mistaken for a recent one, a device whose clock is
 * slightly behind could never remove what an agent filed.
 */
export const issue = ({ mayLack, ...ack }: Ack, issued: Issued): Ack => {
  const before = ack.issued.find(({ time }) => time === issued.time);
  const isAfterGap = mayLack ?? before?.afterGap;
  const all = [
    ...ack.issued.filter((one) => one !== before),
    isAfterGap ? { ...issued, afterGap: true as const } : issued,
  ];
  return { ...ack, issued: all.length > KEPT + KEPT_BEFORE ? thinned(all, issued.at) : all };
};

/** Drops the one that matters least: the one whose neighbours are closest together for their age. */
const thinned = (issued: readonly Issued[], now: Instant): readonly Issued[] => {
  const gaps = issued.slice(0, -KEPT).map((one, index) => {
    const [before, after] = [issued[index - 1], issued[index + 1] ?? one];
    return before ? (after.at - before.at) / (now - before.at + 1) : Number.POSITIVE_INFINITY;
  });
  const at = gaps.indexOf(Math.min(...gaps));
  return issued
    .map((one, index) => (index === at + 1 ? { ...one, afterGap: true as const } : one))
    .toSpliced(at, 1);
};

/** An edit: when it was made by the device's clock, and when it arrived by the server's. */
export type EditTime = { readonly updated: Instant; readonly now: Instant };

/**
 * Whether an edit was made after a delivery, as far as the clocks can tell. A delivery that is ahead of the
 * server's clock was noted before that clock was set back, so it says nothing, and the ack decides.
 */
export const isAfter = ({ at }: Issued, { updated, now }: EditTime): boolean =>
  Math.min(updated, now) > at || at > now;

/**
 * Whether an edit was made with knowledge of what the server stamped with `stamp`: that must have been
 * delivered before the edit, and the ack must prove it. A record that was written again counts with its
 * newest stamp, and only a complete reply is sure to have included everything before it.
 */
export const knows = ({ since, issued }: Ack, stamp: Instant, edit: EditTime): boolean => {
  const delivery = issued.find(({ time, partial }) => !partial && time >= stamp);
  return (
    since !== null && delivery !== undefined && delivery.time <= since && isAfter(delivery, edit)
  );
};

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
