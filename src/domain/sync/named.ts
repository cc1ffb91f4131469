import { parseInstant } from "../base/instant.ts";
import { sameJson } from "../base/payload.ts";
import { canMean, type Holder, type PushedEdit } from "./holder.ts";
import { type Candidate, nearest } from "./nearest.ts";
import type { PastStep, PastVersion } from "./past-step.ts";

/** The version that a device names. Null for `depth` if it was never stored as sent. */
export type Named = { readonly version: PastVersion; readonly depth: number | null };

/** Searches for the version that a device names, from the newest one back. */
export type NamedSearch = {
  /** Looks at the version `depth` changes ago, and at the step that led to it. */
  readonly look: (version: PastVersion, step: PastStep, depth: number, isOwn: boolean) => void;
  /** Looks at the oldest version that was read. */
  readonly end: (oldest: PastVersion, depth: number) => void;
  /** Returns what was found. */
  readonly found: () => Named | null;
  /** Whether nothing older comes into question. */
  readonly isOver: () => boolean;
};

/** A version with the stamp that the device names, and whether it is from before a restore that it has not noticed. */
type Match = Named & Pick<Candidate, "isOutdated" | "payload"> & { readonly isFromBefore: boolean };

/** Searches for the version that the device names, or the very one that it sends once more. */
export const findNamed = (holder: Holder, edit: PushedEdit): NamedSearch => {
  const { base, updatedAt, payload } = edit;
  const time = base === null ? null : (parseInstant(base) ?? 0);
  const wanted = base ?? updatedAt;
  // Newest first. Of two devices' edits with one stamp, each device names its own.
  const named: Match[] = [];
  let isOver = false;
  // The oldest version that is not older than the one that the device names, and whether an older one was found.
  let following: { version: PastVersion; depth: number; isOldest: boolean } | null = null;
  let missing: Named | null = null;
  // Whether the device has pushed this record after a restore that it has not noticed.
  let hasMet = false;

  // A reply to a push may have brought versions from after a restore, before the device notices that.
  const counts = ({ isFromBefore }: Match): boolean => hasMet || isFromBefore;

  const compare = (version: PastVersion, depth: number | null, isFromBefore: boolean): void => {
    if (isOver || version.updatedAt !== wanted) return;
    // After a restore, two versions may have got the same stamp.
    if (version.updatedAt === updatedAt && !sameJson(version.payload, payload)) return;
    named.push({ version, payload: version.payload, depth, isFromBefore, isOutdated: false });
  };

  const follow = (version: PastVersion, depth: number): void => {
    // One that a restore took may have any stamp.
    if (time === null || holder.restored !== null || following?.isOldest) return;
    const isOlder = (parseInstant(version.updatedAt) ?? 0) < time;
    if (!isOlder) following = { version, depth, isOldest: false };
    else if (following) following.isOldest = true;
  };

  return {
    look: (version, step, depth, isOwn) => {
      const isFromBefore = canMean(holder, step.stamp);
      if (isOwn && !isFromBefore) hasMet = true;
      follow(version, depth);
      if (version.updatedAt !== wanted && named.some(counts)) isOver = true;
      if (named.at(-1)?.depth !== depth) compare(version, depth, isFromBefore);
      // Nobody else was ever given what a device sent and the server did not store.
      if (step.refused && step.before && isOwn) compare(step.before, null, isFromBefore);
    },
    end: (oldest, depth) => {
      if (named.at(-1)?.depth !== depth) compare(oldest, depth, true);
      follow(oldest, depth);
      // A change that leaves the content as it was is not stored in the history. So a version that is missing there
      // was like the next one that is not.
      if (following?.isOldest) missing = following;
    },
    found: () => nearest(named.filter(counts), payload) ?? missing,
    isOver: () => isOver,
  };
};
