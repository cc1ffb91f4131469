/**
 * Why a version of a record does not stand. `made`: the record was not there before. `edited`, `deleted`,
 * `merged`, `restored`, `undone`: what was done to it put another in its place. `stale`, `clamped`: a
 * device pushed it and it was refused, or taken with another stamp.
 */
export type Loss =
  "clamped" | "deleted" | "edited" | "made" | "merged" | "restored" | "stale" | "undone";
