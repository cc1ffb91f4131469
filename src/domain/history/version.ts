import { breathe } from "../base/breathe.ts";
import type { Actor, ActorKind } from "../people/account.ts";
import type { Change } from "../sync/change.ts";
import {
  filedOf,
  type Loss,
  payloadOf,
  pushedOf,
  type RecordRow,
  type Replacement,
  type Via,
} from "../records/row.ts";
import type { RefusedChange } from "../sync/push.ts";
import { wyhash64 } from "../base/hash.ts";
import type { Instant } from "../base/instant.ts";
import { canonical, listField, type Payload, sameJson } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { byteLength } from "../base/text.ts";

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
 * was needs none, but for a merge.
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
  if (found === null && deletedAt === after.deletedAt && !isRenamed(before, after)) return null;
  const writer = { updatedAt, deletedAt, writerKind, writerId };
  return sized(
    { ...replaced, ...writer, loss, difference: JSON.stringify(found ?? {}) },
    { by, filed: filedIn(found ?? {}, before) },
  );
};

/**
 * Whether a version stays as it was under another stamp. A device that was given it may name it all the same, and there is
 * work in it that a push must not lose.
 */
const isRenamed = (before: RecordRow, after: RecordRow): boolean =>
  before.updatedAt !== after.updatedAt &&
  (before.protectedAt !== null || pushedOf(after)?.as === "merged");

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

/** What a version takes up, in bytes. */
export const versionSize = ({ difference }: Pick<NewVersion, "difference">): number =>
  OVERHEAD + byteLength(difference ?? "");

type Sized = "chargedTo" | "filedBy" | "keySize" | "size";

/**
 * Counts all of a version that a key's change made against that key; of one that a person's change made, the tabs and
 * notes in it that keys had filed, so that cleaning up after a key costs the person nothing. An undo counts against nobody.
 */
const sized = (
  version: Omit<NewVersion, Sized>,
  { by, filed }: { readonly by: Actor; readonly filed: Filed },
): NewVersion => {
  const size = versionSize(version);
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

/** The operations that turn one payload into another. */
export type Difference = {
  /** Fields to set. */
  readonly set?: Payload;
  /** Fields to remove. */
  readonly unset?: readonly string[];
  /** Lists to change in part: `remove` items from index `at` on, then insert `items`. */
  readonly splice?: Readonly<Record<string, Splice>>;
};

type Splice = { readonly at: number; readonly remove: number; readonly items: readonly unknown[] };

/**
 * Returns the difference from one payload to another, or null if they are equal. Of a list only the part that
 * differs is included, so changing one item among thousands costs one item.
 */
export const difference = (from: Payload, to: Payload): Difference | null => {
  const changed = Object.entries(to).filter(
    ([field, value]) => !Object.hasOwn(from, field) || !sameJson(from[field], value),
  );
  const unset = Object.keys(from).filter((field) => !Object.hasOwn(to, field));
  if (changed.length + unset.length === 0) return null;
  const lists = changed.flatMap(([field, value]) => {
    const before = from[field];
    return Array.isArray(before) && Array.isArray(value) ? [[field, between(before, value)]] : [];
  });
  const splice = Object.fromEntries(lists) as Difference["splice"] & object;
  const set = Object.fromEntries(changed.filter(([field]) => !Object.hasOwn(splice, field)));
  return {
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset } : {}),
    ...(lists.length > 0 ? { splice } : {}),
  };
};

/** Returns the part between the lists' common start and common end. */
const between = (from: readonly unknown[], to: readonly unknown[]): Splice => {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && sameJson(from[head], to[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && sameJson(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;
  return { at: head, remove: from.length - head - tail, items: to.slice(head, to.length - tail) };
};

/** Returns the other payload. Its content is the same; the order of its fields may differ. */
export const applyDifference = (
  payload: Payload,
  { set = {}, unset = [], splice = {} }: Difference,
): Payload => {
  const lists = Object.entries(splice).map(([field, { at, remove, items }]) => {
    const before = payload[field];
    return [field, Array.isArray(before) ? before.toSpliced(at, remove, ...items) : items];
  });
  const changed = { ...payload, ...set, ...(Object.fromEntries(lists) as Payload) };
  const removed = new Set(unset);
  return Object.fromEntries(Object.entries(changed).filter(([field]) => !removed.has(field)));
};
