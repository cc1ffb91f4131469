import { andThen, type MaybePromise } from "../base/maybe-promise.ts";
import { mapInSlices } from "../base/slices.ts";
import type { Actor, ActorKind } from "../people/caller.ts";
import type { Change } from "../sync/change.ts";
import type { Loss } from "../sync/loss.ts";
import type { RefusedChange, Replacement } from "../sync/replacement.ts";
import type { Via } from "../sync/loss.ts";
import { payloadOf } from "../sync/row.ts";
import { wyhash64 } from "../base/hash.ts";
import type { Instant } from "../base/instant.ts";
import { canonical } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { byteLength } from "../base/text.ts";
import { difference } from "./difference.ts";

/** A stored version of a record: not the current one. */
export type VersionRow = {
  /** Increases from version to version. */
  readonly id: number;
  readonly accountId: number;
  readonly table: Table;
  readonly recordId: string;
  /** When it was replaced or refused, and the stamp of that transaction. */
  readonly at: Instant;
  readonly stamp: Instant | null;
  readonly loss: Loss;
  /** Its own stamp as its writer sent it (ISO text), and when it was deleted, or null. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** Who wrote it, where known, and who made the change that replaced or refused it. */
  readonly writerKind: ActorKind | null;
  readonly writerId: string | null;
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
  /** JSON of a `Difference`; null for a record that did not exist before. */
  readonly difference: string | null;
  /** Its size in bytes. */
  readonly size: number;
  /** Identifies a refused version, so that the same one is stored once. Null for one that was replaced. */
  readonly digest: string | null;
  /** For a refused version, the `updated_at` of the one on which its device made it, if the device said so. */
  readonly base: string | null;
  /** How the change came. Null if it was stored before this was recorded. */
  readonly via: Via | null;
};

/** A version to store. */
export type NewVersion = Omit<VersionRow, "id">;

/**
 * Returns the versions to store for these changes, in the same order. A change that leaves the content as it
 * was needs none. Many are compared in slices.
 */
export const versionsOf = (
  superseded: readonly (RefusedChange | Replacement)[],
  by: Actor,
  { stamp, now }: { readonly stamp: Instant; readonly now: Instant },
): MaybePromise<readonly NewVersion[]> =>
  andThen(
    mapInSlices(superseded, (one) =>
      "change" in one ? refusedVersion(one, by, stamp, now) : replacedVersion(one, by, now),
    ),
    (versions) => versions.filter((version) => version !== null),
  );

/**
 * The difference from the new version back to the one it replaces. For a record created by a key, says that
 * there was none.
 */
const replacedVersion = (
  { loss, before, after, via }: Replacement,
  by: Actor,
  now: Instant,
): NewVersion | null => {
  const replaced = {
    accountId: after.accountId,
    table: after.table,
    recordId: after.id,
    at: now,
    stamp: after.changedAt,
    byKind: by.kind,
    byId: by.id,
    digest: null,
    base: null,
    via,
  };
  if (before === null) {
    if (by.kind !== "api_key") return null;
    const { updatedAt } = after;
    const nobody = { writerKind: null, writerId: null, updatedAt, deletedAt: null };
    return sized({ ...replaced, ...nobody, loss: "made", difference: null });
  }
  const { updatedAt, deletedAt, writerKind, writerId } = before;
  const found = difference(payloadOf(after), payloadOf(before));
  if (found === null && deletedAt === after.deletedAt) return null;
  const writer = { updatedAt, deletedAt, writerKind, writerId };
  return sized({ ...replaced, ...writer, loss, difference: JSON.stringify(found ?? {}) });
};

/**
 * What a device pushed and was not stored, as a difference from the stored record. Even if there is none: the device may
 * name this version as the one on which it made its next edit.
 */
const refusedVersion = (
  { loss, current, change }: RefusedChange,
  by: Actor,
  stamp: Instant,
  now: Instant,
): NewVersion => {
  const found = difference(payloadOf(current), change.payload);
  return sized({
    accountId: current.accountId,
    table: current.table,
    recordId: current.id,
    at: now,
    stamp,
    loss,
    updatedAt: change.updatedAt,
    deletedAt: change.deletedAt,
    writerKind: by.kind,
    writerId: by.id,
    byKind: current.writerKind,
    byId: current.writerId,
    difference: JSON.stringify(found ?? {}),
    digest: versionDigest(loss, change),
    base: change.base,
    via: "sync",
  });
};

/** Bytes per version, in addition to its difference. */
const OVERHEAD = 300;

const sized = (version: Omit<NewVersion, "size">): NewVersion => ({
  ...version,
  size: OVERHEAD + byteLength(version.difference ?? ""),
});

/** Identifies a refused version when a device sends it again. */
export const versionDigest = (
  loss: Loss,
  change: Pick<Change, "deletedAt" | "payload" | "updatedAt">,
): string =>
  wyhash64(
    `${loss} ${change.updatedAt} ${change.deletedAt ?? "live"} ${canonical(change.payload)}`,
  ).toString(36);
