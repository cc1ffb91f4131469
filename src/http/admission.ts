import { answerNow } from "../server/elysia.ts";
import type { Call } from "../server/call.ts";
import { type Answered, finish } from "../server/finish.ts";
import { admit, admitBody, receiveForm } from "../server/request-order.ts";
import { checkValue } from "../server/checks/schema.ts";
import { refuseUnknownFields, refuseUnknownParameters } from "../server/checks/unknown.ts";
import { endpointName } from "../server/endpoint.ts";
import type { Service } from "../server/service.ts";
import type { StoredReply } from "../domain/calls/idempotency.ts";
import { appTokenIn } from "../server/checks/authorization.ts";
import type { Route } from "./route.ts";

/** The part of Elysia's hook context that we use. */
type HookContext = {
  readonly call: Call;
  readonly request: Request;
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
  const parameters = parametersOf(route);
  const endpoint = `${route.method} ${endpointName(route.path)}`;
  if (!route.body)
    return ({ call, bearer, request }: HookContext) => {
      admit(service, route, call, appTokenIn(request.headers) ?? bearer);
      if (route.query) refuseUnknownParameters(endpoint, parameters, request.url);
    };
  const rules = { ...route, isWrite: route.present !== null };
  return async (context: HookContext) => {
    const { call, bearer } = context;
    const token = appTokenIn(context.request.headers) ?? bearer;
    const received = await admitBody(service, rules, call, token);
    if (received.stored) return answerNow(await replay(service, call, received.stored));
    if (route.query) refuseUnknownParameters(endpoint, parameters, context.request.url);
    if (route.body && route.rules === "rest") refuseUnknownFields(route.body, received.body);
    if (route.body) checkValue("body", route.body, received.body);
    context.body = received.body;
    return undefined;
  };
};

/** The names of the query parameters that a route takes. Step 10 has judged `dry_run`. */
const parametersOf = ({ query }: Route): readonly string[] =>
  Object.keys((query?.["properties"] ?? {}) as object);

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
