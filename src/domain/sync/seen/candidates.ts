import type { Instant } from "../../base/instant.ts";
import type { RecordState } from "../../base/record.ts";
import { isAfter } from "./ack.ts";
import type { Holder, PushedEdit } from "./holder.ts";
import type { Candidate } from "./nearest.ts";
import type { PastStep, PastVersion } from "./past-step.ts";

/** The versions on which an edit may have been made. */
export type Candidates = {
  /** Newest first. */
  readonly list: readonly Candidate[];
  /** How many changes have followed the last version that the device is certain to have taken over whole. */
  readonly floor: number | null;
  /** Whether the record was deleted, as far as the device knew. */
  readonly isDeleted: boolean;
  /** Whether the device may have held something older than all of them. */
  readonly isOpen: boolean;
};

/** Gathers the versions that the device was given or pushed itself, from the newest one back. */
export type CandidateSearch = {
  /** Looks at the version `depth` changes ago, and at the step that led to it. */
  readonly look: (version: PastVersion, step: PastStep, depth: number, isOwn: boolean) => void;
  /** Looks at the oldest version that was read. All that was stamped after `since` was looked at. */
  readonly end: (oldest: PastVersion, depth: number, since: Instant) => void;
  /** Returns what was found so far. */
  readonly found: () => Candidates;
};

/**
 * A device held the last version that was delivered to it before the edit, or a later one that it pushed itself. Only
 * versions in which the record was alive count.
 */
export const gatherCandidates = (holder: Holder, edit: PushedEdit): CandidateSearch => {
  const { since, issued } = holder.ack;
  // Those that the device has confirmed and that were not looked at yet, newest first.
  const deliveries = issued.filter(({ time }) => since !== null && time <= since).toReversed();
  const list: Candidate[] = [];
  const notAsSent = new Set<Instant | null>();
  // Whether the last candidate is certain, so that no older version comes into question.
  let isClosed = false;
  let floor: number | null = null;
  // Whether the device's clock says that the edit is older than what was delivered.
  let isDoubtful = false;
  // Whether what is looked at may have been delivered in a reply that is not known any more.
  let isInGap = false;
  let isDeleted: boolean | null = null;

  const consider = (
    { payload, deletedAt }: RecordState,
    depth: number,
    { isSure, wasStored = true }: { isSure: boolean; wasStored?: boolean },
  ): void => {
    if (floor !== null) return;
    isDeleted ??= deletedAt !== null;
    if (deletedAt !== null) return;
    const isOutdated = isDoubtful && !wasStored;
    if (!isClosed) list.push({ payload, depth, isOutdated, wasStored, isSeen: true });
    if (!isSure) return;
    isClosed = true;
    floor = depth;
  };

  // The device holds what it sent, or what it was given for that. What was not in the version that it had before then, it
  // has not seen in either case: the search for that one goes on.
  const considerSent = (given: RecordState, sent: RecordState, depth: number): void => {
    if (isClosed) return;
    consider(given, depth, { isSure: false });
    consider(sent, depth, { isSure: false, wasStored: false });
    isClosed = sent.deletedAt === null;
  };

  // Takes the deliveries that brought this version. One that is forgotten may have brought it before an edit that is older
  // than all that are known.
  const deliver = (version: PastVersion, depth: number, stamp: Instant): void => {
    if (isInGap && isDoubtful) consider(version, depth, { isSure: false });
    while ((deliveries[0]?.time ?? -1) >= stamp) {
      const one = deliveries.shift();
      if (!one) continue;
      isInGap = one.afterGap ?? false;
      // A row that was written again while the reply was sent may not have been in it, and counts only where it is open
      // what the device held.
      const isWhole = !one.partial || depth === 0;
      if (!isWhole && !isDoubtful) continue;
      // If the device names a version, it made the edit on what it had confirmed, whatever its clock says.
      const isSure = isWhole && (edit.base !== null || isAfter(one, edit));
      consider(version, depth, { isSure });
      if (!isSure) isDoubtful = true;
    }
  };

  return {
    look: (version, step, depth, isOwn) => {
      if (step.stamp !== null) deliver(version, depth, step.stamp);
      if (!isOwn) return;
      if (step.refused) {
        // A device that names another version did not make the edit on what it sent here.
        if (step.before && edit.base === null) considerSent(version, step.before, depth);
        if (step.before) notAsSent.add(step.stamp);
      } else if (step.via === "sync" && !notAsSent.has(step.stamp))
        consider(version, depth, { isSure: true });
    },
    end: (oldest, depth, all) => {
      // No step says who made the first version.
      if (holder.sessionId !== null && oldest.sessionId === holder.sessionId)
        consider(oldest, depth, { isSure: true });
      deliver(oldest, depth, all);
    },
    found: () => ({
      list,
      floor,
      isDeleted: isDeleted ?? false,
      isOpen: !isClosed && isDoubtful,
    }),
  };
};
