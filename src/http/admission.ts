import { answerNow } from "../server/elysia.ts";
import type { Call } from "../server/call.ts";
import { type Answered, finish } from "../server/finish.ts";
import { admit, admitBody, receiveForm } from "../server/request-order.ts";
import type { Service } from "../server/service.ts";
import type { StoredReply } from "../domain/calls/idempotency.ts";
import type { Route } from "./route.ts";

/** What Elysia gives a hook, as far as ours use it. */
type HookContext = {
  readonly call: Call;
  readonly request: Request;
  readonly bearer: string | undefined;
  body: unknown;
};

/**
 * The hook that Elysia calls before it holds a request against its route's schema: it lets the caller in, and puts
 * the body into the context. Only where there is a body is anything waited for. No context is handed on as a whole:
 * see `mount` in server/elysia.ts.
 */
export const admissionHook = (service: Service, route: Route) => {
  if (route.form)
    return async (context: HookContext) => {
      const { request } = context;
      context.body = await receiveForm(request, route);
    };
  if (route.access.callers === "anyone") return () => {};
  if (!route.body) return ({ call, bearer }: HookContext) => admit(service, route, call, bearer);
  const rules = { ...route, isWrite: route.present !== null };
  return async (context: HookContext) => {
    const { call, bearer } = context;
    const received = await admitBody(service, rules, call, bearer);
    if (received.stored) return answerNow(await replay(service, call, received.stored));
    context.body = received.body;
    return undefined;
  };
};

/** The reply that the same request was given before, to the letter, marked as such. */
const replay = (service: Service, call: Call, stored: StoredReply): Answered => {
  call.touched = stored.touched;
  const etag = stored.etag === null ? {} : { etag: stored.etag };
  const headers = { "idempotency-replayed": "true", ...etag };
  return finish(service, call, stored.status, { body: stored.body, headers });
};
