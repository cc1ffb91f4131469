import type { Activity } from "./activity.ts";
import type { StoredReply } from "./idempotency.ts";

/** What a call leaves beside its work: its row in the activity list, and its reply where that is kept. */
export type Trace = { readonly activity: Activity | null; readonly kept: StoredReply | null };
