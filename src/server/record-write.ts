import type { Store } from "../db/store.ts";
import type { Transaction } from "../db/transaction.ts";
import { andThen, type MaybePromise } from "../domain/base/maybe-promise.ts";
import type { Refusal } from "../domain/base/refusal.ts";
import type { Call } from "./call.ts";
import { errorReply, refused } from "./refusals.ts";
import type { TextReply } from "./reply.ts";
import { traceOf } from "./trace.ts";

/** How something is answered. */
export type Answer = { readonly status: number; readonly reply: TextReply };

/**
 * Does a write in one transaction of the caller's account, or only rehearses it for a dry run, and returns the answer
 * that `present` makes of it. In the same transaction it leaves the call's row in the activity list and the reply that
 * is kept for the same request to come: all of that is stored, or nothing. So is what is left of a refusal, which is
 * then thrown.
 */
export const recordWrite = async <Value>(
  store: Store,
  call: Call,
  write: (tx: Transaction) => MaybePromise<Value>,
  present: (value: Value) => Answer,
): Promise<Answer> => {
  const outcome = await store.transaction(accountOf(call), call.now, (tx) => {
    const attempt = call.dryRun ? tx.rehearse : tx.attempt;
    return andThen(
      attempt(() => andThen(write(tx), present)),
      (attempted) => {
        const { status, reply } = attempted.done
          ? attempted.value
          : answerOf(attempted.refusal, call);
        return andThen(tx.calls.record(traceOf(call, status, reply)), () => attempted);
      },
    );
  });
  call.recorded = true;
  if (outcome.done) return outcome.value;
  throw outcome.refusal;
};

const accountOf = ({ caller }: Call): number => {
  if (!caller) throw new Error("A write needs a caller.");
  return caller.account.id;
};

const answerOf = (refusal: Refusal, { words }: Call): Answer => {
  const failure = refused(refusal, words);
  return { status: failure.status, reply: errorReply(failure) };
};
