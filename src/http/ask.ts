import type { Caller } from "../caller.ts";
import type { Store } from "../db/open.ts";
import { isRecordId } from "../text.ts";
import { notFound } from "../refusal.ts";
import type { Instant } from "../instant.ts";
import type { Service } from "../door/service.ts";

/** A request as its handler sees it: from a caller who may make it, and as its route's schemas say. */
export type Ask<Query = unknown, Body = unknown> = {
  readonly service: Service;
  /** A write's leaves the call's trace in the transaction that does the work. */
  readonly store: Store;
  readonly caller: Caller | null;
  readonly request: Request;
  /** Tells the network address that the connection comes from. */
  readonly peer: () => string;
  /** Tells what the client calls itself. */
  readonly client: () => string | null;
  /** The id in the path, decoded once. */
  readonly pathId: string | null;
  readonly query: Query;
  readonly body: Body;
  readonly now: Instant;
};

/** The caller of a route that is not for anyone; the guard has seen to it. */
export const callerOf = (ask: Ask): Caller => {
  if (!ask.caller) throw new Error("A handler asked for the caller of a route that needs none.");
  return ask.caller;
};

/** The id in the path. One that cannot be a record's is the id of none. */
export const idOf = (ask: Ask): string => {
  const id = ask.pathId;
  if (!isRecordId(id)) throw notFound("task");
  return id;
};
