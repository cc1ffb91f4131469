import { type Ack, knows } from "./ack.ts";
import type { FiledChild } from "../tasks/child.ts";
import type { Removal } from "./removal.ts";
import type { FieldGuard } from "./guards.ts";
import type { Instant } from "../base/instant.ts";

/** Whether an edit can have known changes made over REST meanwhile. */
export type Knowledge = {
  readonly child: (child: FiledChild) => boolean;
  readonly drop: (drop: Removal) => boolean;
  /** Whether an item with a removed child's URL or text, but not its id, may be a new one. */
  readonly mayBeNew: (drop: Removal) => boolean;
  readonly field: (guard: FieldGuard) => boolean;
};

/**
 * What an edit of `updated`, sent by a session with this ack, can have known. Without an ack no filed child
 * counts as known, so that none is lost. For a field, without an ack only a change with a stamp after the
 * edit counts as unknown, so that a device that never acknowledges can still change the field back, or save a
 * removed item again.
 */
export const knowledgeOf = (ack: Ack, updated: Instant): Knowledge => ({
  child: ({ stamp }) => stamp === undefined || knows(ack, stamp, updated),
  drop: ({ stamp }) => knows(ack, stamp, updated),
  mayBeNew: ({ stamp }) => ack.since === null && updated > stamp,
  field: (guard) =>
    ack.since === null ? guard.updated <= updated : knows(ack, guard.stamp, updated),
});
