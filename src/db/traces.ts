import type { Activity } from "../activity.ts";
import type { KeptReply } from "../idempotency.ts";
import { insertCall } from "./activity.ts";
import { insertKept } from "./kept.ts";
import type { Store } from "./open.ts";
import type { Tx } from "./writer.ts";

/** What a call leaves beside its work: its row in the activity list, and its reply where that is kept. */
export type Trace = { readonly activity: Activity | null; readonly kept: KeptReply | null };

/** Leaves a call's trace in the transaction that does its work. */
export const insertTrace = (tx: Tx, { activity, kept }: Trace): void => {
  if (activity) insertCall(tx, activity);
  if (kept) insertKept(tx, kept);
};

/** Leaves the trace of a call that changed nothing. */
export const recordTrace = (store: Store, trace: Trace): Promise<void> =>
  store.writer.write((tx) => insertTrace(tx, trace), "trace");
