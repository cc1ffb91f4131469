import type { Caller } from "../domain/people/caller.ts";
import type { Store } from "../db/store.ts";
import { isRecordId } from "../domain/base/text.ts";
import { taskNotFound } from "../domain/base/refusal.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { Service } from "../server/service.ts";

/** A request as its handler sees it: authorised, and checked against its route's schemas. */
export type ApiContext<Query = unknown, Body = unknown> = {
  readonly service: Service;
  readonly store: Store;
  readonly caller: Caller | null;
  readonly request: Request;
  /** Returns the network address of the connection. */
  readonly peer: () => string;
  /** The id in the path, decoded once. */
  readonly pathId: string | null;
  readonly query: Query;
  readonly body: Body;
  readonly now: Instant;
};

/** Returns the caller. Only for routes that require one, whose hook has checked it. */
export const callerOf = (context: ApiContext): Caller => {
  if (!context.caller)
    throw new Error("A handler asked for the caller of a route that needs none.");
  return context.caller;
};

/** Returns the id in the path. An id that no record can have is "not found". */
export const idOf = (context: ApiContext): string => {
  const id = context.pathId;
  if (!isRecordId(id)) throw taskNotFound();
  return id;
};
