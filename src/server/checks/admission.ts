import type { Scope } from "../../domain/people/api-key.ts";
import { type Caller, isPro } from "../../domain/people/account.ts";
import { type Clock, HOUR, type Instant, wholeSeconds } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { authenticate } from "../../db/people/credentials.ts";
import { secretKind } from "../../domain/base/secret.ts";
import type { Store } from "../../db/store.ts";
import { APP_HEADER, tokenIn, tokenOf } from "./request.ts";
import type { Limiter } from "../service.ts";
import { tokenTimes } from "../../db/calls/activity.ts";
import {
  type Buckets,
  fillBuckets,
  isFull,
  type Limits,
  readQuotas,
  takeToken,
} from "../../domain/calls/limiter.ts";
import type { Call } from "../call.ts";

/** Who may call an endpoint (specification, section 4, column Credential). */
export type Access = {
  readonly callers: "anyone" | "session" | "session or key";
  /** The scope that an API key needs. Null if it needs none. */
  readonly scope: Scope | null;
  /** Why it is for sessions alone; what is said to an API key. */
  readonly why?: string;
  /** Whether an API key also needs its account to be Pro. */
  readonly pro: boolean;
};

export const ANYONE: Access = { callers: "anyone", scope: null, pro: false };
export const SESSION: Access = {
  callers: "session",
  scope: null,
  pro: false,
  why: "API keys cannot sync. Only the extension can call /sync, with its own session.",
};
export const OWN_DEVICES: Access = {
  ...SESSION,
  why: "API keys have no icons. Only the person's own devices can call /icons, with their sessions.",
};
/** Any valid credential, whatever its scopes and its account's plan. */
export const ANY_CREDENTIAL: Access = { callers: "session or key", scope: null, pro: false };
/** A session, or any key of a Pro account. The handler checks the scope: over MCP, it depends on the tool. */
export const ANY_SCOPE: Access = { callers: "session or key", scope: null, pro: true };
export const READ: Access = { callers: "session or key", scope: "read", pro: true };
export const WRITE: Access = { callers: "session or key", scope: "write", pro: true };

/** Steps 8 and 9 of the order of checks; MCP repeats them for each tool. They concern API keys only: a session may do everything. */
export const checkAccess = (caller: Caller, access: Access, now: Instant): void => {
  checkKind(caller, access);
  checkScope(caller, access);
  checkPlan(caller, access, now);
};

/** Refuses an API key if the endpoint is for sessions only (403). */
const checkKind = ({ kind }: Caller, { callers, why = "" }: Access): void => {
  if (kind !== "api_key" || callers !== "session") return;
  throw new Refusal("forbidden", why);
};

/** Refuses an API key that lacks the scope (403). A session has every scope. */
const checkScope = ({ kind, scopes }: Caller, { scope }: Access): void => {
  if (kind !== "api_key" || scope === null || scopes.includes(scope)) return;
  throw new Refusal(
    "forbidden",
    `This key does not have the ${scope} scope. Use a key that has it.`,
    {
      "www-authenticate": `Bearer realm="docket", error="insufficient_scope", scope="${scope}"`,
    },
  );
};

/** Refuses an API key if its account is not Pro (403). A plan never limits a session. */
const checkPlan = ({ kind, account }: Caller, { pro }: Access, now: Instant): void => {
  if (kind !== "api_key" || !pro || isPro(account, now)) return;
  throw new Refusal(
    "forbidden",
    "API keys need a Pro account, and this account is on the free plan.",
  );
};

/** Returns the caller that the token belongs to. Refuses a missing, unknown, expired or revoked token (401). */
export const identify = async (
  store: Store,
  { headers }: Request,
  token: string | undefined,
  now: Instant,
): Promise<Caller> => {
  const caller = token === undefined ? null : await authenticate(store, token, now);
  if (caller) return caller;
  // The same text for unknown, expired and revoked, so that nobody learns which tokens once existed.
  const sent = headers.has("authorization") || headers.has(APP_HEADER);
  throw new Refusal(
    "unauthenticated",
    sent
      ? "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again."
      : "This request needs a credential. Send it as Authorization: Bearer <token>.",
    { "www-authenticate": `Bearer realm="docket"${sent ? ', error="invalid_token"' : ""}` },
  );
};

/** Looks at a request's credential once more. Refuses it if it has ended meanwhile (401). */
export const identifyAgain = (store: Store, request: Request, now: Instant): Promise<Caller> =>
  identify(store, request, tokenIn(request.headers) ?? undefined, now);

/**
 * Returns the API key that a request was sent with, or null. Used to list calls that are refused before the caller is
 * known.
 */
export const findKey = async (
  store: Store,
  { headers }: Request,
  now: Instant,
): Promise<Caller | null> => {
  const token = tokenOf(headers.get("authorization"));
  return token !== null && secretKind(token) === "live"
    ? await authenticate(store, token, now)
    : null;
};

/** Takes one of the API key's tokens. Refuses the call if none is left (429). */
export const countCall = async (limiter: Limiter, call: Call, keyId: string): Promise<void> => {
  const allowance = await limiter.take(keyId);
  call.quotas = allowance;
  call.tookToken = allowance.admitted;
  if (allowance.admitted) return;
  const seconds = wholeSeconds(allowance.retryIn);
  const { perMinute, perHour } = limiter.limits;
  throw new Refusal(
    "too_many",
    `This key may make ${perMinute} requests a minute and ${perHour} an hour. Try again in ${seconds} s.`,
    { "retry-after": String(seconds) },
  );
};

/** The number of keys in memory at which a sweep starts. */
const SWEEP_AT = 1_000;

/**
 * Keeps each API key's tokens in memory. A key that is not in memory is restored from its activity, so that a restart
 * gives nobody new tokens. Times are on the steady clock, so that setting the wall clock changes nothing.
 */
export const startLimiter = (store: Store, limits: Limits, clock: Clock): Limiter => {
  const known = new Map<string, Buckets>();

  const refill = async (keyId: string): Promise<Buckets> => {
    const times = await tokenTimes(store, keyId, Math.max(limits.perMinute, limits.perHour));
    // A parallel call may have been faster, and may have taken a token.
    const there = known.get(keyId);
    if (there) return there;
    const ages = times.map((time) => Math.min(Math.max(clock.wall() - time, 0), HOUR));
    const buckets = fillBuckets(
      limits,
      ages.map((age) => clock.steady() - age),
    );
    known.set(keyId, buckets);
    return buckets;
  };

  /** If reading the activity fails, the next call tries again. */
  const bucketsOf = async (keyId: string): Promise<Buckets> =>
    known.get(keyId) ?? (await refill(keyId));

  const sweep = (): void => {
    if (known.size < SWEEP_AT) return;
    for (const [keyId, buckets] of known) if (isFull(buckets, clock.steady())) known.delete(keyId);
  };

  return {
    limits,
    // Nothing is awaited between looking and taking, so parallel calls cannot exceed the limit.
    take: async (keyId) => takeToken(limits, await bucketsOf(keyId), clock.steady()),
    peek: async (keyId) => readQuotas(limits, await bucketsOf(keyId), clock.steady()),
    sweep,
  };
};
