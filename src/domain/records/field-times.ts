import type { Instant } from "../base/instant.ts";
import { differingFields, type Payload } from "../base/payload.ts";

/**
 * When a device's person changed fields of a record, where that is earlier than the `updated` of the version in which the
 * device sent them: `version`. Once another version has changed the field, its time says nothing.
 */
export type FieldTimes = ReadonlyMap<string, { readonly version: Instant; readonly at: Instant }>;

/** Reads what is stored of a row. */
export const readFieldTimes = (stored: string | null): FieldTimes =>
  new Map(
    Object.entries(JSON.parse(stored ?? "{}") as Readonly<Record<string, [Instant, Instant]>>).map(
      ([field, [version, at]]) => [field, { version, at }],
    ),
  );

/** A version that a device pushed: as it is stored, and what the device said of its time. */
export type PushedTimes = {
  readonly payload: Payload;
  /** The stamp that it has in the end, and the one that it was sent with or clamped to. */
  readonly updated: Instant;
  readonly sent: Instant;
  /** What the device says of the fields that it changed. */
  readonly changedAt: ReadonlyMap<string, Instant>;
  /** The stamp of the version that it changed, if it says so. */
  readonly base: Instant | null;
};

/** Returns what to store of a row after a push; null if there is nothing to say. */
export const fieldTimesAfter = (
  before: { readonly payload: Payload; readonly stored: string | null } | null,
  { payload, updated, sent, changedAt, base }: PushedTimes,
): string | null => {
  // The commonest case.
  if (changedAt.size === 0 && sent === updated && (before?.stored ?? null) === null) return null;
  // After a restore, more comes with an edit than its device changed. That is as old as what was edited.
  const unsaid = changedAt.size === 0 ? sent : (base ?? sent);
  const times = new Map(readFieldTimes(before?.stored ?? null));
  for (const field of differingFields(before?.payload ?? {}, payload)) {
    const at = Math.min(changedAt.get(field) ?? unsaid, sent);
    if (at < updated) times.set(field, { version: updated, at });
    else times.delete(field);
  }
  const kept = [...times].filter(([field]) => Object.hasOwn(payload, field));
  if (kept.length === 0) return null;
  return JSON.stringify(
    Object.fromEntries(kept.map(([field, { version, at }]) => [field, [version, at]])),
  );
};
