import type { Store } from "../db/store.ts";
import { insertTrace } from "../db/calls/trace.ts";
import type { Refusal } from "../domain/base/refusal.ts";
import type { Call } from "./call.ts";
import { errorReply, refused } from "./refusals.ts";
import type { TextReply } from "./reply.ts";
import { traceOf } from "./trace.ts";

/** A status and a reply. */
export type Answer = { readonly status: number; readonly reply: TextReply };

/**
 * Returns the record that a write returned, as the activity list names it: `task:ID` or `folder:ID`. Null if it
 * returned none.
 */
export const nameRecord = (kind: "folder" | "task", value: unknown): string | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${kind}:${id}` : null;
};

type Made<Value> = { readonly value: Value; readonly answer: Answer };

/**
 * Runs a write and returns its answer. `present` makes the answer inside the write's own transaction, so the change,
 * its activity row and the reply stored for retries are committed together or not at all. `handle` must return what
 * its one transaction returned.
 */
export const recordWrite = async <Value>(
  store: Store,
  call: Call,
  handle: (store: Store) => Promise<Value>,
  present: (value: Value) => Answer,
): Promise<Answer> => {
  let made: Made<Value> | null = null;
  const make = (value: unknown): Made<Value> => {
    // The type is not checked at run time: `checked` below makes sure that this value is the handler's.
    made = { value: value as Value, answer: present(value as Value) };
    return made;
  };
  const value = await handle(recordingStore(store, call, make));
  return checked(made, value);
};

/** Otherwise the stored reply would differ from the one that is sent. */
const checked = <Value>(made: Made<Value> | null, value: Value): Answer => {
  if (made !== null && made.value === value) return made.answer;
  throw new Error("The handler of a write must return what its transaction returned.");
};

/**
 * Returns the store for a write's handler. Whether the work succeeds or is refused, its transaction records the call.
 */
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
