import type { Instant } from "../../base/instant.ts";
import type { RecordState } from "../../base/record.ts";
import type { ActorKind } from "../../people/caller.ts";
import type { Loss, Via } from "../loss.ts";

/** A version of a record: its own stamp as its writer sent it, and the session that wrote it, if one did. */
export type PastVersion = RecordState & {
  readonly updatedAt: string;
  readonly sessionId: string | null;
};

/** One change in a record's history. */
export type PastStep = {
  /** The stamp of its transaction, and the wall clock's time. */
  readonly stamp: Instant | null;
  readonly at: Instant;
  /** Null if it was stored before this was recorded. */
  readonly via: Via | null;
  readonly loss: Loss;
  /** Who made the change; for a refused version, who sent it. */
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
  /** Whether a device sent `before`, and it was not stored as sent. */
  readonly refused: boolean;
  /** For a refused version, the `updated_at` of the one on which the device made it, if it said so. */
  readonly base: string | null;
  /** The version before the change, or the refused one; null if there was none. */
  readonly before: PastVersion | null;
};
