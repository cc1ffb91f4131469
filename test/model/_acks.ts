import type { Instant } from "../../src/domain/base/instant.ts";

/**
 * One reply to a pull: its `server_time`, the server's own time then, and whether it left nothing
 * out.
 */
type Given = { readonly time: Instant; readonly at: Instant; readonly whole: boolean };

/** A record as a pull delivered it. Its stamp tells which version it was. */
type Delivery = { readonly time: Instant; readonly record: string; readonly stamp: Instant };

/** What can be known of what a session's device has stored. */
export type ModelAck = {
  readonly since: Instant | null;
  readonly given: readonly Given[];
  readonly deliveries: readonly Delivery[];
};

export const NOTHING_HEARD: ModelAck = { since: null, given: [], deliveries: [] };

/** The device says that it has stored everything up to `since`. */
export const hear = (ack: ModelAck, since: Instant | null): ModelAck => {
  if (since === null) return NOTHING_HEARD;
  const deliveries = ack.deliveries.filter(({ time }) => time <= since);
  if (!ack.given.some(({ time }) => time === since)) return { ...NOTHING_HEARD, deliveries };
  return { since, given: ack.given.filter(({ time }) => time <= since), deliveries };
};

export const give = (
  ack: ModelAck,
  reply: Given,
  rows: readonly Omit<Delivery, "time">[],
): ModelAck => ({
  ...ack,
  given: [...ack.given.filter(({ time }) => time !== reply.time), reply],
  deliveries: [...ack.deliveries, ...rows.map((row) => ({ ...row, time: reply.time }))],
});

/**
 * Whether an edit at `updated` can have known what happened to a record at `stamp`: the device
 * acknowledged its delivery, and the edit is later than the delivery. If a pull left something out,
 * the next complete one counts.
 */
export const hasSeen = (
  { since, given, deliveries }: ModelAck,
  record: string,
  stamp: Instant,
  updated: Instant,
): boolean => {
  const first = deliveries.find((one) => one.record === record && one.stamp >= stamp);
  const reply = first && given.find(({ time, whole }) => whole && time >= first.time);
  return since !== null && reply !== undefined && reply.time <= since && updated > reply.at;
};
