import type { Store } from "../db/open.ts";
import { insertTrace } from "../db/traces.ts";
import { type Call, traceOf } from "../door/call.ts";
import { errorBody, statusOf } from "../door/refusals.ts";
import type { TextReply } from "../door/reply.ts";
import type { Refusal } from "../refusal.ts";
import type { Ask } from "./ask.ts";
import { onlyAsked } from "./dryrun.ts";
import type { WriteRoute } from "./route.ts";

/** What a write came to: its value, and how that is answered. */
type Made = { readonly value: unknown; readonly status: number; readonly reply: TextReply };

/**
 * Does a write and returns its reply, which is made inside the transaction that does the work: with it
 * stand the call's row in the activity list and the reply that is kept for the same request to come, or
 * none of them does.
 */
export const answerWrite = async (call: Call, route: WriteRoute, ask: Ask): Promise<Made> => {
  let made: Made | null = null;
  const present = (value: unknown): Made => (made = madeOf(call, route, ask, value));
  const value = await route.handle({ ...ask, store: recordingStore(ask.store, call, present) });
  return checked(made, value);
};

const madeOf = (call: Call, route: WriteRoute, ask: Ask, value: unknown): Made => {
  const reply = route.present(value, ask);
  if (call.dryRun) return { value, status: 200, reply: onlyAsked(reply) };
  if (call.pathId === null) call.touched = touchedBy(route, value);
  return { value, status: route.success, reply };
};

/** The record that a write returned, as the activity list names it. */
const touchedBy = (route: WriteRoute, value: unknown): string | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${route.touches}:${id}` : null;
};

/** Else what is kept would not be what is answered. */
const checked = (made: Made | null, value: unknown): Made => {
  if (made !== null && made.value === value) return made;
  throw new Error("The handler of a write must return what its transaction returned.");
};

/** The store as a write's handler gets it: whatever comes of the work, the call's trace is left with it. */
const recordingStore = (store: Store, call: Call, present: (value: unknown) => Made): Store => ({
  ...store,
  writer: {
    ...store.writer,
    write: async (job) => {
      const outcome = await store.writer.write((tx) => {
        const attempt = call.dryRun ? tx.rehearse : tx.attempt;
        const done = attempt(() => {
          const value = job(tx);
          return { value, made: present(value) };
        });
        const { status, reply } = done.done ? done.value.made : refused(done.refusal);
        insertTrace(tx, traceOf(call, status, reply));
        return done;
      });
      call.recorded = true;
      if (outcome.done) return outcome.value.value;
      throw outcome.refusal;
    },
  },
});

const refused = (refusal: Refusal) => ({
  status: statusOf(refusal),
  reply: { body: errorBody(refusal) },
});
