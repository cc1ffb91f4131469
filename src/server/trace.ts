import { type Activity, clientName } from "../domain/calls/activity.ts";
import { isStored, type StoredReply } from "../domain/calls/idempotency.ts";
import type { Trace } from "../domain/calls/trace.ts";
import type { Call } from "./call.ts";
import type { Reply } from "./reply.ts";

/**
 * Returns what is recorded of a call: its activity row if an API key made it, and its reply if it had an
 * `Idempotency-Key`.
 */
export const traceOf = (call: Call, status: number, reply: Reply): Trace => ({
  activity: activityOf(call, status),
  reply: storedReplyOf(call, status, reply),
});

const storedReplyOf = (
  call: Call,
  status: number,
  { body, headers }: Reply,
): StoredReply | null => {
  if (!call.keyed || !isStored(status) || typeof body !== "string") return null;
  const { now: at, touched } = call;
  return { ...call.keyed, at, status, body, etag: headers?.["etag"] ?? null, touched };
};

/** Returns the call's row in the activity list. Null unless an API key made the call. */
const activityOf = (call: Call, status: number): Activity | null =>
  call.caller?.kind === "api_key"
    ? {
        keyId: call.caller.id,
        accountId: call.caller.account.id,
        at: call.now,
        method: call.method,
        route: call.routeName,
        status: call.outcome ?? status,
        touched: call.touched,
        client: clientName(call.request.headers.get("user-agent")),
        tookToken: call.tookToken,
        dryRun: call.dryRun,
        tool: call.tool,
      }
    : null;
