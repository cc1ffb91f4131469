import { differingFields, listField, type Payload, sameJson } from "../../base/payload.ts";
import { CHILD_LISTS, childId } from "../../tasks/child.ts";
import type { Named } from "./named.ts";
import type { Candidate } from "./nearest.ts";

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

export const NOTHING_SENT: Sent = { fields: new Map(), deletion: null };

/** A version that comes into question. */
export type Found = Pick<Candidate, "depth" | "payload" | "wasStored">;

/** Whether it is known on which stored version the device made all that it sent. */
export const isTraced = (named: Named | null): boolean =>
  named !== null && (named.refused === null || isTraced(named.refused.base));

/**
 * Of a version that was not stored as it was sent, the server has heard what the device changed in it. Of the rest, the
 * device knew no more than the version on which it had made that.
 *
 * A version from after a restore may have the stamp of one that was lost, and the device may mean that one, unless it sent
 * it itself. So it is only certain to have seen what was in the backup.
 */
export const asNamed = (
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
