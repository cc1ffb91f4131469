import type { Trace } from "../../domain/calls/trace.ts";
import { selectAccount } from "../people/credentials.ts";
import { insertTrace } from "../sqlite/calls/trace.ts";
import type { Store } from "../store.ts";

/**
 * Records the trace of a call that changed nothing. If its account `id` was deleted while the call ran, nothing is
 * stored: nobody would ever delete those rows.
 */
export const recordTraceOf = (store: Store, id: number, trace: Trace): Promise<void> =>
  store.writer.write(({ orm }) => {
    if (selectAccount(orm).get({ id })) insertTrace(orm, trace);
  }, "trace");

/** The same for an account that is known to be there. */
export const recordTrace = (store: Store, trace: Trace): Promise<void> =>
  store.writer.write(({ orm }) => insertTrace(orm, trace), "trace");
