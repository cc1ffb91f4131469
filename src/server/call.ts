import type { Server } from "bun";
import type { Caller } from "../domain/people/caller.ts";
import type { KeyedRequest } from "../domain/calls/idempotency.ts";
import type { Clock, Instant } from "../domain/base/instant.ts";
import type { Quotas } from "../domain/calls/limiter.ts";
import { WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import type { HeldBody } from "./checks/body-memory.ts";

/** One request, from its arrival to its reply. The checks and the handler fill in the fields that can change. */
export type Call = {
  readonly request: Request;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly now: Instant;
  /** In ms, on the steady clock. */
  readonly startedAt: number;
  /** The IP address that the connection comes from. A function, because most calls never need it. */
  readonly peer: () => string;
  /** The template of the path, such as `/tasks/{id}`, or `*` for an unknown path. */
  routeName: string;
  caller: Caller | null;
  /** The id in the path, decoded once. Null if the path has none. */
  pathId: string | null;
  /** How many calls the API key has left. Null until the limiter has been asked, and for sessions. */
  quotas: Quotas | null;
  tookToken: boolean;
  /** The record that the call read or changed, as `task:ID` or `folder:ID`. */
  touched: string | null;
  /** Set while the first request with its `Idempotency-Key` is in progress. */
  keyed: KeyedRequest | null;
  /** The memory of its body. Null until the body is read. */
  held: HeldBody | null;
  /** Whether the request has `dry_run=true`, so nothing may be changed. */
  dryRun: boolean;
  /** Over MCP: the name of the tool, or of the protocol's method if no tool is called. */
  tool: string | null;
  /**
   * The status for the activity list if it differs from the reply's own. Over MCP, a tool's refusal is sent with
   * status 200.
   */
  outcome: number | null;
  /** Whether the activity row and the reply for retries have been written. */
  recorded: boolean;
  /** The words in which a refusal names parts of the request, since REST and MCP name them differently. */
  words: Words;
};

/**
 * Where a request came from. `arrived` is the object that Bun passed in: only for that one does Bun know the IP
 * address, and the request may have been copied since to change its URL.
 */
export type Connection = {
  readonly server: Pick<Server<undefined>, "requestIP"> | null;
  readonly arrived: Request;
};

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Starts a call. Takes its id from `X-Request-Id` if that is 8 to 64 characters of A-Z, a-z, 0-9, _ and -; otherwise
 * makes a UUID. A credential sent in that header by mistake is cut out, because the id is logged.
 */
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
    held: null,
    dryRun: false,
    tool: null,
    outcome: null,
    recorded: false,
    words: WIRE_WORDS,
  };
};

/** Returns the path as it was sent, without the query. Nothing is decoded. */
const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start === -1 ? "/" : url.slice(start, end === -1 ? undefined : end);
};
