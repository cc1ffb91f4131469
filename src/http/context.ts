import type { Caller } from "../domain/people/caller.ts";
import type { Store } from "../db/store.ts";
import { isRecordId } from "../domain/base/text.ts";
import { notFound } from "../domain/base/refusal.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { Service } from "../server/service.ts";

/** A request as its handler sees it: from a caller who may make it, and as its route's schemas say. */
export type ApiContext<Query = unknown, Body = unknown> = {
  readonly service: Service;
  /** A write's leaves the call's trace in the transaction that does the work. */
  readonly store: Store;
  readonly caller: Caller | null;
  readonly request: Request;
  /** Tells the network address that the connection comes from. */
  readonly peer: () => string;
  /** The id in the path, decoded once. */
  readonly pathId: string | null;
  readonly query: Query;
  readonly body: Body;
  readonly now: Instant;
};

/** The caller of a route that is not for anyone; its hook has seen to it. */
export const callerOf = (context: ApiContext): Caller => {
  if (!context.caller)
    throw new Error("A handler asked for the caller of a route that needs none.");
  return context.caller;
};

/** The id in the path. One that cannot be a record's is the id of none. */
export const idOf = (context: ApiContext): string => {
  const id = context.pathId;
  if (!isRecordId(id)) throw notFound("task");
  return id;
};
