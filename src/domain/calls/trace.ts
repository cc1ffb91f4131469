import type { Activity } from "./activity.ts";
import type { StoredReply } from "./idempotency.ts";

/**
 * What is stored about a call beside its work: its row in the activity list, and its reply if repeats must
 * get the same one.
 */
export type Trace = { readonly activity: Activity | null; readonly reply: StoredReply | null };
