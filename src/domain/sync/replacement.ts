import type { Change } from "./change.ts";
import type { RecordRow } from "./row.ts";

/**
 * Why a version of a record is not the current one. `made`: there was none, the record is new. `edited`,
 * `deleted`, `merged`, `restored`, `undone`: another took its place, and what was done. `stale`, `clamped`: a
 * device pushed it, and it was refused, or taken with another stamp.
 */
export type Loss =
  "clamped" | "deleted" | "edited" | "made" | "merged" | "restored" | "stale" | "undone";

/** A version that another takes the place of; `before` is null where there was none. */
export type Replacement = {
  readonly loss: Exclude<Loss, RefusedChange["loss"]>;
  readonly before: RecordRow | null;
  readonly after: RecordRow;
};

/** A version that a device pushed and that is not stored so; `current` is the row that is. */
export type RefusedChange = {
  readonly loss: "clamped" | "stale";
  readonly current: RecordRow;
  readonly change: Change;
};

/** A record to store: `row` in the place of `before`, null where the record is new. */
export type RecordWrite = { readonly row: RecordRow; readonly before: RecordRow | null };
