import type { Actor, ActorKind } from "../people/caller.ts";
import type { Change } from "../sync/change.ts";
import type { Loss, RefusedChange, Replacement } from "../sync/replacement.ts";
import { payloadOf } from "../sync/row.ts";
import { wyhash64 } from "../base/hash.ts";
import type { Instant } from "../base/instant.ts";
import { canonical } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { byteLength } from "../base/text.ts";
import { difference } from "./difference.ts";

/** A version of a record that is not the current one, as the history keeps it. */
export type VersionRow = {
  /** Rises from version to version. */
  readonly id: number;
  readonly accountId: number;
  readonly table: Table;
  readonly recordId: string;
  /** When it lost, and the stamp of the transaction in which it lost. */
  readonly at: Instant;
  readonly stamp: Instant | null;
  readonly loss: Loss;
  /** Its own stamp, in its writer's words, and when it was deleted if it was. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** Who wrote it, as far as that is known, and who did what made it lose. */
  readonly writerKind: ActorKind | null;
  readonly writerId: string | null;
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
  /** JSON of a `Difference`; null for a record that was not there before. */
  readonly difference: string | null;
  /** Bytes that it takes. */
  readonly size: number;
  /** What a refused version is known by, null for one that was replaced: the same one is kept once. */
  readonly digest: string | null;
};

/** A version that is to be kept. */
export type NewVersion = Omit<VersionRow, "id">;

/** The versions to keep of what lost, in the same order. Of what says the same as before, there is nothing to keep. */
export const versionsOf = (
  lost: readonly (RefusedChange | Replacement)[],
  by: Actor,
  now: Instant,
): readonly NewVersion[] =>
  lost.flatMap((one) => {
    const version = "change" in one ? refusedVersion(one, by, now) : replacedVersion(one, by, now);
    return version ?? [];
  });

/** The difference of the version before from the one that replaces it; of a record that a key makes, that there was none. */
const replacedVersion = (
  { loss, before, after }: Replacement,
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

/** What a device pushed and is not stored so, as its difference from what is. */
const refusedVersion = (
  { loss, current, change }: RefusedChange,
  by: Actor,
  now: Instant,
): NewVersion | null => {
  const found = difference(payloadOf(current), change.payload);
  if (found === null && loss === "stale" && current.deletedAt === change.deletedAt) return null;
  return sized({
    accountId: current.accountId,
    table: current.table,
    recordId: current.id,
    at: now,
    stamp: current.changedAt,
    loss,
    updatedAt: change.updatedAt,
    deletedAt: change.deletedAt,
    writerKind: by.kind,
    writerId: by.id,
    byKind: current.writerKind,
    byId: current.writerId,
    difference: JSON.stringify(found ?? {}),
    digest: versionDigest(loss, change),
  });
};

/** Bytes that a version takes beside its difference. */
const OVERHEAD = 300;

const sized = (version: Omit<NewVersion, "size">): NewVersion => ({
  ...version,
  size: OVERHEAD + byteLength(version.difference ?? ""),
});

/** What a refused version is known by when a device sends it again. */
export const versionDigest = (loss: Loss, change: Change): string =>
  wyhash64(
    `${loss} ${change.updatedAt} ${change.deletedAt ?? "live"} ${canonical(change.payload)}`,
  ).toString(36);
