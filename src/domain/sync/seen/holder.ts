import type { Payload } from "../../base/payload.ts";
import type { Instant } from "../../base/instant.ts";
import type { Ack, EditTime } from "./ack.ts";

/** What is known of the device that pushes. */
export type Holder = {
  readonly sessionId: string | null;
  readonly ack: Ack;
  /** The newest stamp in the backup of the first restore that it has not noticed; null if there is none. */
  readonly restored: Instant | null;
};

/**
 * Whether a version with this stamp can be the one that a device means by its `updated_at`. Until a device has noticed a
 * restore, the versions that it names are from before: a later one with that `updated_at` is another.
 */
export const canMean = ({ restored }: Holder, stamp: Instant | null): boolean =>
  restored === null || (stamp ?? 0) <= restored;

/**
 * The pushed edit. `base` is the `updated_at` of the version on which it was made, if the device says so; the edit's own
 * if the device was given this very version and sends it again.
 */
export type PushedEdit = EditTime & {
  readonly updatedAt: string;
  readonly payload: Payload;
  readonly isDeleted: boolean;
  readonly base: string | null;
  /** Whether a version of the record was clamped: a later one may have got the stamp that the device had sent. */
  readonly isClamped: boolean;
};
