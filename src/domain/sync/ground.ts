import type { Instant } from "../base/instant.ts";
import type { RecordState } from "../base/record.ts";
import {
  canMean,
  confirmed,
  type Delivery,
  type EditTime,
  type Holder,
  lastSeen,
} from "./proof.ts";

/** A version of a record: its own stamp as its writer sent it, and the session that wrote it, if one did. */
export type PastVersion = RecordState & {
  readonly updatedAt: string;
  readonly sessionId: string | null;
};

/** The pushed edit, and what is known of its record. */
export type PushedEdit = EditTime & {
  readonly updatedAt: string;
  /** The `updated_at` of the version on which it was made, if the device says so. */
  readonly base: string | null;
  /** The stamp of that version, if the device names its revision: then that decides. */
  readonly baseStamp: Instant | null;
  /** Whether the device may not have looked at what it was given of the record while that was deleted. */
  readonly isFromMemory: boolean;
  /** When the record was first stored, by the wall clock. */
  readonly createdAt: Instant;
  /** The stamp after which all of its versions are still stored. */
  readonly historySince: Instant;
  /** The `updated_at` of the version that was clamped last: a later version may have got the same. */
  readonly clampedAs: string | null;
};

/** A stored version, and the change that made it. Of the oldest one, no step tells that. */
export type Stored = PastVersion & {
  readonly stamp: Instant | null;
  readonly isRest: boolean;
  readonly isOldest: boolean;
};

/** A version that was not stored as it was sent; `depth` says how many changes have followed. */
export type Sent = PastVersion & {
  readonly base: string | null;
  readonly isOwn: boolean;
  /** Whether it was merged, or clamped: the version at its depth was made of it. */
  readonly isMerged: boolean;
  readonly depth: number;
};

/** A record's past, the newest first, and whose push it is read for. */
export type Known = {
  readonly stored: readonly Stored[];
  readonly sent: readonly Sent[];
  readonly holder: Holder;
  readonly edit: PushedEdit;
};

/**
 * The stored version that a device is proved to have held, as the number of changes that have followed it, and what it
 * made and sent on top of that, the last first.
 */
export type Ground = {
  readonly depth: number;
  readonly sent: readonly Sent[];
  readonly isNamed: boolean;
  /** Whether the device names what it sent itself. */
  readonly isOwn?: boolean;
  /** Whether the version is not known on which it made what it sent. */
  readonly isUnknown?: boolean;
};

/**
 * Returns the version on which an edit is proved to have been made: the one that the device names, if the history has it; or
 * else the one of its last confirmed delivery before the edit. Null if neither is known.
 */
export const findGround = (known: Known): Ground | null => {
  const { base, baseStamp } = known.edit;
  const named = base === null ? null : findNamed(known, base, []);
  if (baseStamp === null) return named ?? findSeen(known);
  const stamped = findStamped(known, baseStamp);
  // Of what it sent itself, a device knows the revision only from the reply. Without that, `base` says more.
  const isOlder = stamped !== null && known.stored[stamped.depth]?.updatedAt !== base;
  return (named?.isOwn && (isOlder || stamped === null) ? named : stamped) ?? findSeen(known);
};

/** A change that leaves the content as it was is not in the history: the version before it is the same. */
const findStamped = ({ stored, edit }: Known, wanted: Instant): Ground | null => {
  const depth = stored.findIndex(({ stamp, isOldest }) =>
    isOldest ? wanted >= edit.historySince : stamp !== null && stamp <= wanted,
  );
  return depth < 0 ? null : { depth, sent: [], isNamed: true };
};

/** A version that the device sent is known to it by the stamp that it sent. It was made on another one in turn. */
const findNamed = (known: Known, name: string, above: readonly Sent[]): Ground | null => {
  const own = findStored(known, (one, at) => one.updatedAt === name && isOwn(known, one, at));
  // It may have been sent more than once.
  const sent = known.sent.findLast((one) => one.isOwn && one.updatedAt === name);
  const meant = (one: Stored, at: number): boolean => isMeant(known, one, at, name);
  const depth = own < 0 ? findStored(known, meant) : own;
  // Two versions may have got the same stamp: then the name does not tell which of them. But what was replaced before the
  // device's own arrived, it was not given since it made that.
  const isTwice = sent
    ? depth >= 0 && depth <= sent.depth
    : known.stored.findIndex(meant) !== depth;
  if (own < 0 && isTwice) return null;
  if (own < 0 && sent) return above.includes(sent) ? null : findBelow(known, sent, above);
  const isSent = own >= 0 || above.length > 0;
  return depth < 0 ? null : { depth, sent: above, isNamed: true, isOwn: isSent };
};

/**
 * Finds what a version was made on that the device sent. If the history does not have it, because only its stamp was
 * replaced since, the device has held at least what it sent.
 */
const findBelow = (known: Known, sent: Sent, above: readonly Sent[]): Ground | null => {
  const all = [...above, sent];
  const found = sent.base === null ? null : findNamed(known, sent.base, all);
  const unknown = { sent: all, isNamed: true, isOwn: true, isUnknown: true };
  return found ?? { depth: known.stored.length - 1, ...unknown };
};

/** Of two versions that devices made at one instant, it is the older one. */
const findStored = ({ stored }: Known, isIt: (version: Stored, at: number) => boolean): number =>
  stored.findLastIndex(isIt);

/** Whether the device sent a version just as it is stored. */
const isOwn = ({ holder, sent }: Known, { sessionId }: Stored, at: number): boolean =>
  sessionId !== null &&
  sessionId === holder.sessionId &&
  !sent.some(({ isOwn: isMine, isMerged, depth }) => isMine && isMerged && depth === at);

const isMeant = (known: Known, version: Stored, at: number, name: string): boolean =>
  version.updatedAt === name &&
  (name !== known.edit.clampedAs || isAnothers(known, name)) &&
  (canMean(known.holder, version.isOldest ? known.edit.createdAt : version.stamp) ||
    isOfClock(known, version, at));

/** Whether another session sent what was clamped: a device never sees that stamp of another's version. */
const isAnothers = ({ sent }: Known, name: string): boolean =>
  sent.some(({ isOwn: isMine, updatedAt }) => !isMine && updatedAt === name);

/**
 * Whether the server took the `updated_at` of a version from its clock, over REST or for a merge: its clock runs on, so no
 * version that a restore lost has the same. One that is a ms or two later than what it replaced was taken from that.
 */
const isOfClock = ({ stored, sent }: Known, { isRest, updatedAt }: Stored, at: number): boolean => {
  const merged = sent.filter((one) => one.depth === at && one.updatedAt !== updatedAt);
  const replaced = [...stored.slice(at + 1, at + 2), ...merged];
  return (
    (isRest || merged.length > 0) &&
    replaced.every((one) => Date.parse(updatedAt) > Date.parse(one.updatedAt) + 2)
  );
};

const findSeen = ({ stored, holder, edit }: Known): Ground | null => {
  const seen = lastSeen(holder.ack, edit);
  const depth = seen === null ? -1 : stored.findIndex((one) => isIn(seen, one, edit));
  return depth < 0 ? null : { depth, sent: [], isNamed: false };
};

/**
 * Whether a delivery has brought a version, or a later one. No step tells the stamp of the oldest version: it came before a
 * delivery if the record is older by the wall clock.
 */
const isIn = (
  { time, at }: Delivery,
  { stamp, isOldest }: Stored,
  { createdAt, historySince, now }: PushedEdit,
): boolean =>
  isOldest ? time >= historySince && createdAt < at && at <= now : stamp !== null && stamp <= time;

/**
 * Returns how many changes have followed the last version that the device is known to have been given while the record was
 * alive, from this depth on; -1 if there is none.
 */
export const findAlive = ({ stored, holder, edit }: Known, from: number): number =>
  stored.findIndex((one, at) => {
    const until = stored[at - 1]?.stamp ?? null;
    return (
      at >= from &&
      one.deletedAt === null &&
      confirmed(holder.ack).some(
        (delivery) => isIn(delivery, one, edit) && (until === null || delivery.time < until),
      )
    );
  });

/** Whether no older version can change what is proved. */
export const isEnough = (known: Known): boolean => {
  const { stored, holder, edit } = known;
  const [found, last] = [stored.at(-2), stored.at(-1)];
  if (!last) return false;
  // Of a record that was deleted, such a device knows what it was given while it was alive.
  const isSettled =
    !edit.isFromMemory ||
    stored.every(({ deletedAt }) => deletedAt === null) ||
    findAlive(known, 0) >= 0;
  const isStamped = edit.baseStamp === null || (last.stamp ?? Infinity) <= edit.baseStamp;
  if (edit.baseStamp !== null && edit.base === null) return isStamped && isSettled;
  if (edit.base !== null) {
    const name = nameSought(known, edit.base);
    if (!found || last.updatedAt === name || !isSettled) return false;
    const isSent = isOwn(known, found, stored.length - 2);
    return (
      isStamped &&
      (isSent ? found.updatedAt === name : isMeant(known, found, stored.length - 2, name))
    );
  }
  const seen = lastSeen(holder.ack, edit);
  const isSeen = seen !== null && isIn(seen, last, edit) && isSettled;
  return isSeen && !stored.some(({ isRest }) => isRest);
};

const nameSought = (known: Known, name: string): string =>
  known.sent.reduce(
    (sought, one) => (one.isOwn && one.updatedAt === sought ? (one.base ?? sought) : sought),
    name,
  );
