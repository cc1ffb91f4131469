import type { Instant } from "../../base/instant.ts";
import { fieldValue, type Payload, sameJson } from "../../base/payload.ts";
import { isChildList } from "../../tasks/child.ts";
import { type Candidates, gatherCandidates } from "./candidates.ts";
import { asNamed, type Found, type Held, isTraced, NOTHING_SENT } from "./held-version.ts";
import type { Holder, PushedEdit } from "./holder.ts";
import { findNamed } from "./named.ts";
import { type Candidate, nearest } from "./nearest.ts";
import type { PastStep, PastVersion } from "./past-step.ts";

/** Searches for the version on which an edit was made, while the record's past is read from the newest version back. */
export type HeldSearch = {
  /** Looks at the version `depth` changes ago, and at the step that led to it. Returns whether the search is over. */
  readonly look: (version: PastVersion, step: PastStep, depth: number) => boolean;
  /** Ends the search at the oldest version that was read. All that was stamped after `since` was looked at. */
  readonly end: (oldest: PastVersion, depth: number, since: Instant) => Held;
};

/** The version in the backup from which the data were restored, as far as that is sure. */
type Backup = Found & { readonly isSure: boolean };

/**
 * A device may name the version on which it made an edit. If it does not, it held the last version that was delivered to
 * it before the edit, or a later one that it pushed itself.
 *
 * Where several versions come into question, the edit was made on the one from which it differs least:
 * - A push that was not stored as sent: the device holds what it sent, or has taken over the row from the reply.
 * - A delivery that is later than the edit by the device's clock: the edit was made before it, or the clock is slow.
 * If two are equally near, it is the older one: then nothing is lost, and at worst a tab comes back once.
 */
export const findHeld = (holder: Holder, edit: PushedEdit): HeldSearch => {
  const { sessionId, ack, restored } = holder;
  const naming = findNamed(holder, edit);
  const gathering = gatherCandidates(holder, edit);
  // The version at the time of the edit, by the wall clock.
  let timed: Found | null = null;
  let backup: Backup | null = null;

  const isOver = (): boolean => {
    const isCertain = gathering.found().floor !== null;
    const found = naming.found();
    if (naming.isOver() && !edit.isClamped) return isCertain || isTraced(found);
    return isCertain && (edit.base === null || found !== null);
  };

  return {
    look: (version, step, depth) => {
      const isOwn = sessionId !== null && step.byKind === "session" && step.byId === sessionId;
      naming.look(version, step, depth, isOwn);
      gathering.look(version, step, depth, isOwn);
      if (!step.refused) {
        const found = { payload: version.payload, depth, wasStored: true };
        if (version.deletedAt === null && step.at <= edit.updated) timed ??= found;
        if (restored !== null && (step.stamp ?? 0) <= restored)
          backup ??= { ...found, isSure: true };
      }
      return isOver();
    },
    end: (oldest, depth, all) => {
      naming.end(oldest, depth);
      gathering.end(oldest, depth, all);
      const first = { payload: oldest.payload, depth, wasStored: true };
      const candidates = gathering.found();
      const named = naming.found();
      if (named) return asNamed(named, candidates.floor ?? depth, backup);
      // It may have come after the restore: no step says when.
      if (restored !== null && edit.base !== null)
        return heldBeforeRestore(candidates.list, edit, backup ?? { ...first, isSure: false });
      const rest = {
        floor: candidates.floor ?? depth,
        isDeleted: candidates.isDeleted,
        sent: NOTHING_SENT,
      };
      // Without an ack, an edit counts as made with knowledge of the fields as they were at its time.
      const fallback = ack.since === null ? (timed ?? first) : first;
      const found = nearestOf(candidates, edit, timed ?? first);
      const seen = found?.isSeen ? found.payload : null;
      return found && (ack.since !== null || found.depth < fallback.depth)
        ? { ...rest, seen, payload: found.payload, wasStored: found.wasStored, depth: rest.floor }
        : { ...rest, seen, ...fallback };
    },
  };
};

/** If all that is known was delivered after the edit, the device may have held something that was there before. */
const nearestOf = (
  { list, isOpen }: Candidates,
  edit: PushedEdit,
  older: Found,
): Candidate | null =>
  nearest(isOpen ? [...list, { ...older, isOutdated: false, isSeen: false }] : list, edit.payload);

/**
 * A version that is unknown here was lost in a restore. The device was given it, and so has seen what was in the backup; or
 * it only sent it, on one that it had before. It has seen nothing that came since.
 */
const heldBeforeRestore = (
  candidates: readonly Candidate[],
  { payload, base, updatedAt, isDeleted }: PushedEdit,
  { isSure, ...backup }: Backup,
): Held => {
  const { depth } = backup;
  const rest = { wasStored: false, isDeleted, sent: NOTHING_SENT };
  if (base === updatedAt) return { ...rest, depth, floor: depth, payload, seen: payload };
  const newest = { ...backup, isOutdated: false, isSeen: isSure };
  // If nothing is stored from before the restore, what there is may have come since.
  const older = isSure ? candidates.filter((one) => one.depth >= depth) : [];
  const found = nearest([newest, ...older], payload) ?? newest;
  const seen = found.isSeen ? found.payload : null;
  const left = isSure ? sameFields(backup.payload, payload) : fieldsOf(payload);
  const held = { ...found.payload, ...left };
  return { ...rest, depth: found.depth, floor: found.depth, payload: held, seen };
};

/** A field that is as in the backup was left alone, whatever else the device held. */
const sameFields = (backup: Payload, pushed: Payload): Payload =>
  Object.fromEntries(
    Object.entries(fieldsOf(backup)).filter(([name, value]) =>
      sameJson(value, fieldValue(pushed, name)),
    ),
  );

/** If nobody knows what the backup had, all fields count as left alone: what was done over REST since is not lost. */
const fieldsOf = (payload: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !isChildList(name)));
