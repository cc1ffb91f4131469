import type { Activity } from "../domain/calls/activity.ts";
import { isStored, type StoredReply } from "../domain/calls/idempotency.ts";
import type { Trace } from "../domain/calls/trace.ts";
import type { Call } from "./call.ts";
import { clientOf } from "./client.ts";
import type { Reply } from "./reply.ts";

/** What an answered call leaves: a key's its row in the activity list, one with an idempotency key its reply. */
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

/** The call as the activity list keeps it, null unless a key made it. */
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
        client: clientOf(call.request),
        tookToken: call.tookToken,
        dryRun: call.dryRun,
        tool: call.tool,
      }
    : null;
