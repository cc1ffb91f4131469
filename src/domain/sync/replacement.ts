import type { Change } from "./change.ts";
import type { Loss, Via } from "./loss.ts";
import type { RecordRow } from "./row.ts";

/** A version that another one replaces; `before` is null if there was none. */
export type Replacement = {
  readonly loss: Exclude<Loss, "clamped" | "stale">;
  readonly before: RecordRow | null;
  readonly after: RecordRow;
  readonly via: Via;
};

/** A version that a device pushed and that was not stored as sent; `current` is the stored row. */
export type RefusedChange = {
  readonly loss: "clamped" | "merged" | "stale";
  readonly current: RecordRow;
  readonly change: Change;
};

/** A record to store: `row` replaces `before`, which is null for a new record. */
export type RecordWrite = { readonly row: RecordRow; readonly before: RecordRow | null };
