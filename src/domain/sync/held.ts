import { type Payload, sameJson } from "../base/payload.ts";
import type { Instant } from "../base/instant.ts";
import type { RecordState } from "../base/record.ts";
import { type Ack, type EditTime, isAfter, type Issued } from "./ack.ts";
import { type Candidate, nearest } from "./nearest.ts";
import type { PastStep, PastVersion } from "./past-step.ts";

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

/**
 * The pushed edit. `base` is the `updated_at` of the version on which it was made, if the device says so; the edit's own
 * if the device was given this very version and sends it again.
 */
export type PushedEdit = EditTime & {
  readonly updatedAt: string;
  readonly payload: Payload;
  readonly isDeleted: boolean;
  readonly base: string | null;
};

/** The version on which an edit was made. */
export type Held = {
  /** Its content, and how many changes have followed it. */
  readonly payload: Payload;
  readonly depth: number;
  /** How many changes have followed the last version that the device is certain to have taken over whole. */
  readonly floor: number;
  /** The content whose tabs and notes the device has seen; null if that is not known. */
  readonly seen: Payload | null;
  /** Whether the record was ever stored like this. */
  readonly wasStored: boolean;
  /** Whether the record was deleted, as far as the device knew. */
  readonly isDeleted: boolean;
};

type Found = Pick<Candidate, "depth" | "payload" | "wasStored">;

/** What was found so far. */
type Search = {
  /** Deliveries that the device has confirmed and that were not looked at yet, newest first. */
  readonly deliveries: Issued[];
  /** Newest first. */
  readonly candidates: Candidate[];
  /** Whether the last candidate is certain, so that no older version comes into question. */
  isClosed: boolean;
  /** How many changes have followed the last version that the device is certain to have taken over whole. */
  floor: number | null;
  /** Whether the device's clock says that the edit is older than what was delivered. */
  isDoubtful: boolean;
  /** The stamps of pushes that were not stored as sent. */
  readonly notAsSent: Set<Instant | null>;
  isDeleted: boolean | null;
  /** Whether the device has pushed this record after a restore that it has not noticed. */
  hasMet: boolean;
  /** The version that the device names. Null for `depth` if it was never stored as sent. */
  named: { readonly version: PastVersion; readonly depth: number | null } | null;
  /** The version at the time of the edit, by the wall clock. */
  timed: Found | null;
  /** The version in the backup from which the data were last restored. */
  restored: Found | null;
};

/** Searches for the version on which an edit was made, while the record's past is read from the newest version back. */
export type HeldSearch = {
  /** Looks at the version `depth` changes ago, and at the step that led to it. Returns whether the search is over. */
  readonly look: (version: PastVersion, step: PastStep, depth: number) => boolean;
  /** Ends the search at the oldest version that was read. All that was stamped after `since` was looked at. */
  readonly end: (oldest: PastVersion, depth: number, since: Instant) => Held;
};

/**
 * A device may name the version on which it made an edit. If it does not, it held the last version that was delivered to
 * it before the edit, or a later one that it pushed itself. Of those only versions in which the record was alive count.
 *
 * Where several versions come into question, the edit was made on the one from which it differs least:
 * - A push that was not stored as sent: the device holds what it sent, or has taken over the row from the reply.
 * - A delivery that is later than the edit by the device's clock: the edit was made before it, or the clock is slow.
 * If two are equally near, it is the older one: then nothing is lost, and at worst a tab comes back once.
 */
export const findHeld = (holder: Holder, edit: PushedEdit): HeldSearch => {
  const { sessionId, ack, restored } = holder;
  const { since } = ack;
  const search: Search = {
    deliveries: ack.issued.filter(({ time }) => since !== null && time <= since).toReversed(),
    candidates: [],
    isClosed: false,
    floor: null,
    isDoubtful: false,
    notAsSent: new Set(),
    hasMet: false,
    isDeleted: null,
    named: null,
    timed: null,
    restored: null,
  };
  const isOwn = ({ byKind, byId }: PastStep): boolean =>
    sessionId !== null && byKind === "session" && byId === sessionId;
  return {
    look: (version, step, depth) => {
      // A reply to a push may have brought versions from after a restore, before the device notices that.
      if (isOwn(step) && !canMean(holder, step.stamp)) search.hasMet = true;
      const isMeant = search.hasMet || canMean(holder, step.stamp);
      if (isMeant) lookFor(search, edit, version, depth);
      while (step.stamp !== null && (search.deliveries[0]?.time ?? -1) >= step.stamp)
        deliver(search, edit, version, depth);
      if (step.refused && step.before) {
        if (isMeant) lookFor(search, edit, step.before, null);
        if (isOwn(step)) considerSent(search, version, step.before, depth);
        if (isOwn(step)) search.notAsSent.add(step.stamp);
      }
      if (!step.refused) {
        const isAsSent = step.via === "sync" && !search.notAsSent.has(step.stamp);
        if (isOwn(step) && isAsSent) consider(search, version, depth, true);
        const found = { payload: version.payload, depth, wasStored: true };
        if (version.deletedAt === null && step.at <= edit.updated) search.timed ??= found;
        if (restored !== null && (step.stamp ?? 0) <= restored) search.restored ??= found;
      }
      return isOver(search, edit);
    },
    end: (oldest, depth, all) => {
      lookFor(search, edit, oldest, depth);
      // No step says who made the first version.
      if (sessionId !== null && oldest.sessionId === sessionId)
        consider(search, oldest, depth, true);
      while ((search.deliveries[0]?.time ?? -1) >= all) deliver(search, edit, oldest, depth);
      const first = { payload: oldest.payload, depth, wasStored: true };
      if (restored !== null) search.restored ??= first;
      // If all that is known was delivered after the edit, the device held something that was there before.
      if (!search.isClosed && search.isDoubtful)
        search.candidates.push({ ...(search.timed ?? first), isOutdated: false, isSeen: false });
      return heldIn(search, edit, since !== null, first);
    },
  };
};

const isOver = ({ named, floor }: Search, { base }: PushedEdit): boolean =>
  named === null ? floor !== null && base === null : named.depth !== null || floor !== null;

/** Whether this is the version that the device names, or the very one that it sends once more. */
const lookFor = (
  search: Search,
  { base, updatedAt, payload }: PushedEdit,
  version: PastVersion,
  depth: number | null,
): void => {
  if (search.named || version.updatedAt !== (base ?? updatedAt)) return;
  // After a restore, two versions may have got the same stamp.
  if (version.updatedAt === updatedAt && !sameJson(version.payload, payload)) return;
  search.named = { version, depth };
};

const consider = (
  search: Search,
  { payload, deletedAt }: RecordState,
  depth: number,
  isSure: boolean,
  wasStored = true,
): void => {
  if (search.floor !== null) return;
  search.isDeleted ??= deletedAt !== null;
  if (deletedAt !== null) return;
  if (!search.isClosed)
    search.candidates.push({
      payload,
      depth,
      isOutdated: search.isDoubtful && !wasStored,
      wasStored,
      isSeen: true,
    });
  if (!isSure) return;
  search.isClosed = true;
  search.floor = depth;
};

/**
 * The device holds what it sent, or what it was given for that. What was not in the version that it had before then, it
 * has not seen in either case: the search for that one goes on.
 */
const considerSent = (
  search: Search,
  given: RecordState,
  sent: RecordState,
  depth: number,
): void => {
  if (search.isClosed) return;
  consider(search, given, depth, false);
  consider(search, sent, depth, false, false);
  search.isClosed = sent.deletedAt === null;
};

/** Takes the next delivery, which brought this version. */
const deliver = (search: Search, edit: PushedEdit, version: PastVersion, depth: number): void => {
  const one = search.deliveries.shift();
  // A row that was written again while the reply was sent may not have been in it.
  if (!one || (one.partial && depth > 0)) return;
  const isSure = isAfter(one, edit);
  consider(search, version, depth, isSure);
  if (!isSure) search.isDoubtful = true;
};

const heldIn = (
  { candidates, floor: last, isDeleted, named, timed, restored }: Search,
  edit: PushedEdit,
  hasAck: boolean,
  oldest: Found,
): Held => {
  const floor = last ?? oldest.depth;
  if (named) {
    const { payload, deletedAt } = named.version;
    const [depth, wasStored] = [named.depth ?? floor, named.depth !== null];
    return {
      payload,
      depth,
      floor: depth,
      seen: payload,
      wasStored,
      isDeleted: deletedAt !== null,
    };
  }
  // A version that is unknown here was lost in a restore: it holds what was in the backup, and nothing that came since.
  if (edit.base !== null && restored) {
    const { payload } = edit.base === edit.updatedAt ? edit : restored;
    const { depth } = restored;
    const { isDeleted: isGone } = edit;
    return { payload, depth, floor: depth, seen: payload, wasStored: false, isDeleted: isGone };
  }
  const found = nearest(candidates, edit.payload);
  const seen = found?.isSeen ? found.payload : null;
  const rest = { floor, seen, isDeleted: isDeleted ?? false };
  if (found && (hasAck || found.depth < (timed ?? oldest).depth))
    return { ...rest, payload: found.payload, wasStored: found.wasStored, depth: floor };
  // Without an ack, an edit counts as made with knowledge of the fields as they were at its time.
  return { ...rest, ...(hasAck ? oldest : (timed ?? oldest)) };
};
