import type { Instant } from "../../domain/base/instant.ts";
import type { MaybePromise } from "../../domain/base/maybe-promise.ts";
import { floorOf, leaseFor, raiseLease, type ServerClock } from "./clock.ts";
import type { Writer } from "../sqlite/transaction.ts";

/**
 * The `server_time` of a pull: everything up to it can be read now, nothing will be committed at or
 * below it later. Where the lease cannot be written (disk full), it stays at what is safe without.
 */
export const issueServerTime = (
  clock: ServerClock,
  writer: Writer,
  accountId: number,
  hw: Instant,
  now: Instant,
): MaybePromise<Instant> => {
  const wanted = Math.max(now, hw, floorOf(clock, accountId));
  const issue = (): Instant => {
    // What is being written now comes with the next pull.
    const pending = (clock.pending.get(accountId) ?? Number.POSITIVE_INFINITY) - 1;
    const highest = Math.min(wanted, clock.lease, pending);
    const safe = Math.max(hw, highest, floorOf(clock, accountId));
    clock.floors.set(accountId, safe);
    return safe;
  };
  if (wanted <= clock.lease) return issue();
  return extendLease(clock, writer, leaseFor(wanted, now)).then(issue);
};

/** A pull does not wait for another process's lock: it falls back to what needs no lease. */
const extendLease = async (clock: ServerClock, writer: Writer, lease: Instant): Promise<void> => {
  const written = writer.write((tx) => raiseLease(tx.orm).run({ lease }));
  const raised = written.then(
    () => (clock.lease = Math.max(clock.lease, lease)),
    () => {},
  );
  await writer.writtenOrBlocked(raised);
};
