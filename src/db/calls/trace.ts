import type { Trace } from "../../domain/calls/trace.ts";
import { insertTrace } from "../sqlite/calls/trace.ts";
import type { Store } from "../store.ts";

/** Records the trace of a call that changed nothing. */
export const recordTrace = (store: Store, trace: Trace): Promise<void> =>
  store.writer.write(({ orm }) => insertTrace(orm, trace), "trace");
