import { type Instant, SECOND } from "../../domain/base/instant.ts";
import type { MaybePromise } from "../../domain/base/maybe-promise.ts";
import { floorOf, leaseFor, raiseLease, type ServerClock } from "./clock.ts";
import type { Writer } from "../sqlite/transaction.ts";

/**
 * Issues the `server_time` of a pull: everything up to it can be read now, and nothing will be committed at
 * or below it later. If the lease cannot be written (disk full), returns the latest time that is safe without
 * it.
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
    // Rows that are being written now come with the next pull.
    const pending = (clock.pending.get(accountId) ?? Number.POSITIVE_INFINITY) - 1;
    const highest = Math.min(wanted, clock.lease, pending);
    const safe = Math.max(hw, highest, floorOf(clock, accountId));
    clock.floors.set(accountId, safe);
    return safe;
  };
  const extend = () => extendLease(clock, writer, leaseFor(wanted, now));
  if (wanted > clock.lease) return extend().then(issue);
  // Ahead of its end, so that nobody has to wait for that while a long write is under way.
  if (wanted <= now && wanted > clock.lease - RENEWED_BEFORE && !clock.renewing) {
    clock.renewing = true;
    void extend().finally(() => (clock.renewing = false));
  }
  return issue();
};

/** How long before its end the lease is renewed. A long write seldom takes longer. */
const RENEWED_BEFORE = 5 * SECOND;

/** A pull does not wait for a long write. It falls back to a time that needs no lease. */
const extendLease = async (clock: ServerClock, writer: Writer, lease: Instant): Promise<void> => {
  const written = writer.write((tx) => raiseLease(tx.orm).run({ lease }));
  const raised = written.then(
    () => (clock.lease = Math.max(clock.lease, lease)),
    () => {},
  );
  await writer.writtenOrLate(raised);
};
