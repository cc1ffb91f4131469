import type { Instant } from "../base/instant.ts";
import { differingFields, fieldValue, listField, type Payload, sameJson } from "../base/payload.ts";
import { CHILD_LISTS, childId, isChildList } from "../tasks/child.ts";
import { type Candidates, gatherCandidates } from "./candidates.ts";
import type { Holder, PushedEdit } from "./holder.ts";
import { findNamed, type Named } from "./named.ts";
import { type Candidate, nearest } from "./nearest.ts";
import type { PastStep, PastVersion } from "./past-step.ts";

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
  /** What the device itself changed in what it has sent: only what REST changed after that is news to it. */
  readonly sent: Sent;
};

/** How many changes have followed what was sent: for each field, and for the deletion or restoration if there was one. */
type Sent = {
  readonly fields: ReadonlyMap<string, number>;
  readonly deletion: number | null;
};

const NOTHING_SENT: Sent = { fields: new Map(), deletion: null };

/** Searches for the version on which an edit was made, while the record's past is read from the newest version back. */
export type HeldSearch = {
  /** Looks at the version `depth` changes ago, and at the step that led to it. Returns whether the search is over. */
  readonly look: (version: PastVersion, step: PastStep, depth: number) => boolean;
  /** Ends the search at the oldest version that was read. All that was stamped after `since` was looked at. */
  readonly end: (oldest: PastVersion, depth: number, since: Instant) => Held;
};

type Found = Pick<Candidate, "depth" | "payload" | "wasStored">;

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

/** Whether it is known on which stored version the device made all that it sent. */
const isTraced = (named: Named | null): boolean =>
  named !== null && (named.refused === null || isTraced(named.refused.base));

/**
 * Of a version that was not stored as it was sent, the server has heard what the device changed in it. Of the rest, the
 * device knew no more than the version on which it had made that.
 *
 * A version from after a restore may have the stamp of one that was lost, and the device may mean that one, unless it sent
 * it itself. So it is only certain to have seen what was in the backup.
 */
const asNamed = (
  { version, depth, isFromBefore, refused }: Named,
  floor: number,
  backup: Found | null,
): Held => {
  const { payload, deletedAt } = version;
  const isCertain = isFromBefore || refused !== null;
  const seen = isCertain ? payload : (backup?.payload ?? null);
  const own = { payload, seen, isDeleted: deletedAt !== null };
  if (refused === null) return { ...own, depth, floor: depth, wasStored: true, sent: NOTHING_SENT };
  const { base } = refused;
  if (!base) return { ...own, depth: floor, floor, wasStored: false, sent: NOTHING_SENT };
  const held = asNamed(base, floor, backup);
  const changed = differingFields(held.payload, payload).map((name) => [name, depth] as const);
  return {
    ...held,
    ...own,
    seen: withItemsOf(payload, held.seen),
    wasStored: false,
    sent: {
      fields: new Map([...held.sent.fields, ...changed]),
      deletion: held.isDeleted === own.isDeleted ? held.sent.deletion : depth,
    },
  };
};

/** What the device had seen before, it has seen, even if it took that away in what it sent. */
const withItemsOf = (payload: Payload, before: Payload | null): Payload => {
  const lists = CHILD_LISTS.map((list) => {
    const items = listField(payload, list);
    const ids = new Set(items.map(childId));
    const taken =
      before === null
        ? []
        : listField(before, list).filter((item) => {
            const id = childId(item);
            return id === null ? !items.some((one) => sameJson(one, item)) : !ids.has(id);
          });
    return [list, [...items, ...taken]] as const;
  });
  return { ...payload, ...Object.fromEntries(lists) };
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
