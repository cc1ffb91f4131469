import type { RecordRow } from "./row.ts";

/**
 * Why a version of a record is not the current one. `made`: the record is new, there was none before.
 * `edited`, `deleted`, `merged`, `restored`, `undone`: another version replaced it, in this way. `stale`,
 * `clamped`, `merged`: a device pushed it, and it was refused, stored with another stamp, or merged.
 */
export type Loss =
  "clamped" | "deleted" | "edited" | "made" | "merged" | "restored" | "stale" | "undone";

/** How a change came: by a device's push, or over REST, which includes tools, pages and the command line. */
export type Via = "rest" | "sync";

/** A version that another one replaces; `before` is null if there was none. */
export type Replacement = {
  readonly loss: Exclude<Loss, "clamped" | "stale">;
  readonly before: RecordRow | null;
  readonly after: RecordRow;
  readonly via: Via;
};

/** A record to store: `row` replaces `before`, which is null for a new record. */
export type RecordWrite = { readonly row: RecordRow; readonly before: RecordRow | null };
