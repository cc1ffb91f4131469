import type { ActorKind } from "../people/caller.ts";
import type { Removal, Removed } from "./removal.ts";
import { DAY, type Instant } from "../base/instant.ts";
import { fieldValue, sameJson } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import { fieldsWith } from "../tasks/task-fields.ts";

/** Fields of a task in which a value set by a key survives a push from a device that cannot have seen it. */
export const GUARDED_FIELDS = fieldsWith("guarded");

/** Those, and the known fields of folders and buckets, which only a person's restore changes over REST. */
export const RESTORED_FIELDS = [...GUARDED_FIELDS, "name", "kind"] as const;

/** One change of a field over REST, or by a person's restore or undo (`deleted_at`: true or false). */
export type FieldGuard = {
  readonly field: (typeof RESTORED_FIELDS)[number] | "deleted_at";
  readonly before: unknown;
  /** The transaction's stamp, and the `updated` that the record got. */
  readonly stamp: Instant;
  readonly updated: Instant;
};

/** Changes made to a record over REST, oldest first. */
export type Guards = {
  readonly fields: readonly FieldGuard[];
  readonly drops: readonly Removal[];
};

export const NO_GUARDS: Guards = { fields: [], drops: [] };

/** Changes of one field that are kept, and removals that are kept. The oldest are forgotten. */
const KEPT_CHANGES = 16;
const KEPT_REMOVALS = 2_000;
const RETENTION = 90 * DAY;

/**
 * Returns the guards after an edit. A field that the person's own device sets over REST is no longer guarded,
 * as after a push.
 */
export const guardEdit = (
  guards: Guards,
  before: RecordState,
  after: RecordState,
  by: ActorKind,
  at: { readonly stamp: Instant; readonly updated: Instant },
): Guards => {
  const changed = [...RESTORED_FIELDS, "deleted_at" as const].filter(
    (field) => !sameJson(valueOf(before, field), valueOf(after, field)),
  );
  const others = guards.fields.filter(({ field }) => by !== "session" || !changed.includes(field));
  const added = changed.map((field) => ({ field, before: valueOf(before, field), ...at }));
  return {
    fields: by === "session" ? others : newest([...others, ...added]),
    drops: guards.drops,
  };
};

const valueOf = ({ payload, deletedAt }: RecordState, field: FieldGuard["field"]): unknown =>
  field === "deleted_at" ? deletedAt !== null : fieldValue(payload, field);

const newest = (fields: readonly FieldGuard[]): readonly FieldGuard[] =>
  fields.filter(
    (guard, index) =>
      fields.slice(index + 1).filter(({ field }) => field === guard.field).length < KEPT_CHANGES,
  );

/** Returns the guards after children were removed and others put back. */
export const guardRemovals = (
  guards: Guards,
  removed: readonly Removed[],
  back: ReadonlySet<string>,
  stamp: Instant,
): Guards => {
  const again = new Set([...back, ...removed.flatMap(({ ids }) => ids)]);
  const kept = withoutIds(guards.drops, again).filter((drop) => drop.stamp > stamp - RETENTION);
  const drops = [...kept, ...removed.map((drop) => ({ ...drop, stamp }))].slice(-KEPT_REMOVALS);
  return { ...guards, drops };
};

/** Removals of which no id is in the list again. */
export const withoutIds = (
  drops: readonly Removal[],
  there: ReadonlySet<string | null>,
): readonly Removal[] => drops.filter((drop) => !drop.ids.some((id) => there.has(id)));
