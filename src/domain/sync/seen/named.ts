import { parseInstant } from "../../base/instant.ts";
import { sameJson } from "../../base/payload.ts";
import { canMean, type Holder, type PushedEdit } from "./holder.ts";
import { type Candidate, nearest } from "./nearest.ts";
import type { PastStep, PastVersion } from "./past-step.ts";

/** The version that a device names. */
export type Named = {
  readonly version: PastVersion;
  /** How many changes have followed it. */
  readonly depth: number;
  /** Whether it is from before a restore that the device has not noticed. */
  readonly isFromBefore: boolean;
  /** Null if it was stored as it was sent. */
  readonly refused: {
    /** The version on which the device made it; null if that is not known. */
    readonly base: Named | null;
  } | null;
};

/** Searches for the version that a device names, from the newest one back. */
export type NamedSearch = {
  /** Looks at the version `depth` changes ago, and at the step that led to it. */
  readonly look: (version: PastVersion, step: PastStep, depth: number, isOwn: boolean) => void;
  /** Looks at the oldest version that was read. */
  readonly end: (oldest: PastVersion, depth: number) => void;
  /** Returns what was found. */
  readonly found: () => Named | null;
  /** Whether no older version that was stored comes into question. */
  readonly isOver: () => boolean;
};

/** A version with the stamp that the device names. */
type Match = Pick<Candidate, "isOutdated" | "payload"> &
  Pick<Named, "depth" | "isFromBefore" | "version"> & {
    readonly refused: { readonly bases: NamedSearch | null } | null;
  };

/** Searches for the version that the device names, or the very one that it sends once more. */
export const findNamed = (
  holder: Holder,
  { base, updatedAt, payload }: Pick<PushedEdit, "base" | "payload" | "updatedAt">,
): NamedSearch => {
  const time = base === null ? null : (parseInstant(base) ?? 0);
  const wanted = base ?? updatedAt;
  // Newest first. Of two devices' edits with one stamp, each device names its own.
  const matches: Match[] = [];
  let compared = -1;
  let isOver = false;
  // The oldest version that is not older than the one that the device names, and whether an older one was found.
  let following: { version: PastVersion; depth: number; isOldest: boolean } | null = null;
  let missing: Named | null = null;
  // Whether the device has pushed this record after a restore that it has not noticed.
  let hasMet = false;

  // A reply to a push may have brought versions from after a restore, before the device notices that.
  const counts = ({ isFromBefore }: Match): boolean => hasMet || isFromBefore;

  const compare = (
    version: PastVersion,
    found: Pick<Match, "depth" | "isFromBefore" | "refused">,
  ): void => {
    if (version.updatedAt !== wanted) return;
    // After a restore, two versions may have got the same stamp.
    if (version.updatedAt === updatedAt && !sameJson(version.payload, payload)) return;
    matches.push({ ...found, version, payload: version.payload, isOutdated: false });
  };

  const compareStored = (version: PastVersion, depth: number, isFromBefore: boolean): void => {
    if (!isOver && depth > compared) compare(version, { depth, isFromBefore, refused: null });
    compared = depth;
  };

  const compareRefused = (
    sent: PastVersion,
    step: PastStep,
    depth: number,
    isFromBefore: boolean,
  ): void => {
    const isNamed = step.base !== null && step.base !== sent.updatedAt;
    const bases = isNamed ? findNamed(holder, { ...sent, base: step.base }) : null;
    compare(sent, { depth, isFromBefore, refused: { bases } });
  };

  const follow = (version: PastVersion, depth: number): void => {
    // One that a restore took may have any stamp.
    if (time === null || holder.restored !== null || following?.isOldest) return;
    const isOlder = (parseInstant(version.updatedAt) ?? 0) < time;
    if (!isOlder) following = { version, depth, isOldest: false };
    else if (following) following.isOldest = true;
  };

  const searches = (): readonly NamedSearch[] =>
    matches.flatMap(({ refused }) => refused?.bases ?? []);

  return {
    look: (version, step, depth, isOwn) => {
      // What a device sent was made on something older than the answer.
      for (const search of searches()) search.look(version, step, depth, isOwn);
      const isFromBefore = canMean(holder, step.stamp);
      if (isOwn && !isFromBefore) hasMet = true;
      follow(version, depth);
      // What was refused may have been stored before, and is sent again.
      const isFound = matches.some((match) => counts(match) && match.refused === null);
      if (version.updatedAt !== wanted && isFound) isOver = true;
      compareStored(version, depth, isFromBefore);
      // Nobody else was ever given what a device sent and the server did not store.
      if (step.refused && step.before && isOwn)
        compareRefused(step.before, step, depth, isFromBefore);
    },
    end: (oldest, depth) => {
      for (const search of searches()) search.end(oldest, depth);
      compareStored(oldest, depth, true);
      follow(oldest, depth);
      // A change that leaves the content as it was is not stored in the history. So a version that is missing there
      // was like the next one that is not.
      if (following?.isOldest) missing = { ...following, isFromBefore: true, refused: null };
    },
    found: () => {
      const match = nearest(matches.filter(counts), payload);
      if (!match) return missing;
      const { version, depth, isFromBefore, refused } = match;
      const sent = refused && { base: refused.bases?.found() ?? null };
      return { version, depth, isFromBefore, refused: sent };
    },
    isOver: () => isOver && searches().every((search) => search.isOver()),
  };
};
