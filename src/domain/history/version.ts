import { breathe } from "../base/breathe.ts";
import type { Actor, ActorKind } from "../people/caller.ts";
import type { Change } from "../sync/change.ts";
import type { Loss, Replacement, Via } from "../records/replacement.ts";
import type { RefusedChange } from "../sync/push.ts";
import { filedOf, payloadOf, type RecordRow } from "../records/row.ts";
import { wyhash64 } from "../base/hash.ts";
import type { Instant } from "../base/instant.ts";
import { canonical, listField } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { byteLength } from "../base/text.ts";
import { difference, type Difference } from "./difference.ts";

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
  /** Its size in bytes, and how much of it a key caused. */
  readonly size: number;
  readonly keySize: number;
  /** The id of the key against whose share that counts, or "" for one that is not known; null for none. */
  readonly chargedTo: string | null;
  /** Identifies a refused version, so that the same one is stored once. Null for one that was replaced. */
  readonly digest: string | null;
  /** For a refused version, the `updated_at` of the one on which its device made it, if the device said so. */
  readonly base: string | null;
  /** How the change came. Null if it was stored before this was recorded. */
  readonly via: Via | null;
};

/** A version to store. A key that filed what a person removed is known by its name alone. */
export type NewVersion = Omit<VersionRow, "id"> & { readonly filedBy: string | null };

/**
 * Returns the versions to store for these changes, in the same order. A change that leaves the content as it
 * was needs none.
 */
export const versionsOf = async (
  superseded: readonly (RefusedChange | Replacement)[],
  by: Actor,
  { stamp, now }: { readonly stamp: Instant; readonly now: Instant },
): Promise<readonly NewVersion[]> => {
  const versions: NewVersion[] = [];
  for (const one of superseded) {
    await breathe();
    const version =
      "change" in one ? refusedVersion(one, by, stamp, now) : replacedVersion(one, by, now);
    if (version) versions.push(version);
  }
  return versions;
};

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
    const made = { ...replaced, ...nobody, loss: "made", difference: null } as const;
    return sized(made, { by, filed: NOTHING });
  }
  const { updatedAt, deletedAt, writerKind, writerId } = before;
  const found = difference(payloadOf(after), payloadOf(before));
  if (found === null && deletedAt === after.deletedAt) return null;
  const writer = { updatedAt, deletedAt, writerKind, writerId };
  return sized(
    { ...replaced, ...writer, loss, difference: JSON.stringify(found ?? {}) },
    { by, filed: filedIn(found ?? {}, before) },
  );
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
  const version = {
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
  } as const;
  return sized(version, { by, filed: NOTHING });
};

/** Bytes per version, in addition to its difference. */
const OVERHEAD = 300;

type Sized = "chargedTo" | "filedBy" | "keySize" | "size";

/**
 * Counts all of a version that a key's change made against that key; of one that a person's change made, the tabs and
 * notes in it that keys had filed, so that cleaning up after a key costs the person nothing. An undo counts against nobody.
 */
const sized = (
  version: Omit<NewVersion, Sized>,
  { by, filed }: { readonly by: Actor; readonly filed: Filed },
): NewVersion => {
  const size = OVERHEAD + byteLength(version.difference ?? "");
  const isKey = by.kind === "api_key";
  const whole = isKey || version.loss === "undone";
  return {
    ...version,
    size,
    keySize: whole ? size : Math.min(size, filed.size),
    chargedTo: isKey ? by.id : null,
    filedBy: whole || filed.size === 0 ? null : filed.key,
  };
};

/** Tabs and notes in a difference that keys filed: their size in bytes, and the name of the key that filed most of it. */
type Filed = { readonly key: string | null; readonly size: number };

const NOTHING: Filed = { key: null, size: 0 };

const filedIn = (found: Difference, before: RecordRow): Filed => {
  const sizes = new Map<string, number>();
  for (const { list, at, key } of filedOf(before)) {
    if (at === null || key === null || !isIncluded(found, list, at)) continue;
    const item = listField(payloadOf(before), list)[at];
    sizes.set(key, (sizes.get(key) ?? 0) + byteLength(JSON.stringify(item) ?? "") + 1);
  }
  const [most] = [...sizes].toSorted(([, a], [, b]) => b - a);
  return { key: most?.[0] ?? null, size: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
};

/** Whether a difference that leads back to a version holds the item at that index of its list. */
const isIncluded = ({ set = {}, splice = {} }: Difference, list: string, at: number): boolean => {
  const part = Object.hasOwn(splice, list) ? splice[list] : undefined;
  if (part) return at >= part.at && at < part.at + part.items.length;
  return Object.hasOwn(set, list);
};

/** Identifies a refused version when a device sends it again. */
export const versionDigest = (
  loss: Loss,
  change: Pick<Change, "deletedAt" | "payload" | "updatedAt">,
): string =>
  wyhash64(
    `${loss} ${change.updatedAt} ${change.deletedAt ?? "live"} ${canonical(change.payload)}`,
  ).toString(36);
