import type { Instant } from "../base/instant.ts";

/**
 * A `server_time` that a session was given, and when. That of a page is earlier than the instant it was given
 * at.
 */
export type Issued = {
  readonly time: Instant;
  readonly at: Instant;
  /**
   * Set if records stamped before it were delivered later: on a page, or because something was written
   * meanwhile.
   */
  readonly partial?: true;
};

/**
 * What a session is known to have stored. `since` is the last cursor it sent, if it was a `server_time` given
 * to it: that proves the device has everything up to there. `issued` lists the times it was given, in order.
 * Those up to `since` arrived; whether later ones did is not known yet.
 */
export type Ack = { readonly since: Instant | null; readonly issued: readonly Issued[] };

export const NO_ACK: Ack = { since: null, issued: [] };

/** How many of the newest are kept, and how many of the older ones. */
const KEPT = 8;
const KEPT_BEFORE = 16;

/**
 * Returns the ack after a session sent `since` (null for none). Later replies did not arrive or were not
 * stored: the device has data up to `since` and no further. A `since` that the session was never given proves
 * nothing.
 */
export const acknowledge = (ack: Ack, since: Instant | null): Ack => {
  if (since === null || !ack.issued.some(({ time }) => time === since)) return NO_ACK;
  return { since, issued: ack.issued.filter(({ time }) => time <= since) };
};

/**
 * Adds a `server_time` that the session is about to be given. The last 8 are kept, and progressively fewer of
 * the older ones. Old deliveries matter: if one were mistaken for a recent one, a device whose clock is
 * slightly behind could never remove what an agent filed.
 */
export const issue = (ack: Ack, issued: Issued): Ack => {
  const all = [...ack.issued.filter(({ time }) => time !== issued.time), issued];
  return { ...ack, issued: all.length > KEPT + KEPT_BEFORE ? thinned(all, issued.at) : all };
};

/** Drops the one that matters least: the one whose neighbours are closest together for their age. */
const thinned = (issued: readonly Issued[], now: Instant): readonly Issued[] => {
  const gaps = issued.slice(0, -KEPT).map((one, index) => {
    const [before, after] = [issued[index - 1], issued[index + 1] ?? one];
    return before ? (after.at - before.at) / (now - before.at + 1) : Number.POSITIVE_INFINITY;
  });
  return issued.toSpliced(gaps.indexOf(Math.min(...gaps)), 1);
};

/**
 * Whether an edit that a device made at `updated`, by its own clock, was made with knowledge of what the
 * server stamped with `stamp`: that must have been delivered before the edit, and the ack must prove it. A
 * record that was written again counts with its newest stamp, and only a complete reply is sure to have
 * included everything before it.
 */
export const knows = ({ since, issued }: Ack, stamp: Instant, updated: Instant): boolean => {
  const delivery = issued.find(({ time, partial }) => !partial && time >= stamp);
  return (
    since !== null && delivery !== undefined && delivery.time <= since && updated > delivery.at
  );
};
