import type { Activity } from "../domain/calls/activity.ts";
import { recordCall } from "../db/calls/activity.ts";
import { recordTrace } from "../db/calls/trace.ts";
import type { Trace } from "../domain/calls/trace.ts";
import { SECOND } from "../domain/base/instant.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import type { MaybePromise } from "../domain/base/maybe-promise.ts";
import type { Call } from "./call.ts";
import { BUG, errorReply, failureOf } from "./refusals.ts";
import type { Reply } from "./reply.ts";
import { bareResponse, respond } from "./respond.ts";
import type { Service } from "./service.ts";
import { traceOf } from "./trace.ts";

/** What most calls get at once: only those that leave a trace wait for it. */
export type Answered = MaybePromise<Response>;

/** Answers a call: in the activity list first (a key's), in the log, then to the caller. */
export const finish = (service: Service, call: Call, status: number, reply: Reply): Answered => {
  const send = (): Response => {
    logCall(service, call, status);
    return respond(call, service.limiter.limits, status, reply);
  };
  const trace = call.recorded ? null : traceOf(call, status, reply);
  if (trace?.activity || trace?.reply) return record(service, call, trace).then(send);
  endKeyed(service, call);
  return send();
};

/** A line of the log, for every call that is answered. */
export const logCall = (service: Service, call: Call, status: number): void =>
  service.log.request({
    requestId: call.requestId,
    method: call.method,
    path: withoutSecrets(call.path),
    status,
    ms: service.clock.steady() - call.startedAt,
    caller:
      call.caller && `${call.caller.kind === "api_key" ? "key" : "session"} ${call.caller.name}`,
  });

/** Answers a program with whatever was thrown: a refusal, or a bug's 500. */
export const refuse = (service: Service, call: Call, thrown: unknown): Answered => {
  const failure = failureOf(service, call, thrown);
  return finish(service, call, failure.status, errorReply(failure));
};

/** Answers what failed where no call is known any more; only the log is told the cause. */
export const answerBug = ({ log }: Service, cause: unknown): Response => {
  log.error("request failed", cause);
  return bareResponse(BUG.status, errorReply(BUG).body);
};

/**
 * A row is committed before its reply. Where it cannot be written now (disk full, another process's
 * lock), the call is answered all the same, since it changed nothing, and the row is tried again. Its
 * reply is then not kept: asked again, it changes nothing again.
 */
const record = (service: Service, call: Call, trace: Trace): Promise<void> => {
  const { activity } = trace;
  const written = recordTrace(service.store, trace)
    .catch((cause: unknown) => {
      service.log.error("activity not recorded yet", cause, { requestId: call.requestId });
      if (activity) void recordLater(service, activity, cause);
    })
    .then(() => endKeyed(service, call));
  return service.store.writer.writtenOrBlocked(written);
};

/** From here on the same request is answered with what was kept, or else done. */
const endKeyed = (service: Service, call: Call): void => {
  if (call.keyed) service.running.end(call.keyed);
};

/** For some minutes; what is not written by then is only in the log, and in the limiter's memory. */
const recordLater = async (service: Service, activity: Activity, first: unknown): Promise<void> => {
  let cause = first;
  for (let attempt = 0; attempt < ATTEMPTS && cause instanceof Refusal; attempt++) {
    await Bun.sleep(RETRY);
    cause = await recordCall(service.store, activity).catch((again: unknown) => again);
  }
};

const ATTEMPTS = 60;
const RETRY = 5 * SECOND;
