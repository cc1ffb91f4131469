import type { Change } from "../sync/change.ts";
import { wyhash64 } from "../base/hash.ts";
import { canonical } from "../base/payload.ts";

/**
 * Why a version of a record does not stand. `made`: there was none, the record is new. `edited`, `deleted`,
 * `merged`, `restored`, `undone`: another took its place, and what was done. `stale`, `clamped`: a device
 * pushed it, and it was refused, or taken with another stamp.
 */
export type Loss =
  "clamped" | "deleted" | "edited" | "made" | "merged" | "restored" | "stale" | "undone";

/** What a refused version is known by when a device sends it again. */
export const versionDigest = (loss: Loss, change: Change): string =>
  wyhash64(
    `${loss} ${change.updatedAt} ${change.deletedAt ?? "live"} ${canonical(change.payload)}`,
  ).toString(36);
