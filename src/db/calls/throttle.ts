import { mapInOrder } from "../../domain/base/in-order.ts";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import { DAY, type Instant, SECOND } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { digestSecret } from "../../domain/base/secret.ts";
import { addFailure, type Throttled, throttleWait } from "../../domain/calls/limiter.ts";
import type { Store } from "../store.ts";
import { failure } from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";

/**
 * What failed sign-ins are counted by: an e-mail address, a network address, a known browser, or an account
 * whose codes are tried, or a network address that tries pairing codes.
 */
export type Subject = { readonly kind: Throttled; readonly name: string };

/**
 * Subjects are stored as digests, so that a glance at the table does not show whose accounts were
 * tried.
 */
const subjectId = ({ kind, name }: Subject): string =>
  `${kind}:${digestSecret(name).toString("base64url")}`;

/**
 * Counts a failed attempt for each subject before the password is checked, in a commit of its own.
 * Simultaneous attempts cannot exceed the limit, and no later failure undoes the count. While one
 * of the subjects has to wait, it refuses with `too_many` and `retry-after` in seconds, and counts
 * nothing.
 */
export const countAttempt = (
  store: Store,
  subjects: readonly Subject[],
  now: Instant,
): Promise<void> =>
  store.writer.write(async (tx) => {
    const counted = await mapInOrder(subjects, async (subject) => ({
      subject,
      before: await readFailures(tx, subject),
    }));
    const waits = counted.map(({ subject, before }) =>
      before ? throttleWait(before, subject.kind, now) : 0,
    );
    const seconds = Math.ceil(Math.max(...waits, 0) / SECOND);
    if (seconds > 0)
      throw new Refusal(
        "too_many",
        `Too many attempts to sign in have failed. Try again in ${seconds} s.`,
        { "retry-after": String(seconds) },
      );
    for (const { subject, before } of counted) await putFailures(tx, subject, before, now);
    await tx.orm
      .delete(failure)
      .where(lt(failure.lastAt, now - DAY))
      .run();
  });

const readFailures = async (tx: Tx, subject: Subject) =>
  (await tx.orm
    .select()
    .from(failure)
    .where(eq(failure.subject, subjectId(subject)))
    .get()) ?? null;

const putFailures = async (
  tx: Tx,
  subject: Subject,
  before: Awaited<ReturnType<typeof readFailures>>,
  now: Instant,
): Promise<void> => {
  const row = { subject: subjectId(subject), ...addFailure(before, now) };
  await tx.orm
    .insert(failure)
    .values(row)
    .onConflictDoUpdate({ target: failure.subject, set: row })
    .run();
};

/**
 * Call this when the sign-in succeeded. It takes the attempt back; for an e-mail or a browser it
 * clears all earlier failures too.
 */
export const forgiveAttempt = (store: Store, subjects: readonly Subject[]): Promise<void> =>
  store.writer.write(async (tx) => {
    for (const subject of subjects) {
      const id = eq(failure.subject, subjectId(subject));
      // Other people share this network address. One who signs in must not clear the failures of
      // the rest.
      if (!SHARED.includes(subject.kind)) await tx.orm.delete(failure).where(id).run();
      else await takeBack(tx, id);
    }
  });

const SHARED: readonly Throttled[] = ["address", "pairing"];

/**
 * Clears the failures counted for an e-mail address after its password has changed, so that the
 * person with the new password need not wait.
 */
export const clearFailures = async (tx: Tx, email: string): Promise<void> => {
  await tx.orm
    .delete(failure)
    .where(eq(failure.subject, subjectId({ kind: "email", name: email })))
    .run();
};

/** Takes one attempt back because its password was never checked. Earlier failures stay. */
export const withdrawAttempt = (store: Store, subjects: readonly Subject[]): Promise<void> =>
  store.writer.write(async (tx) => {
    for (const subject of subjects) await takeBack(tx, eq(failure.subject, subjectId(subject)));
  });

const takeBack = async (tx: Tx, id: ReturnType<typeof eq>): Promise<void> => {
  await tx.orm
    .update(failure)
    .set({ count: sql`${failure.count} - 1` })
    .where(and(id, gt(failure.count, 0)))
    .run();
};
