import { and, eq, gt, lt, sql } from "drizzle-orm";
import { DAY, type Instant, SECOND } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { digestSecret } from "../../domain/base/secret.ts";
import { addFailure, type Throttled, throttleWait } from "../../domain/calls/throttle.ts";
import type { Store } from "../store.ts";
import { failure } from "../schema/sign-in.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** Who tries to sign in: an e-mail, an address, or a browser that is known. */
export type Subject = { readonly kind: Throttled; readonly name: string };

/** Names are kept as digests: a glance at the table does not show who was tried. */
const subjectId = ({ kind, name }: Subject): string =>
  `${kind}:${digestSecret(name).toString("base64url")}`;

/**
 * Counts a try of each subject as failed, in a commit of its own, before the password is looked at:
 * tries at the same time cannot overshoot, and nothing that fails later takes the count back. Refused
 * with `too_many` while one of them has to wait; then nothing is counted.
 */
export const countTry = (store: Store, subjects: readonly Subject[], now: Instant): Promise<void> =>
  store.writer.write((tx) => {
    const counted = subjects.map((subject) => ({ subject, before: readFailures(tx, subject) }));
    const waits = counted.map(({ subject, before }) =>
      before ? throttleWait(before, subject.kind, now) : 0,
    );
    const seconds = Math.ceil(Math.max(...waits, 0) / SECOND);
    if (seconds > 0)
      throw new Refusal(
        "too_many",
        `Too many tries to sign in have failed: try again in ${seconds} s.`,
        { "retry-after": String(seconds) },
      );
    for (const { subject, before } of counted) putFailures(tx, subject, before, now);
    tx.orm
      .delete(failure)
      .where(lt(failure.lastAt, now - DAY))
      .run();
  });

const readFailures = (tx: Tx, subject: Subject) =>
  tx.orm
    .select()
    .from(failure)
    .where(eq(failure.subject, subjectId(subject)))
    .get() ?? null;

const putFailures = (
  tx: Tx,
  subject: Subject,
  before: ReturnType<typeof readFailures>,
  now: Instant,
): void => {
  const row = { subject: subjectId(subject), ...addFailure(before, now) };
  tx.orm
    .insert(failure)
    .values(row)
    .onConflictDoUpdate({ target: failure.subject, set: row })
    .run();
};

/** The try was none, or succeeded: it is taken back, of an e-mail or a browser with all before it. */
export const forgiveTry = (store: Store, subjects: readonly Subject[]): Promise<void> =>
  store.writer.write((tx) => {
    for (const subject of subjects) {
      const id = eq(failure.subject, subjectId(subject));
      // Others try from the same address: who signs in there must not wipe out what they did.
      if (subject.kind !== "address") tx.orm.delete(failure).where(id).run();
      else takeBack(tx, id);
    }
  });

/** Forgets what failed for an e-mail: its password is another now, and whoever has it need not wait. */
export const forgetTries = (tx: Tx, email: string): void => {
  tx.orm
    .delete(failure)
    .where(eq(failure.subject, subjectId({ kind: "email", name: email })))
    .run();
};

/** The try was not looked at: it is taken back, and no other with it. */
export const withdrawTry = (store: Store, subjects: readonly Subject[]): Promise<void> =>
  store.writer.write((tx) => {
    for (const subject of subjects) takeBack(tx, eq(failure.subject, subjectId(subject)));
  });

const takeBack = (tx: Tx, id: ReturnType<typeof eq>): void => {
  tx.orm
    .update(failure)
    .set({ count: sql`${failure.count} - 1` })
    .where(and(id, gt(failure.count, 0)))
    .run();
};
