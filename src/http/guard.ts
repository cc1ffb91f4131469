import { isPro } from "../account.ts";
import type { Caller } from "../caller.ts";
import { authenticate } from "../db/credentials.ts";
import type { KeptReply } from "../idempotency.ts";
import type { Instant } from "../instant.ts";
import { Refusal } from "../refusal.ts";
import { withoutSecrets } from "../secret.ts";
import { isRecordId } from "../text.ts";
import { parseJson, readBody, readForm } from "./body.ts";
import type { Call } from "../door/call.ts";
import { wholeSeconds } from "../door/respond.ts";
import { asksOnly } from "./dryrun.ts";
import { beginOnce, idempotencyKeyOf } from "./once.ts";
import type { Access, Route } from "./route.ts";
import type { Service } from "../door/service.ts";
import { checkRestBody } from "./wellformed.ts";

/** A request that was let in, with its body; or what the same one was answered before. */
type Admitted = { readonly kept: null; readonly body: unknown } | { readonly kept: KeptReply };

/**
 * Steps 6 to 10 of the door (DESIGN, section 5): credential, limiter, what keys may never do, scope
 * and plan, and only then the body, which is returned. A stranger's body is never read, but where
 * it is the credential: a form of OAuth's.
 */
export const admit = async (
  service: Service,
  route: Route,
  call: Call,
  request: Request,
  token: string | undefined,
): Promise<Admitted> => {
  if (route.access.callers === "anyone")
    return { kept: null, body: route.form ? await readForm(request, route) : undefined };
  const caller = await identify(service, request, token, call.now);
  call.caller = caller;
  if (caller.kind === "api_key") {
    await takeToken(service, call, caller);
    checkKey(caller, route.access, call.now);
  }
  if (isRecordId(call.pathId)) call.touched = withoutSecrets(`${route.touches}:${call.pathId}`);
  return route.body
    ? takeBody(service, route, call, request, token)
    : { kept: null, body: undefined };
};

/** Reads the body of a caller who may send one, unless the same request was answered before. */
const takeBody = async (
  service: Service,
  route: Route,
  call: Call,
  request: Request,
  token: string | undefined,
): Promise<Admitted> => {
  call.dryRun = asksOnly(request, route);
  const key = route.present && !call.dryRun ? idempotencyKeyOf(request.headers) : null;
  const bytes = await readBody(request, route);
  // A body may take its time: what was revoked meanwhile, or lost its plan, writes nothing.
  const caller = await identify(service, request, token, service.clock.wall());
  call.caller = caller;
  if (caller.kind === "api_key") checkKey(caller, route.access, service.clock.wall());
  const kept = key === null ? null : await beginOnce(service, call, caller, key, bytes);
  if (kept) return { kept };
  const body = parseJson(bytes, route);
  if (route.rules === "rest") checkRestBody(body, caller.kind === "api_key");
  return { kept, body };
};

const identify = async (
  service: Service,
  request: Request,
  token: string | undefined,
  now: Instant,
): Promise<Caller> => {
  const caller = token === undefined ? null : await authenticate(service.store, token, now);
  if (caller) return caller;
  // The same text for unknown, expired and revoked: it tells nobody which tokens ever existed.
  const sent = request.headers.has("authorization");
  throw new Refusal(
    "unauthenticated",
    sent
      ? "The credential is not valid: it is mistyped, expired or revoked. Make a new key, or sign in again."
      : "A credential is needed: send it as Authorization: Bearer <token>.",
    { "www-authenticate": `Bearer realm="docket"${sent ? ', error="invalid_token"' : ""}` },
  );
};

const takeToken = async (service: Service, call: Call, caller: Caller): Promise<void> => {
  const allowance = await service.limiter.take(caller.id);
  call.quotas = allowance;
  call.tookToken = allowance.admitted;
  if (allowance.admitted) return;
  const seconds = wholeSeconds(allowance.retryIn);
  const { perMinute, perHour } = service.limiter.limits;
  throw new Refusal(
    "too_many",
    `This key may make ${perMinute} requests a minute and ${perHour} an hour: try again in ${seconds} s.`,
    { "retry-after": String(seconds) },
  );
};

const checkKey = (caller: Caller, { callers, scope, pro }: Access, now: Instant): void => {
  if (callers === "session")
    throw new Refusal(
      "forbidden",
      "API keys cannot sync: /sync is for the extension's own session.",
    );
  if (scope !== null && !caller.scopes.includes(scope))
    throw new Refusal("forbidden", `This key lacks the scope: ${scope}.`, {
      "www-authenticate": `Bearer realm="docket", error="insufficient_scope", scope="${scope}"`,
    });
  if (pro && !isPro(caller.account, now))
    throw new Refusal("forbidden", "API keys need Pro, and this account's plan is free.");
};
