import { HOUR, MINUTE, SECOND, wholeSeconds } from "../domain/base/instant.ts";
import type { Limits, Quota, Quotas } from "../domain/calls/limiter.ts";
import type { Call } from "./call.ts";
import type { Reply } from "./reply.ts";

/** On every reply of the API: it must not be cached, framed or run, and its type must not be guessed. */
const SECURITY = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Any origin may call, because no browser sends a credential by itself: the API ignores cookies. The extension's own
 * origin is random for each installation, so a list of origins could not include it.
 */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Allow, ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id",
};

const JSON_TYPE = { "content-type": "application/json;charset=utf-8" };

/** The headers that every reply has: with and without CORS, with and without a body. */
const ALWAYS = {
  open: {
    full: new Headers({ ...SECURITY, ...CORS, ...JSON_TYPE }),
    empty: new Headers({ ...SECURITY, ...CORS }),
  },
  own: { full: new Headers({ ...SECURITY, ...JSON_TYPE }), empty: new Headers(SECURITY) },
};

/**
 * Whether pages of other origins may call a path: the API, and what an extension needs to sign in. The account pages
 * are not open to them.
 */
export const isOpenToOrigins = (path: string): boolean =>
  /^\/(?:api|\.well-known)\/|^\/(?:healthz|openapi\.json|oauth\/(?:token|revoke))$/.test(path);

export const respond = (call: Call, limits: Limits, status: number, reply: Reply): Response => {
  // For HEAD, Bun sends the body's length and leaves out the body. It would read a stream to its end.
  const unread = call.method === "HEAD" && reply.body instanceof ReadableStream;
  const always = ALWAYS[isOpenToOrigins(call.path) ? "open" : "own"];
  const response = new Response(status === 204 || unread ? null : reply.body, {
    status,
    // Copied as a whole: setting the headers one by one takes longer.
    headers: always[status === 204 ? "empty" : "full"],
  });
  const { headers } = response;
  if (unread) headers.set("transfer-encoding", "chunked");
  headers.set("x-request-id", call.requestId);
  if (call.quotas) setQuotas(headers, limits, call.quotas);
  for (const name in reply.headers) headers.set(name, reply.headers[name] ?? "");
  return response;
};

/** Returns a JSON response for a request that has no call. */
export const bareResponse = (status: number, body: string): Response =>
  new Response(body, { status, headers: ALWAYS.own.full });

/**
 * Says what an API key has left (draft-ietf-httpapi-ratelimit-headers): `r` calls, and `t` seconds until there are
 * more.
 */
const setQuotas = (headers: Headers, { perMinute, perHour }: Limits, quotas: Quotas): void => {
  headers.set(
    "ratelimit-policy",
    `"minute";q=${perMinute};w=${MINUTE / SECOND}, "hour";q=${perHour};w=${HOUR / SECOND}`,
  );
  headers.set("ratelimit", `"minute";${left(quotas.minute)}, "hour";${left(quotas.hour)}`);
};

const left = ({ remaining, nextIn }: Quota): string => `r=${remaining};t=${wholeSeconds(nextIn)}`;
