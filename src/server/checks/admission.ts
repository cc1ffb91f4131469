import { isPro } from "../../domain/people/account.ts";
import type { Caller, Scope } from "../../domain/people/caller.ts";
import { authenticate } from "../../db/people/credentials.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { Call } from "../call.ts";
import { wholeSeconds } from "../respond.ts";
import type { Service } from "../service.ts";

/** Who may call a place (specification, section 4, column Credential). */
export type Access = {
  readonly callers: "anyone" | "session" | "session or key";
  /** The scope that a key needs. */
  readonly scope: Scope | null;
  /** Whether a key also needs its account to be Pro. */
  readonly pro: boolean;
};

export const ANYONE: Access = { callers: "anyone", scope: null, pro: false };
export const SESSION: Access = { callers: "session", scope: null, pro: false };
/** Any credential that is accepted, whatever its scopes and its account's plan. */
export const ANY_CREDENTIAL: Access = { callers: "session or key", scope: null, pro: false };
/** Any credential of whoever may use keys; which scope is needed is asked later. */
export const ANY_SCOPE: Access = { callers: "session or key", scope: null, pro: true };
export const READ: Access = { callers: "session or key", scope: "read", pro: true };
export const WRITE: Access = { callers: "session or key", scope: "write", pro: true };

/**
 * Steps 6 to 9 of the door (DESIGN, section 5): credential, limiter, what keys may never do, scope and
 * plan. Puts the caller into the call, whatever is refused later.
 */
export const admit = (
  service: Service,
  access: Access,
  call: Call,
  request: Request,
  token: string | undefined,
): void => {
  const caller = identify(service, request, token, call.now);
  call.caller = caller;
  if (caller.kind !== "api_key") return;
  takeToken(service, call, caller);
  checkKey(caller, access, call.now);
};

/** Once more, where a body took its time: what was revoked meanwhile, or lost its plan, writes nothing. */
export const admitAgain = (
  service: Service,
  access: Access,
  call: Call,
  request: Request,
  token: string | undefined,
): Caller => {
  const now = service.clock.wall();
  const caller = identify(service, request, token, now);
  call.caller = caller;
  if (caller.kind === "api_key") checkKey(caller, access, now);
  return caller;
};

const identify = (
  service: Service,
  request: Request,
  token: string | undefined,
  now: Instant,
): Caller => {
  const caller = token === undefined ? null : authenticate(service.store, token, now);
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

const takeToken = (service: Service, call: Call, caller: Caller): void => {
  const allowance = service.limiter.take(caller.id);
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

/** What a key may call at all. Refuses what is for sessions alone, a missing scope, and a plan without keys. */
export const checkKey = (caller: Caller, { callers, scope, pro }: Access, now: Instant): void => {
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
