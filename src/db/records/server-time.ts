import { type Instant, SECOND } from "../../domain/base/instant.ts";
import { floorOf, leaseFor, raiseLease, type ServerClock } from "./clock.ts";
import type { Writer } from "../writer.ts";

/**
 * Issues the `server_time` of a pull: everything up to it can be read now, and nothing will be committed at
 * or below it later. If the lease cannot be written (disk full), returns the latest time that is safe without
 * it.
 */
export const issueServerTime = async (
  clock: ServerClock,
  writer: Writer,
  accountId: number,
  hw: Instant,
  now: Instant,
): Promise<Instant> => {
  const wanted = Math.max(now, hw, floorOf(clock, accountId));
  const issue = (): Instant => {
    // Rows that are being written now come with the next pull.
    const pending = (clock.pending.get(accountId) ?? Number.POSITIVE_INFINITY) - 1;
    const highest = Math.min(wanted, clock.lease, pending);
    const safe = Math.max(hw, highest, floorOf(clock, accountId));
    clock.floors.set(accountId, safe);
    return safe;
  };
  const raise = () => raiseTo(clock, writer, wanted, leaseFor(wanted, now));
  // A pull does not wait for a long write. It falls back to a time that needs no lease.
  if (wanted > clock.lease) return writer.writtenOrLate(raise()).then(issue);
  // Ahead of its end, so that hardly anybody has to wait for it.
  if (wanted <= now && wanted > clock.lease - RENEWED_BEFORE) void raise();
  return issue();
};

/** How long before its end the lease is renewed. A long write seldom takes longer. */
const RENEWED_BEFORE = 5 * SECOND;

/** Raises the lease above `wanted`, unless that is under way. Resolves also if it could not be written. */
const raiseTo = (
  clock: ServerClock,
  writer: Writer,
  wanted: Instant,
  lease: Instant,
): Promise<void> => {
  if (clock.raising && clock.raising.lease > wanted) return clock.raising.written;
  const written = writer
    .write((tx) => raiseLease(tx.orm).run({ lease }))
    .then(
      () => void (clock.lease = Math.max(clock.lease, lease)),
      () => {},
    )
    .finally(() => {
      if (clock.raising?.lease === lease) clock.raising = null;
    });
  clock.raising = { lease, written };
  return written;
};
