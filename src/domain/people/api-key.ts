import type { Scope } from "./caller.ts";
import type { Restriction } from "./restriction.ts";
import { DAY, HOUR, type Instant, MINUTE } from "../base/instant.ts";

/** What stands behind a `docket_live_` key. Revoked keys are kept: the activity list names them. */
export type ApiKey = {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly restriction: Restriction | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
  /** The id of the key that took its place. */
  readonly replacedBy: string | null;
};

/** Live keys that one account may have: bounds the limiter's memory. */
export const MAX_LIVE_KEYS = 50;
export const DEFAULT_EXPIRY = 90 * DAY;

export const isKeyLive = (key: Pick<ApiKey, "expiresAt" | "revokedAt">, now: Instant): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);

/** How a key stands. One that was replaced and works for a little longer is live. */
export type KeyState = "expired" | "live" | "replaced" | "revoked";

export const keyState = (key: ApiKey, now: Instant): KeyState => {
  if (isKeyLive(key, now)) return "live";
  if (key.replacedBy !== null) return "replaced";
  return key.revokedAt === null ? "expired" : "revoked";
};

/** Why a key cannot be replaced, null if it can. */
export const replaceRefusal = (key: ApiKey, now: Instant): string | null => {
  if (key.replacedBy !== null)
    return "This key was replaced already: replace the key that took its place, or make a new one.";
  const state = keyState(key, now);
  if (state === "expired") return "This key has expired: make a new key instead.";
  return state === "revoked" ? "This key is revoked: make a new key instead." : null;
};

/** What a key's successor is like: the same name, scopes and restriction, for as long as the key was made for. */
export const successorOf = (
  { name, scopes, restriction, createdAt, expiresAt }: ApiKey,
  now: Instant,
) => ({
  name,
  scopes,
  restriction,
  expiresAt: expiresAt === null ? null : now + expiresAt - createdAt,
});

/** `read`, `write` or `read,write`; write does not imply read. Null for anything else. */
export const parseScopes = (text: string): readonly Scope[] | null => {
  const scopes = new Set(text.split(/[\s,]+/).filter((word) => word !== ""));
  const known = [...scopes].filter((word): word is Scope => word === "read" || word === "write");
  return known.length === scopes.size && known.length > 0 ? known.toSorted() : null;
};

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

/** A time from now, as `30m`, `12h` or `90d`, in ms; `never` is infinite. Null for anything else. */
export const parseLifetime = (text: string): number | null => {
  if (text === "never") return Number.POSITIVE_INFINITY;
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
};

/** Key and session names: 1 to 100 characters, none of them invisible. */
export const isName = (text: string): boolean =>
  /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== "";
