import type { Static, TSchema, TUnknown } from "@sinclair/typebox";
import { MAX_PAYLOAD } from "../domain/base/payload.ts";
import type { Transaction } from "../db/transaction.ts";
import { type Access, identifyAgain, WRITE } from "../server/checks/admission.ts";
import type { BodyRules } from "../server/checks/body.ts";
import type { Answered, Call, Endpoint, Reply, TextReply } from "../server/call.ts";
import type { Caller } from "../domain/people/account.ts";
import type { Store } from "../db/store.ts";
import { isRecordId } from "../domain/base/text.ts";
import { type Refusal, taskNotFound } from "../domain/base/refusal.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { Service } from "../server/service.ts";
import { answerNow } from "../server/elysia.ts";
import { finish } from "../server/respond.ts";
import { admit, admitBody, receiveForm, receiveRegistration } from "../server/request-order.ts";
import {
  checkParameters,
  checkValue,
  type Parameters,
  refuseUnknownFields,
} from "../server/checks/schema.ts";
import type { StoredReply } from "../domain/calls/idempotency.ts";
import { appTokenIn } from "../server/checks/request.ts";

/** The fields that all lines of the route table share. */
type Line = Endpoint &
  BodyRules & {
    readonly access: Access;
    /** The status of a successful reply. */
    readonly success: 200 | 201;
    /** The kind of record that the call reads or changes, for the activity list. A claim is named by its task. */
    readonly touches: "claim" | "folder" | "task";
    readonly query?: TSchema;
    readonly body?: TSchema;
    /** Whether the body is a form, as in OAuth. The handler gets `URLSearchParams`. */
    readonly form: boolean;
    /**
     * Whether a session's unknown query parameters are ignored. The extension may send some on these routes that the
     * specification does not show. Everywhere else, and from a key, an unknown one is refused.
     */
    readonly ignoresUnknown: boolean;
  };

/** What a write does in its transaction. */
export type Write<Value> = (tx: Transaction) => Promise<Value>;

type PlainRoute = Line & {
  readonly handle: (context: ApiContext) => Promise<Reply> | Reply;
  readonly present: null;
};

/**
 * A route that changes records. Its handler reads the request and returns the work to do in a transaction. `present`
 * makes the reply from what that work returns, inside the same transaction, so that the reply can be stored for
 * retries, and a dry run rolled back.
 */
export type WriteRoute = Line & {
  readonly handle: (context: ApiContext) => Promise<Write<unknown>> | Write<unknown>;
  readonly present: (value: unknown, context: ApiContext) => Promise<TextReply> | TextReply;
};

/** One line of the route table. The checks, the router and the API's document are all made from it. */
export type Route = PlainRoute | WriteRoute;

type Options<Query extends TSchema, Body extends TSchema> = Partial<
  Pick<Route, "form" | "ignoresUnknown" | "maxBody" | "rules" | "success" | "tooLarge" | "touches">
> & { readonly query?: Query; readonly body?: Body };

const DEFAULTS = {
  success: 200,
  touches: "task",
  form: false,
  ignoresUnknown: false,
  rules: "rest",
  maxBody: MAX_PAYLOAD,
  tooLarge: "The body must be at most 1 MiB.",
} as const;

/** Returns a route. `access` is required. The handler gets query and body in the types of their schemas. */
export const route = <Query extends TSchema = TUnknown, Body extends TSchema = TUnknown>(
  method: Route["method"],
  path: string,
  access: Access,
  handle: (context: ApiContext<Static<Query>, Static<Body>>) => Promise<Reply> | Reply,
  options: Options<Query, Body> = {},
): PlainRoute => ({
  ...DEFAULTS,
  method,
  path,
  access,
  // Both are checked against these schemas before the handler is called.
  handle: handle as PlainRoute["handle"],
  present: null,
  ...options,
});

/**
 * Returns a route that changes records and needs the `write` scope. Every such route accepts `Idempotency-Key` and
 * `dry_run`.
 */
export const write = <Value, Body extends TSchema, Query extends TSchema = TUnknown>(
  method: "PATCH" | "POST",
  path: string,
  handle: (
    context: ApiContext<Static<Query>, Static<Body>>,
  ) => Promise<Write<Value>> | Write<Value>,
  present: (
    value: Value,
    context: ApiContext<Static<Query>, Static<Body>>,
  ) => Promise<TextReply> | TextReply,
  options: Pick<Options<Query, Body>, "query" | "success" | "touches"> & { readonly body: Body },
): WriteRoute => ({
  ...DEFAULTS,
  method,
  path,
  access: WRITE,
  handle: handle as WriteRoute["handle"],
  // It only ever gets what that write returned.
  present: present as WriteRoute["present"],
  ...options,
});

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
  /** The id after it, of a part of that record. */
  readonly pathPart: string | null;
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

/** Returns the id of a task in the path. An id that no record can have is "not found". */
export const idOf = ({ pathId }: ApiContext): string => checkedId(pathId, taskNotFound);

/** Returns an id in the path, if it can be one. Refuses another as not found, whatever else the request asks. */
export const checkedId = (id: string | null, absent: () => Refusal): string => {
  if (!isRecordId(id)) throw absent();
  return id;
};

/** The part of Elysia's hook context that we use. */
type HookContext = {
  readonly call: Call;
  readonly bearer: string | undefined;
  body: unknown;
};

/**
 * Returns the hook that Elysia calls before it checks a query against its route's schema. The hook lets the caller in,
 * checks the body, and puts it into the context. The context is taken apart and never
 * passed on: see `readable` in server/elysia.ts.
 */
export const admissionHook = (service: Service, admitted: Route) => {
  if (admitted.form)
    return async (context: HookContext) => {
      const { call } = context;
      context.body = await receiveForm(service, admitted, call);
    };
  if (admitted.access.callers === "anyone" && !admitted.body) return () => {};
  if (admitted.access.callers === "anyone")
    return async (context: HookContext) => {
      context.body = await receiveRegistration(service, admitted, context.call);
    };
  const rules = {
    ...admitted,
    isWrite: admitted.present !== null,
    parameters: parametersOf(admitted),
  };
  if (!admitted.body)
    return async ({ call, bearer }: HookContext) => {
      await admit(service, rules, call, appTokenIn(call.request.headers) ?? bearer); // 6 to 9
      checkParameters(rules.parameters, call); // 10. an unknown query parameter: 422
    };
  return async (context: HookContext) => {
    const { call, bearer } = context;
    const token = appTokenIn(call.request.headers) ?? bearer;
    const received = await admitBody(service, rules, call, token);
    if (received.stored) return answerNow(await replay(service, call, received.stored));
    if (admitted.body && admitted.rules === "rest")
      refuseUnknownFields(admitted.body, received.body);
    if (admitted.body) checkValue("body", admitted.body, received.body);
    context.body = received.body;
    return undefined;
  };
};

/** The query parameters that a route takes. */
const parametersOf = ({ query, present, ignoresUnknown }: Route): Parameters => ({
  known: [
    ...Object.keys((query?.["properties"] ?? {}) as object),
    ...(present === null ? [] : ["dry_run"]),
  ],
  ignores: ignoresUnknown,
});

/**
 * Sends the reply stored for an earlier request with the same `Idempotency-Key` again, unchanged, with
 * `Idempotency-Replayed: true`.
 */
const replay = (service: Service, call: Call, stored: StoredReply): Answered => {
  call.touched = stored.touched;
  const etag = stored.etag === null ? {} : { etag: stored.etag };
  const headers = { "idempotency-replayed": "true", ...etag };
  return finish(service, call, stored.status, { body: stored.body, headers });
};

/** A reply can take minutes. It ends with the session: each piece is read only for one that is still valid. */
export async function* whileSignedIn(
  context: ApiContext,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      await identifyAgain(context.store, context.request, context.service.clock.wall());
      yield piece;
    }
  } finally {
    await pieces.return(undefined);
  }
}
