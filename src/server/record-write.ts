import type { Transaction } from "../db/transaction.ts";
import type { Refusal } from "../domain/base/refusal.ts";
import { type Call, type TextReply, traceOf } from "./call.ts";
import { checkAccess, identifyAgain, WRITE } from "./checks/admission.ts";
import { errorReply, refused } from "./respond.ts";
import type { Service } from "./service.ts";

/** A status and a reply. */
export type Answer = { readonly status: number; readonly reply: TextReply };

/**
 * Runs a write in one transaction of the caller's account and returns its answer. A dry run is rolled back. `present`
 * makes the answer inside the transaction, so the change, its activity row and the reply stored for retries are
 * committed together or not at all. A refusal leaves its activity row and stored reply in the same way, and is then
 * thrown. Refused as a whole, without a trace, if the caller's credential or account has ended while the write waited for
 * others.
 */
export const recordWrite = async <Value>(
  { store, clock }: Pick<Service, "clock" | "store">,
  call: Call,
  write: (tx: Transaction) => Promise<Value>,
  present: (value: Value) => Answer | Promise<Answer>,
): Promise<Answer> => {
  const outcome = await store.transaction(accountOf(call), call.now, async (tx) => {
    const now = clock.wall();
    checkAccess(await identifyAgain(store, call.request, now), WRITE, now);
    const attempt = call.dryRun ? tx.rehearse : tx.attempt;
    const attempted = await attempt(async () => present(await write(tx)));
    const { status, reply } = attempted.done ? attempted.value : answerOf(attempted.refusal, call);
    await tx.calls.record(traceOf(call, status, reply));
    return attempted;
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
