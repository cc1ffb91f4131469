import { insertCall } from "../db/activity.ts";
import type { Store } from "../db/open.ts";
import { activityOf, type Call } from "../door/call.ts";
import { statusOf } from "../door/refusals.ts";
import type { Route } from "./route.ts";

/**
 * The store as a key's handler gets it: each write records the call in its own transaction, with
 * whatever came of it, so that neither stands without the other.
 */
export const recordingStore = (store: Store, call: Call, route: Route): Store => ({
  ...store,
  writer: {
    ...store.writer,
    write: async (job) => {
      const outcome = await store.writer.write((tx) => {
        const attempt = tx.attempt(() => job(tx));
        const refusal = attempt.done ? null : attempt.refusal;
        if (attempt.done) call.touched ??= touchedBy(route, attempt.value);
        const activity = activityOf(call, refusal ? statusOf(refusal) : route.success);
        if (activity) insertCall(tx, activity);
        return attempt;
      });
      call.recorded = true;
      if (outcome.done) return outcome.value;
      throw outcome.refusal;
    },
  },
});

/** The record that a write returned, as the activity list names it. */
const touchedBy = (route: Route, value: unknown): string | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${route.touches}:${id}` : null;
};
