import type { Server } from "bun";
import type { Caller } from "../domain/people/caller.ts";
import type { KeyedRequest } from "../domain/calls/idempotency.ts";
import type { Clock, Instant } from "../domain/base/instant.ts";
import type { Quotas } from "../domain/calls/limiter.ts";
import { WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { withoutSecrets } from "../domain/base/secret.ts";

/** One request on its way through the checks and its handler. */
export type Call = {
  readonly request: Request;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
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
  /** How it is told what refusals refer to. */
  words: Words;
};

/** How a request came: from which server, and as which object, for it may have been given another address since. */
export type Connection = {
  readonly server: Pick<Server<undefined>, "requestIP"> | null;
  readonly arrived: Request;
};

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** A key that a caller put where it does not belong is cut before it is logged or listed. */
export const startCall = (
  request: Request,
  { server, arrived }: Connection,
  clock: Clock,
): Call => {
  const given = withoutSecrets(request.headers.get("x-request-id") ?? "");
  return {
    request,
    requestId: REQUEST_ID.test(given) ? given : crypto.randomUUID(),
    method: request.method,
    path: pathOf(request.url),
    now: clock.wall(),
    startedAt: clock.steady(),
    peer: () => server?.requestIP(arrived)?.address ?? "",
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
    words: WIRE_WORDS,
  };
};

/** The path as it was sent, without query: nothing is decoded. */
const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start === -1 ? "/" : url.slice(start, end === -1 ? undefined : end);
};
