import { answerNow } from "../server/elysia.ts";
import type { Call, Answered } from "../server/call.ts";
import { finish } from "../server/respond.ts";
import { admitBody, admitPlain, receiveForm } from "../server/request-order.ts";
import { checkValue, type Parameters, refuseUnknownFields } from "../server/checks/schema.ts";
import type { Service } from "../server/service.ts";
import type { StoredReply } from "../domain/calls/idempotency.ts";
import { appTokenIn } from "../server/checks/request.ts";
import type { ApiContext, Route } from "./route.ts";
import { identifyAgain } from "../server/checks/admission.ts";

/** The part of Elysia's hook context that we use. */
type HookContext = {
  readonly call: Call;
  readonly bearer: string | undefined;
  body: unknown;
};

/**
 * Returns the hook that Elysia calls before it checks a query against its route's schema. The hook lets the caller in,
 * checks the body, and puts it into the context. Only hooks of routes with a body are asynchronous. The context is taken
 * apart and never passed on: see `readable` in server/elysia.ts.
 */
export const admissionHook = (service: Service, route: Route) => {
  if (route.form)
    return async (context: HookContext) => {
      const { call } = context;
      context.body = await receiveForm(service, route, call);
    };
  if (route.access.callers === "anyone") return () => {};
  const rules = { ...route, isWrite: route.present !== null, parameters: parametersOf(route) };
  if (!route.body)
    return ({ call, bearer }: HookContext) => {
      admitPlain(service, rules, call, appTokenIn(call.request.headers) ?? bearer);
    };
  return async (context: HookContext) => {
    const { call, bearer } = context;
    const token = appTokenIn(call.request.headers) ?? bearer;
    const received = await admitBody(service, rules, call, token);
    if (received.stored) return answerNow(await replay(service, call, received.stored));
    if (route.body && route.rules === "rest") refuseUnknownFields(route.body, received.body);
    if (route.body) checkValue("body", route.body, received.body);
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
      identifyAgain(context.store, context.request, context.service.clock.wall());
      yield piece;
    }
  } finally {
    await pieces.return(undefined);
  }
}
