import { fieldValue, listField, type Payload, sameJson } from "../base/payload.ts";
import type { Instant } from "../base/instant.ts";
import type { RecordState } from "../base/record.ts";
import { CHILD_LISTS } from "../tasks/child.ts";
import { counterparts } from "../tasks/counterpart.ts";
import { type Ack, type EditTime, isAfter, type Issued } from "./ack.ts";
import type { PastStep } from "./past.ts";

/** What is known of the device that pushes. */
export type Holder = {
  readonly sessionId: string | null;
  readonly ack: Ack;
  /** Whether the push itself says what the device has stored. */
  readonly isDeclared: boolean;
};

/** The pushed edit. */
export type PushedEdit = EditTime & { readonly payload: Payload };

/** The version on which an edit was made. */
export type Held = {
  /** Its content, and how many changes have followed it. */
  readonly payload: Payload;
  readonly depth: number;
  /** The content whose tabs and notes the device has seen; null if that is not known. */
  readonly seen: Payload | null;
  /** Whether the record was deleted, as far as the device knew. */
  readonly isDeleted: boolean;
};

type Candidate = { readonly payload: Payload; readonly depth: number };

/**
 * Finds the version on which a device made an edit, while the record's past is read from the newest state back. The
 * device held the last version that was delivered to it before the edit, or a later one that it pushed itself. Only
 * versions in which the record was alive count.
 *
 * Often that is certain. Where it is not, several versions are candidates, and the edit was made on the one from which it
 * differs least:
 * - A push that was not stored as sent: the device holds what it sent, or has taken over the row from the reply.
 * - A reply to a pull that the device has not confirmed yet.
 * - A delivery that is later than the edit by the device's clock: the edit was made before it, or the clock is slow.
 * If two candidates are equally near, it is the older one: then nothing is lost, and at worst a tab comes back once.
 */
export const findHeld = ({ sessionId, ack, isDeclared }: Holder, edit: PushedEdit) => {
  const made = Math.min(edit.updated, edit.now);
  const left = ack.since === null ? [] : deliveries(ack, isDeclared);
  const candidates: Candidate[] = [];
  let timed: Candidate | null = null;
  let isDeleted: boolean | null = null;
  let isDoubtful = false;
  let isFound = false;

  const consider = (state: RecordState, depth: number, isSure: boolean): void => {
    if (isFound) return;
    isDeleted ??= state.deletedAt !== null;
    if (state.deletedAt !== null) return;
    candidates.push({ payload: state.payload, depth });
    isFound = isSure;
  };

  const deliver = (one: Issued, state: RecordState, depth: number): void => {
    // A row that was written again while the reply was sent may not have been in it.
    if (one.partial && depth > 0) return;
    const isConfirmed = ack.since !== null && one.time <= ack.since;
    const isSure = isConfirmed && isAfter(one, edit);
    if (isConfirmed && !isSure) isDoubtful = true;
    consider(state, depth, isSure);
  };

  const isOwn = (step: PastStep): boolean =>
    sessionId !== null && step.byKind === "session" && step.byId === sessionId;

  return {
    /** Looks at the state `depth` changes ago and at the step that led to it. Returns whether the search is over. */
    look: (state: RecordState, step: PastStep, depth: number): boolean => {
      if (step.refused) {
        if (isOwn(step) && step.before) {
          consider(state, depth, false);
          consider(step.before, depth, true);
        }
        return isFound;
      }
      while (step.stamp !== null && (left[0]?.time ?? -1) >= step.stamp)
        deliver(left.shift() as Issued, state, depth);
      if (step.via === "sync" && isOwn(step)) consider(state, depth, true);
      if (timed === null && step.at <= made && state.deletedAt === null)
        timed = { payload: state.payload, depth };
      return isFound;
    },
    /** Says that the record's past is read. All that was stamped after `since` was looked at. */
    end: (oldest: RecordState, depth: number, since: Instant): Held => {
      for (const one of left) if (one.time >= since) deliver(one, oldest, depth);
      const last = { payload: oldest.payload, depth };
      if (ack.since === null) {
        // Without an ack, the edit is taken to know the fields as they were when it was made.
        const fields = newer(timed ?? last, candidates.at(-1));
        return {
          ...fields,
          seen: candidates.at(-1)?.payload ?? null,
          isDeleted: isDeleted ?? false,
        };
      }
      const found = nearest(candidates, edit.payload, isDoubtful);
      const held = found ?? last;
      return { ...held, seen: found && held.payload, isDeleted: isDeleted ?? false };
    },
  };
};

/** Newest first. */
const deliveries = ({ since, issued }: Ack, isDeclared: boolean): Issued[] =>
  issued.filter(({ time }) => !isDeclared || time <= (since ?? -1)).toReversed();

const newer = (one: Candidate, other: Candidate | undefined): Candidate =>
  other && other.depth < one.depth ? other : one;

/**
 * The candidate from which the pushed content differs least, the older of two equal ones. `mustDiffer`: an edit changes
 * something, so one that is like an older version did not begin there.
 */
const nearest = (
  candidates: readonly Candidate[],
  pushed: Payload,
  mustDiffer: boolean,
): Candidate | null => {
  let best: Candidate | null = null;
  let least = Number.POSITIVE_INFINITY;
  if (candidates.length === 1) return candidates[0] ?? null;
  for (const [index, one] of candidates.toReversed().entries()) {
    const isNewest = index === candidates.length - 1;
    const far = distance(one.payload, pushed);
    if (far >= least || (far === 0 && mustDiffer && !isNewest)) continue;
    best = one;
    least = far;
  }
  return best;
};

/** How many fields, tabs and notes differ. */
export const distance = (one: Payload, other: Payload): number => {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  let differing = 0;
  for (const field of fields)
    if (!sameJson(fieldValue(one, field), fieldValue(other, field))) differing += 1;
  for (const list of CHILD_LISTS) {
    const [before, after] = [listField(one, list), listField(other, list)];
    if (before === after || sameJson(before, after)) continue;
    const places = counterparts(list, before, after);
    const kept = places.filter((at) => at !== null).length;
    differing += before.length - kept + (after.length - kept);
  }
  return differing;
};
