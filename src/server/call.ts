import { type Activity, clientName } from "../domain/calls/activity.ts";
import type { Caller } from "../domain/people/caller.ts";
import type { Trace } from "../domain/calls/trace.ts";
import { isStored, type StoredReply, type KeyedRequest } from "../domain/calls/idempotency.ts";
import type { Clock, Instant } from "../domain/base/instant.ts";
import type { Quotas } from "../domain/calls/limiter.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import type { Reply } from "./reply.ts";

/** One request on its way through the door, the guard and its handler. */
export type Call = {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Tells what the client calls itself. */
  readonly client: () => string | null;
  readonly now: Instant;
  /** ms on the steady clock. */
  readonly startedAt: number;
  /** Tells the network address that the connection comes from: most calls never ask. */
  readonly peer: () => string;
  /** The path's template where something is there, else `*`. */
  routeName: string;
  caller: Caller | null;
  /** The id in the path, decoded once. */
  pathId: string | null;
  /** What is left to a key. */
  quotas: Quotas | null;
  tookToken: boolean;
  /** The record that was read or changed, as `task:ID`. */
  touched: string | null;
  /** Set while it is being done for the first time under a key of its own. */
  keyed: KeyedRequest | null;
  /** Whether it only asks what it would do. */
  dryRun: boolean;
  /** What it calls over MCP: a tool's name, else the protocol's method. */
  tool: string | null;
  /** The status that the activity tells, where it is not the reply's own: a tool's refusal is an answer. */
  outcome: number | null;
  /** Whether its trace (activity, kept reply) is left already. */
  recorded: boolean;
};

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** A key that a caller put where it does not belong is cut before it is logged or listed. */
export const startCall = (request: Request, peer: Call["peer"], clock: Clock): Call => {
  const given = withoutSecrets(request.headers.get("x-request-id") ?? "");
  return {
    requestId: REQUEST_ID.test(given) ? given : crypto.randomUUID(),
    method: request.method,
    path: pathOf(request.url),
    client: () => clientName(withoutSecrets(request.headers.get("user-agent") ?? "")),
    now: clock.wall(),
    startedAt: clock.steady(),
    peer,
    routeName: "*",
    caller: null,
    pathId: null,
    quotas: null,
    tookToken: false,
    touched: null,
    keyed: null,
    dryRun: false,
    tool: null,
    outcome: null,
    recorded: false,
  };
};

/** The path as it was sent, without query: nothing is decoded. */
const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start === -1 ? "/" : url.slice(start, end === -1 ? undefined : end);
};

/** What an answered call leaves: a key's its row in the activity list, one that named a key its reply. */
export const traceOf = (call: Call, status: number, reply: Reply): Trace => ({
  activity: activityOf(call, status),
  kept: storedReplyOf(call, status, reply),
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
        client: call.client(),
        tookToken: call.tookToken,
        dryRun: call.dryRun,
        tool: call.tool,
      }
    : null;
