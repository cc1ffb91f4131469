import type { Activity } from "../../domain/calls/activity.ts";
import type { StoredReply } from "../../domain/calls/idempotency.ts";
import { insertCall } from "./activity.ts";
import { insertStoredReply } from "./idempotency.ts";
import type { Store } from "../store.ts";
import type { Tx } from "../sqlite/transaction.ts";

/**
 * What a call records besides its work: its row in the activity list, and its reply if it is to be
 * stored.
 */
export type Trace = { readonly activity: Activity | null; readonly kept: StoredReply | null };

/** Records a call's trace in the same transaction as its work. */
export const insertTrace = (tx: Tx, { activity, kept }: Trace): void => {
  if (activity) insertCall(tx, activity);
  if (kept) insertStoredReply(tx, kept);
};

/** Records the trace of a call that changed nothing. */
export const recordTrace = (store: Store, trace: Trace): Promise<void> =>
  store.writer.write((tx) => insertTrace(tx, trace), "trace");
