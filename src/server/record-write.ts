import type { Store } from "../db/store.ts";
import { insertTrace } from "../db/calls/trace.ts";
import type { Refusal } from "../domain/base/refusal.ts";
import type { Call } from "./call.ts";
import { errorReply, refused } from "./refusals.ts";
import type { TextReply } from "./reply.ts";
import { traceOf } from "./trace.ts";

/** How something is answered. */
export type Answer = { readonly status: number; readonly reply: TextReply };

/** The record that a write returned, as the activity list names it; null where it returned none. */
export const nameRecord = (kind: "folder" | "task", value: unknown): string | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${kind}:${id}` : null;
};

type Made<Value> = { readonly value: Value; readonly answer: Answer };

/**
 * Does a write and returns its answer, which `present` makes inside the transaction that does the work:
 * with it stand the call's row in the activity list and the reply that is kept for the same request to
 * come, or none of them does. `handle` must return what its one transaction returned.
 */
export const recordWrite = async <Value>(
  store: Store,
  call: Call,
  handle: (store: Store) => Promise<Value>,
  present: (value: Value) => Answer,
): Promise<Answer> => {
  let made: Made<Value> | null = null;
  const make = (value: unknown): Made<Value> => {
    // The one transaction's value is the handler's own: checked below.
    made = { value: value as Value, answer: present(value as Value) };
    return made;
  };
  const value = await handle(recordingStore(store, call, make));
  return checked(made, value);
};

/** Else what is kept would not be what is answered. */
const checked = <Value>(made: Made<Value> | null, value: Value): Answer => {
  if (made !== null && made.value === value) return made.answer;
  throw new Error("The handler of a write must return what its transaction returned.");
};

/** The store as a write's handler gets it: whatever comes of the work, the call's trace is left with it. */
const recordingStore = <Value>(
  store: Store,
  call: Call,
  make: (value: unknown) => Made<Value>,
): Store => ({
  ...store,
  writer: {
    ...store.writer,
    write: async (job) => {
      const outcome = await store.writer.write((tx) => {
        const attempt = call.dryRun ? tx.rehearse : tx.attempt;
        const done = attempt(() => {
          const value = job(tx);
          return { value, made: make(value) };
        });
        const { status, reply } = done.done ? done.value.made.answer : answerOf(done.refusal, call);
        insertTrace(tx, traceOf(call, status, reply));
        return done;
      });
      call.recorded = true;
      if (outcome.done) return outcome.value.value;
      throw outcome.refusal;
    },
  },
});

const answerOf = (refusal: Refusal, { words }: Call): Answer => {
  const failure = refused(refusal, words);
  return { status: failure.status, reply: errorReply(failure) };
};
