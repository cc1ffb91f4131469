import type { Activity } from "../domain/calls/activity.ts";
import { recordTraceOf } from "../db/calls/trace.ts";
import type { Trace } from "../domain/calls/trace.ts";
import { SECOND } from "../domain/base/instant.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import type { Call } from "./call.ts";
import { addressOf } from "./origin.ts";
import { BUG, errorReply, failureOf } from "./refusals.ts";
import type { Reply } from "./reply.ts";
import { bareResponse, respond } from "./respond.ts";
import type { Service } from "./service.ts";
import { traceOf } from "./trace.ts";

/** Most calls have their response at once. Only those that must be recorded first return a promise. */
export type Answered = Promise<Response> | Response;

/**
 * Answers a call. Writes its activity row and its reply for retries, if it has any, then the log line, then returns
 * the response.
 */
export const finish = (service: Service, call: Call, status: number, reply: Reply): Answered => {
  call.held?.release();
  const send = (): Response => {
    logCall(service, call, status);
    return respond(call, service.limiter.limits, status, reply);
  };
  const trace = call.recorded ? null : traceOf(call, status, reply);
  if (trace?.activity || trace?.reply) return record(service, call, trace).then(send);
  endKeyed(service, call);
  return send();
};

/** Logs every call that is answered. */
export const logCall = (service: Service, call: Call, status: number): void =>
  service.log.request({
    requestId: call.requestId,
    method: call.method,
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
const record = (service: Service, call: Call, trace: Trace): Promise<void> => {
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
