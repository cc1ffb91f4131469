import { type Ack, knows } from "./ack.ts";
import type { FiledChild } from "../tasks/child.ts";
import type { Removal } from "./removal.ts";
import type { FieldGuard } from "./guards.ts";
import type { Instant } from "../base/instant.ts";

/** Whether an edit can have known what was done over REST meanwhile. */
export type Knowledge = {
  readonly child: (child: FiledChild) => boolean;
  readonly drop: (drop: Removal) => boolean;
  /** Whether what has a dropped one's url or text, but not its id, may be something new. */
  readonly again: (drop: Removal) => boolean;
  readonly field: (guard: FieldGuard) => boolean;
};

/**
 * What an edit of `updated`, sent by a session with this ack, can have known. Without an ack no filed child
 * counts as known, so that none is lost; of a field, only what was changed after the edit by the stamps
 * themselves counts as unknown, so that a device which never acknowledges can still change it back, or save
 * again what was taken away.
 */
export const knowledgeOf = (ack: Ack, updated: Instant): Knowledge => ({
  child: ({ stamp }) => stamp === undefined || knows(ack, stamp, updated),
  drop: ({ stamp }) => knows(ack, stamp, updated),
  again: ({ stamp }) => ack.since === null && updated > stamp,
  field: (guard) =>
    ack.since === null ? guard.updated <= updated : knows(ack, guard.stamp, updated),
});
