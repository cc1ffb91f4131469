import { DAY, type Instant, MINUTE, parseInstant } from "../base/instant.ts";
import type { Change } from "./change.ts";
import type { AppliedAs, Clamp, Pushed } from "../records/row.ts";
import { wyhash64 } from "../base/hash.ts";
import { canonical, type Payload } from "../base/payload.ts";
import { compareTexts } from "../base/text.ts";

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

/** How far a device's stamp may be ahead of the server's clock and still be stored as sent. */
const TOLERANCE = 5 * MINUTE;
/** How long a clamped stamp keeps other stamps that are also ahead, but not above it, from winning. */
const CLAMP_MEMORY = DAY;

/** The parts of a stored record that decide which version wins. */
export type Stored = {
  readonly updated: Instant;
  /** Its stamp as devices were given it. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly payloadText: string;
  readonly payload: Payload;
  readonly clamp: Clamp | null;
  /** Null if no device ever pushed it. */
  readonly pushed: Pushed | null;
};

/**
 * `updated` is the stamp to store; `clamp` is set if that differs from the stamp sent. `repeated`: the version
 * is what a device pushed last, and was not stored as sent. `late`: newer than what any device pushed, older
 * only than what was written over REST since.
 */
export type Verdict =
  | { readonly outcome: "applied"; readonly updated: Instant; readonly clamp: Clamp | null }
  | { readonly outcome: "repeated"; readonly as: AppliedAs }
  | { readonly outcome: "late" }
  | { readonly outcome: "same" }
  | { readonly outcome: "same_clamped"; readonly merged: boolean }
  | { readonly outcome: "stale" };

/**
 * Judges one pushed record against the stored one. The greater of (updated_at, tombstone over live, canonical
 * payload) wins. The order is total, so the same pushes in any order, repeated or split, end in the same
 * rows. An identical record is a no-op, so a retry changes nothing.
 */
export const judge = (stored: Stored | null, change: Change, now: Instant): Verdict => {
  const clamp = stored?.clamp ?? null;
  // A version that the device was given has the server's own stamp, even if the server's clock was set back since.
  const ahead = !isGiven(change) && change.updated > now + TOLERANCE;
  const content = ahead || clamp?.raw === change.updated ? contentOf(change) : "";
  if (clamp && clamp.raw === change.updated && clamp.content === content)
    return { outcome: "same_clamped", merged: isMergedAgain(stored?.pushed ?? null, change) };
  const order = stored === null ? 1 : compare(change, stored);
  if (order === 0) return { outcome: "same" };
  // However far ahead its stamp is: a version that has to be clamped never wins over one that is newer as
  // sent.
  if (stored && order < 0) return judgeOlder(stored, change);
  // After a restore, an edit may have got the stamp of a version that was lost. Sent again, that does not win.
  if (stored && isGiven(change) && change.updated === stored.updated) return { outcome: "stale" };
  if (!ahead) return { outcome: "applied", updated: change.updated, clamp: null };
  const remembered = clamp !== null && now < clamp.at + CLAMP_MEMORY;
  // An edit of the clamped version, or of a later one, is later than that, whatever stamp that was sent with.
  const base = parseInstant(change.base ?? "");
  const last = stored?.pushed?.updated ?? stored?.updated ?? Number.POSITIVE_INFINITY;
  const isNext = base !== null && base >= last;
  if (remembered && change.updated <= clamp.raw && !isNext) return { outcome: "stale" };
  return {
    outcome: "applied",
    updated: Math.max(now, (stored?.updated ?? 0) + 1),
    clamp: { raw: change.updated, content, at: now },
  };
};

/** A stored version: its own stamp, and the stamp of the transaction that stored it. */
type Written = Pick<Stored, "updated"> & { readonly changedAt: Instant };

/**
 * Whether a later version is stored than the device expects, if it expects one. Then nothing is taken: the device makes
 * its edit again, on the later version. `restored` is the newest stamp in the backup of a restore that the device has not
 * noticed, or null: what was written since is later than what it knows, whatever its stamp. It does not hold for what is
 * the stored version itself, sent again; nor for a version that the device was given, if that does not win.
 */
export const isOvertaken = (
  { updated, changedAt }: Written,
  change: Change,
  { outcome }: Verdict,
  restored: Instant | null,
): boolean => {
  const { expected } = change;
  if (expected === null || outcome === "same" || outcome === "same_clamped") return false;
  if (isGiven(change) && outcome !== "applied") return false;
  return updated > expected || (restored !== null && changedAt > restored && updated !== expected);
};

/** Whether a device sends a version again that it was given. */
export const isGiven = ({ base, updatedAt }: Change): boolean => base === updatedAt;

const isMergedAgain = (pushed: Pushed | null, change: Change): boolean =>
  pushed?.as === "merged" && pushed.content === pushedContent(change);

const judgeOlder = ({ pushed }: Stored, change: Change): Verdict => {
  if (pushed?.updated === change.updated && pushed.content === pushedContent(change))
    return { outcome: "repeated", as: pushed.as };
  return { outcome: pushed === null || change.updated > pushed.updated ? "late" : "stale" };
};

/** Hashes exactly what was pushed, to recognise a retry. */
export const pushedContent = (change: Change): string =>
  wyhash64(`${change.deletedAt ?? "live"} ${change.payloadText}`).toString(36);

/**
 * Above 0 if the change wins, 0 if both are the same version. The time of deletion is compared last: without
 * it, of two tombstones that differ in nothing else the first to arrive would win.
 */
const compare = (change: Change, stored: Stored): number =>
  change.updated - stored.updated ||
  Number(change.deletedAt !== null) - Number(stored.deletedAt !== null) ||
  comparePayloads(change, stored) ||
  compareTexts(change.deletedAt ?? "", stored.deletedAt ?? "");

const comparePayloads = (change: Change, stored: Stored): number =>
  change.payloadText === stored.payloadText
    ? 0
    : compareTexts(canonical(change.payload), canonical(stored.payload));

/** Hashes a change's content, regardless of its stamp and the order of its fields. */
const contentOf = (change: Change): string =>
  new Bun.CryptoHasher("sha256")
    .update(`${change.deletedAt ?? "live"} ${canonical(change.payload)}`)
    .digest("base64url");
