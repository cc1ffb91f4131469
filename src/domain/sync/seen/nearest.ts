import { differingFields, listField, type Payload } from "../../base/payload.ts";
import { CHILD_LISTS } from "../../tasks/child.ts";
import { counterparts } from "../../tasks/counterpart.ts";

/** A version on which the edit may have been made. */
export type Candidate = {
  readonly payload: Payload;
  readonly depth: number;
  /** Whether the device has confirmed a later version, and only its clock speaks for this one, which it sent itself. */
  readonly isOutdated: boolean;
  readonly wasStored: boolean;
  /** Whether the device has seen all of it, if the edit was made on it. */
  readonly isSeen: boolean;
};

/**
 * Returns the candidate from which the pushed content differs least, the older one of two. An edit changes something, so
 * what is equal to a push that was merged, and whose result has arrived since, was not made on that.
 */
export const nearest = <C extends Pick<Candidate, "isOutdated" | "payload">>(
  candidates: readonly C[],
  pushed: Payload,
): C | null => {
  const [newest] = candidates;
  if (!newest || candidates.length === 1) return newest ?? null;
  const far = candidates
    .map((candidate) => ({ candidate, by: distance(candidate.payload, pushed) }))
    .filter(({ candidate, by }) => by > 0 || !candidate.isOutdated);
  const least = Math.min(...far.map(({ by }) => by));
  return far.findLast(({ by }) => by === least)?.candidate ?? newest;
};

/** How many fields, tabs and notes differ. */
const distance = (one: Payload, other: Payload): number => {
  const differing = differingFields(one, other);
  const items = CHILD_LISTS.filter((list) => differing.includes(list)).map((list) => {
    const [before, after] = [listField(one, list), listField(other, list)];
    const kept = counterparts(list, before, after).filter((at) => at !== null).length;
    return before.length + after.length - 2 * kept;
  });
  return differing.length + items.reduce((sum, count) => sum + count, 0);
};
