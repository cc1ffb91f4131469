import type { Store } from "../db/store.ts";
import {
  type Answered,
  type Call,
  type Match,
  type Reply,
  type TextReply,
  traceOf,
} from "./call.ts";
import { HOUR, MINUTE, SECOND, wholeSeconds } from "../domain/base/instant.ts";
import type { Limits, Quota, Quotas } from "../domain/calls/limiter.ts";
import type { Activity, CallTrace } from "../domain/calls/activity.ts";
import { recordTraceOf } from "../db/calls/activity.ts";
import { type Reason, Refusal } from "../domain/base/refusal.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import { byteLength } from "../domain/base/text.ts";
import { addressOf, allowedMethods } from "./checks/request.ts";
import type { Service } from "./service.ts";
import { inWords, WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { queryRefusal } from "./checks/schema.ts";

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
  /^\/(?:api|\.well-known)\/|^\/(?:healthz|openapi\.json|oauth\/(?:token|revoke|register))$/.test(
    path,
  );

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
const bareResponse = (status: number, body: string): Response =>
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

/**
 * Answers a call. Writes its activity row and its reply for retries, if it has any, then the log line, then returns
 * the response.
 */
export const finish = (service: Service, call: Call, status: number, reply: Reply): Answered => {
  call.held?.release();
  const send = (sent: Reply): Response => {
    logCall(service, call, status);
    return respond(call, service.limiter.limits, status, sent);
  };
  const trace = call.recorded ? null : traceOf(call, status, reply);
  if (trace?.activity || trace?.reply)
    return record(service, call, trace).then(() => send(inOnePiece(call, reply)));
  endKeyed(service, call);
  return send(call.recorded ? inOnePiece(call, reply) : reply);
};

/**
 * Returns a reply that Bun sends in one piece although it has waited for a commit. Of a long text, it would then send each
 * part of each header as a packet of its own: about 50 of them, and twice the processor time (oven-sh/bun#41341).
 */
const inOnePiece = ({ method }: Call, reply: Reply): Reply => {
  const { body } = reply;
  if (typeof body !== "string" || byteLength(body) < CORKED || method === "HEAD") return reply;
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { ...reply, body: stream };
};

/** What is shorter fits with its headers into the 16 KiB in which Bun joins them. */
const CORKED = 14_000;

/** Answers OPTIONS with 204 on every path, known or not, with the CORS headers where other origins may call. */
export const answerOptions = (service: Service, call: Call, match: Match | null): Answered =>
  finish(service, call, 204, {
    body: "",
    headers: { allow: allowedMethods(match), ...(isOpenToOrigins(call.path) ? PREFLIGHT : {}) },
  });

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
  "access-control-allow-headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id",
  "access-control-max-age": "86400",
};

/** Logs every call that is answered. */
export const logCall = (service: Service, call: Call, status: number): void =>
  service.log.request({
    requestId: call.requestId,
    method: call.method,
    route: call.routeName,
    path: withoutSecrets(call.path),
    status,
    ms: service.clock.steady() - call.startedAt,
    caller:
      call.caller && `${call.caller.kind === "api_key" ? "key" : "session"} ${call.caller.name}`,
    ...(status === 401 ? { address: addressOf(call.request, call.peer(), service.settings) } : {}),
  });

/** Answers a program with a refusal, or with 500 for a bug. */
export const refuse = (service: Service, call: Call, thrown: unknown): Answered => {
  const failure = failureOf(service, call, thrown);
  return finish(service, call, failure.status, errorReply(failure));
};

/** Answers a failure for which no call is known. The cause goes to the log only. */
export const answerBug = ({ log }: Service, cause: unknown): Response => {
  log.error("request failed", cause);
  return bareResponse(BUG.status, errorReply(BUG).body);
};

/**
 * Commits the activity row before the reply is sent. If it cannot be written now (disk full, another process's lock),
 * the call is still answered, because it changed nothing, and the row is tried again later. The reply is then not
 * stored, so a retry runs again. It changes nothing either.
 */
const record = (service: Service, call: Call, trace: CallTrace): Promise<void> => {
  const { activity } = trace;
  const written = recordTraceOf(service.store, call.caller?.account.id ?? 0, trace)
    .catch((cause: unknown) => {
      service.log.error("activity not recorded yet", cause, { requestId: call.requestId });
      if (activity) void recordLater(service, activity, cause);
    })
    .then(() => endKeyed(service, call));
  return service.store.writer.writtenOrBlocked(written);
};

/** From now on, a repeat of the request gets the stored reply. If none was stored, it runs again. */
const endKeyed = (service: Service, call: Call): void => {
  if (call.keyed) service.running.end(call.keyed);
};

/** Tries for some minutes. After that, the call is only in the log and in the limiter's memory. */
const recordLater = async (service: Service, activity: Activity, first: unknown): Promise<void> => {
  let cause = first;
  for (let attempt = 0; attempt < ATTEMPTS && cause instanceof Refusal; attempt++) {
    await Bun.sleep(RETRY);
    cause = await recordTraceOf(service.store, activity.accountId, {
      activity,
      reply: null,
    }).catch((again: unknown) => again);
  }
};

const ATTEMPTS = 60;
const RETRY = 5 * SECOND;

/** A refusal or a bug, in the form in which the caller sees it. */
export type Failure = {
  readonly status: number;
  /** One sentence. For a bug, it gives no details. */
  readonly message: string;
  /** The error's code, if the caller's protocol defines codes (OAuth). */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBug: boolean;
};

/**
 * Decides whether something thrown is a refusal or a bug; nothing else does. Logs bugs and failures of the server,
 * and tells its owner what to do if the storage fails.
 */
export const failureOf = ({ log, store }: Service, call: Call, thrown: unknown): Failure => {
  const refusal = refusalOf(store, thrown);
  if (!refusal || STATUS[refusal.reason] >= 500) {
    // Where a refusal was thrown helps nobody: strangers can cause thousands, and each stack would fill the log.
    const cause = refusal ? (refusal.cause ?? refusal.message) : thrown;
    log.error(store.faults.line(cause) ?? "request failed", cause, { requestId: call.requestId });
  }
  return refusal ? refused(refusal, call.words) : BUG;
};

/** Returns what was thrown as a refusal. Null for a bug. */
const refusalOf = ({ faults }: Store, thrown: unknown): Refusal | null =>
  thrown instanceof Refusal ? thrown : (queryRefusal(thrown) ?? faults.refusal(thrown));

/** Returns a refusal in the form in which its caller sees it: with its status, and in the caller's words. */
export const refused = (refusal: Refusal, words: Words = WIRE_WORDS): Failure => ({
  status: STATUS[refusal.reason],
  message: inWords(refusal.sentence, words),
  code: refusal.code,
  headers: refusal.headers,
  isBug: false,
});

const BUG: Failure = {
  status: 500,
  message: "Internal error.",
  code: undefined,
  headers: {},
  isBug: true,
};

const STATUS: Readonly<Record<Reason, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  still_running: 409,
  already_there: 409,
  changed_meanwhile: 412,
  too_large: 413,
  unsupported_type: 415,
  wrong_host: 421,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
  disk_full: 507,
};

/**
 * Writes every error that programs get: exactly `{"error": "<one sentence>"}`. Where OAuth defines a code, `error` is
 * that code and `error_description` the sentence (RFC 6749, section 5.2).
 */
export const errorReply = ({ code, message, headers }: Failure): TextReply => ({
  body: JSON.stringify(
    code === undefined ? { error: message } : { error: code, error_description: message },
  ),
  headers,
});
