import type { Instant } from "../base/instant.ts";
import { withoutSecrets } from "../base/secret.ts";
import { cutText } from "../base/text.ts";
import type { StoredReply } from "./idempotency.ts";

/** One call of a key, or several combined into one row. */
export type Activity = {
  readonly keyId: string;
  readonly accountId: number;
  readonly at: Instant;
  readonly method: string;
  /** The route's template, or `*` for an unknown path. Never a path that the caller chose. */
  readonly route: string;
  readonly status: number;
  /** The record that was read or changed, as `task:ID`. */
  readonly touched: string | null;
  /** What the client calls itself (`User-Agent`), printable and shortened. */
  readonly client: string | null;
  /**
   * Whether the call took a token from the limiter. Only these calls refill the buckets after a
   * restart.
   */
  readonly tookToken: boolean;
  /** Whether it was a dry run. */
  readonly dryRun: boolean;
  /**
   * What an MCP call asked for: a tool's name, otherwise the protocol's method. Null for other
   * calls.
   */
  readonly tool: string | null;
};

/** The protocols through which a key can call. */
export const WAYS = ["rest", "mcp"] as const;

export type Way = (typeof WAYS)[number];

export const wayOf = ({ route }: Pick<Activity, "route">): Way =>
  route === MCP_ROUTE ? "mcp" : "rest";

/** The route that MCP clients call. */
export const MCP_ROUTE = "/mcp";

/** The methods of MCP by which a client finds out what there is. The activity list names them; any other is `other`. */
export const HANDSHAKE = [
  "initialize",
  "notifications/initialized",
  "ping",
  "server/discover",
  "tools/list",
] as const;

/** Whether a call only connects: a method of the handshake, or the `GET /mcp` with which older clients ask for a stream. */
const isHandshake = ({ method, route, status, tool }: Activity): boolean =>
  route === MCP_ROUTE &&
  (method === "GET" ? status === 405 : status < 300 && HANDSHAKE.some((name) => name === tool));

/** Returns a call as its row shows it. The calls of a handshake look alike, so that they share a row. */
export const shownAs = (activity: Activity): Activity =>
  isHandshake(activity)
    ? { ...activity, method: "POST", status: 200, tool: activity.tool ?? HANDSHAKE[0] }
    : activity;

/**
 * Whether the call shares a row with others: one that took no token, or one of a handshake. There is one row per key,
 * minute, method, route and status.
 */
export const isFolded = (activity: Activity): boolean =>
  !activity.tookToken || isHandshake(activity);

/**
 * Returns a `User-Agent` that is safe to store and show: printable, at most 200 characters, and
 * without a key that a caller put there by mistake. Null if nothing is left.
 */
export const clientName = (userAgent: string | null): string | null => {
  const sent = userAgent ?? "";
  const known = NAMES.get(sent);
  if (known !== undefined) return known;
  const text = withoutSecrets(sent).replaceAll(/\p{C}/gu, "");
  const name = cutText(text, 200).toWellFormed() || null;
  if (NAMES.size >= MOST_NAMES) NAMES.clear();
  NAMES.set(sent, name);
  return name;
};

/** A key sends the same `User-Agent` with each call, and to look through it takes 20 us. */
const NAMES = new Map<string, string | null>();
const MOST_NAMES = 100;

/**
 * The outcome of a key's call: done (2xx), refused (4xx) or failed (5xx). `deletes` are refused
 * calls that would have deleted or replaced something: DELETE and PUT, which no route allows.
 */
export const OUTCOMES = ["done", "refused", "deletes", "failed"] as const;

export type Outcome = (typeof OUTCOMES)[number];

export const isOutcome = (text: string): text is Outcome =>
  (OUTCOMES as readonly string[]).includes(text);

/** Whether a call is one of the refused deletes. */
export const isRefusedDelete = ({
  method,
  status,
}: {
  readonly method: string;
  readonly status: number;
}): boolean => status === 405 && (method === "DELETE" || method === "PUT");

/**
 * What is stored about a call beside its work: its row in the activity list, and its reply if repeats must
 * get the same one.
 */
export type CallTrace = { readonly activity: Activity | null; readonly reply: StoredReply | null };
