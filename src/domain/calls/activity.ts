import type { Instant } from "../base/instant.ts";

/** One call of a key, or several refused ones folded into one row. */
export type Activity = {
  readonly keyId: string;
  readonly accountId: number;
  readonly at: Instant;
  readonly method: string;
  /** The route's template, `*` where there is none: never a path that a caller chose. */
  readonly route: string;
  readonly status: number;
  /** The record that was read or changed, as `task:ID`. */
  readonly touched: string | null;
  /** What the client calls itself (`User-Agent`), printable and cut. */
  readonly client: string | null;
  /** Whether the call took a token of the limiter: only those refill the buckets after a restart. */
  readonly tookToken: boolean;
  /** Whether it only asked what it would do. */
  readonly dryRun: boolean;
  /** What was called over MCP: a tool's name, else the protocol's method; null for other calls. */
  readonly tool: string | null;
};

/** Where agents that speak MCP call. */
export const MCP_ROUTE = "/mcp";

/** The ways in which a key may call. */
export const WAYS = ["rest", "mcp"] as const;

export type Way = (typeof WAYS)[number];

export const wayOf = ({ route }: Pick<Activity, "route">): Way =>
  route === MCP_ROUTE ? "mcp" : "rest";

/** Calls that took no token are folded into one row per key, minute, method, route and status. */
export const isFolded = (activity: Activity): boolean => !activity.tookToken;

/** `User-Agent` as it may be stored and shown: printable, at most 200 characters. */
export const clientName = (userAgent: string | null): string | null =>
  userAgent?.replaceAll(/\p{C}/gu, "").slice(0, 200).toWellFormed() || null;
