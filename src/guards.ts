import type { ActorKind } from "./caller.ts";
import type { ChildList } from "./child.ts";
import { DAY, type Instant } from "./instant.ts";
import type { Payload } from "./payload.ts";

/** Fields of a task that keep a key's value against a push which cannot have known it. */
export const GUARDED_FIELDS = ["title", "status", "colour", "project_id", "bucket_id"] as const;

/** One change of a field over REST, or that a person restored or undid (`deleted_at`: true or false). */
export type FieldGuard = {
  readonly field: (typeof GUARDED_FIELDS)[number] | "deleted_at";
  readonly before: unknown;
  /** The transaction's stamp, and the `updated` that the record got by it. */
  readonly stamp: Instant;
  readonly updated: Instant;
};

/** A tab or note that was taken away by undoing or restoring. */
export type Drop = { readonly list: ChildList; readonly id: string; readonly stamp: Instant };

/** What was done to a record over REST, the oldest first. */
export type Guards = {
  readonly fields: readonly FieldGuard[];
  readonly drops: readonly Drop[];
};

export const NO_GUARDS: Guards = { fields: [], drops: [] };

/** Changes of one field that are kept, and things taken away; the oldest are forgotten. */
const KEPT_CHANGES = 16;
const KEPT_DROPS = 500;
const RETENTION = 90 * DAY;

/** One version of a record, as far as guards go. */
type Version = { readonly payload: Payload; readonly deletedAt: string | null };

/**
 * The guards after an edit. What a device's own person sets over REST is theirs, as in a push: of that
 * field nothing is guarded any more.
 */
export const guardEdit = (
  guards: Guards,
  before: Version,
  after: Version,
  by: ActorKind,
  at: { readonly stamp: Instant; readonly updated: Instant },
): Guards => {
  const changed = [...GUARDED_FIELDS, "deleted_at" as const].filter(
    (field) => !Bun.deepEquals(valueOf(before, field), valueOf(after, field)),
  );
  const others = guards.fields.filter(({ field }) => by !== "session" || !changed.includes(field));
  const added = changed.map((field) => ({ field, before: valueOf(before, field), ...at }));
  return {
    fields: by === "session" ? others : newest([...others, ...added]),
    drops: guards.drops,
  };
};

const valueOf = ({ payload, deletedAt }: Version, field: FieldGuard["field"]): unknown =>
  field === "deleted_at" ? deletedAt !== null : (payload[field] ?? null);

const newest = (fields: readonly FieldGuard[]): readonly FieldGuard[] =>
  fields.filter(
    (guard, index) =>
      fields.slice(index + 1).filter(({ field }) => field === guard.field).length < KEPT_CHANGES,
  );

/** The guards once children were taken away, and others that had been put back. */
export const guardDrops = (
  guards: Guards,
  dropped: readonly Omit<Drop, "stamp">[],
  back: ReadonlySet<string>,
  stamp: Instant,
): Guards => {
  const again = new Set([...back, ...dropped.map(({ id }) => id)]);
  const kept = guards.drops.filter((drop) => !again.has(drop.id) && drop.stamp > stamp - RETENTION);
  const drops = [...kept, ...dropped.map((drop) => ({ ...drop, stamp }))].slice(-KEPT_DROPS);
  return { ...guards, drops };
};
