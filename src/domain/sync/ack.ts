import type { Instant } from "../base/instant.ts";

/** A `server_time` that a session was given, and when: a page's lies before the moment it was given at. */
export type Issued = {
  readonly time: Instant;
  readonly at: Instant;
  /** Set where something stamped before it came later: on a page, or since something was written meanwhile. */
  readonly partial?: true;
};

/**
 * What a session is known to have stored. `since` is the last one that it sent, if that was a `server_time`
 * given to it: it proves that the device has everything up to there. `issued` are those it was given, in
 * their order: up to `since` they arrived, after it nobody knows yet.
 */
export type Ack = { readonly since: Instant | null; readonly issued: readonly Issued[] };

export const NO_ACK: Ack = { since: null, issued: [] };

/** So many of the last are kept, and so many before them. */
const KEPT = 8;
const KEPT_BEFORE = 16;

/**
 * What a session's `since` (null for none) says of it. Whatever it was given after that did not arrive, or
 * was not stored: the device stands where it says. One that was not given to it proves nothing.
 */
export const acknowledge = (ack: Ack, since: Instant | null): Ack => {
  if (since === null || !ack.issued.some(({ time }) => time === since)) return NO_ACK;
  return { since, issued: ack.issued.filter(({ time }) => time <= since) };
};

/**
 * A session is about to be given a `server_time`. The last 8 are kept, and of those before ever fewer the
 * longer ago they are: when something old was delivered must not be taken for a moment ago, or a device
 * whose clock is a little behind could never take away what an agent filed.
 */
export const issue = (ack: Ack, issued: Issued): Ack => {
  const all = [...ack.issued.filter(({ time }) => time !== issued.time), issued];
  return { ...ack, issued: all.length > KEPT + KEPT_BEFORE ? thinned(all, issued.at) : all };
};

/** Without the one that is missed least: whose neighbours lie closest together for their age. */
const thinned = (issued: readonly Issued[], now: Instant): readonly Issued[] => {
  const gaps = issued.slice(0, -KEPT).map((one, index) => {
    const [before, after] = [issued[index - 1], issued[index + 1] ?? one];
    return before ? (after.at - before.at) / (now - before.at + 1) : Number.POSITIVE_INFINITY;
  });
  return issued.toSpliced(gaps.indexOf(Math.min(...gaps)), 1);
};

/**
 * Whether an edit that a device made at `updated`, by its own clock, was made in the knowledge of what the
 * server stamped with `stamp`: it must have been delivered by then, and the ack must say so. A record that was
 * written again goes with its newest stamp: only a whole reply is sure to have held all that came before it.
 */
export const knows = ({ since, issued }: Ack, stamp: Instant, updated: Instant): boolean => {
  const delivery = issued.find(({ time, partial }) => !partial && time >= stamp);
  return (
    since !== null && delivery !== undefined && delivery.time <= since && updated > delivery.at
  );
};
