import type { Activity } from "../activity.ts";
import { recordCall } from "../db/activity.ts";
import { writtenOrBlocked } from "../db/writer.ts";
import { SECOND } from "../instant.ts";
import { Refusal } from "../refusal.ts";
import { withoutSecrets } from "../secret.ts";
import { activityOf, type Call } from "./call.ts";
import { errorBody, statusOf } from "./refusals.ts";
import type { Reply } from "./reply.ts";
import { respond } from "./respond.ts";
import type { Service } from "./service.ts";

/** Answers a call: in the activity list first (a key's), in the log, then to the caller. */
export const finish = async (
  service: Service,
  call: Call,
  status: number,
  reply: Reply,
): Promise<Response> => {
  await record(service, call, status);
  logCall(service, call, status);
  return respond(call, service.limiter.limits, status, reply);
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

/** Answers with a refusal, or (null) with a bug's 500, whose cause only the log is told. */
export const refuse = (
  service: Service,
  call: Call,
  refusal: Refusal | null,
  cause: unknown,
): Promise<Response> => {
  const status = statusOf(refusal);
  if (status >= 500)
    service.log.error("request failed", refusal?.cause ?? cause, { requestId: call.requestId });
  return finish(service, call, status, {
    body: errorBody(refusal),
    headers: refusal?.headers ?? {},
  });
};

/**
 * A row is committed before its reply. Where it cannot be written now (disk full, another process's
 * lock), the call is answered all the same, since it changed nothing, and the row is tried again.
 */
const record = async (service: Service, call: Call, status: number): Promise<void> => {
  const activity = activityOf(call, status);
  if (activity === null || call.recorded) return;
  const written = recordCall(service.store, activity).catch((cause: unknown) => {
    service.log.error("activity not recorded yet", cause, { requestId: call.requestId });
    void recordLater(service, activity, cause);
  });
  await writtenOrBlocked(service.store.writer, written);
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
