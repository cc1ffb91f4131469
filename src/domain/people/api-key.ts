import type { Scope } from "./caller.ts";
import type { Restriction } from "./restriction.ts";
import { DAY, HOUR, type Instant, MINUTE } from "../base/instant.ts";

/** A `docket_live_` key. Revoked keys are kept, because the activity list names them. */
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
  /** The id of the key that replaced it. */
  readonly replacedBy: string | null;
  /** What counts against its share of the history, in bytes. */
  readonly historySize: number;
};

/** How many live keys an account may have. This bounds the limiter's memory. */
export const MAX_LIVE_KEYS = 50;
/** How long a key lives unless its owner says otherwise, in ms. */
export const DEFAULT_EXPIRY = 90 * DAY;

export const isKeyLive = (key: Pick<ApiKey, "expiresAt" | "revokedAt">, now: Instant): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);

/** A key's state. A replaced key is `live` for as long as it still works. */
export type KeyState = "expired" | "live" | "replaced" | "revoked";

export const keyState = (key: ApiKey, now: Instant): KeyState => {
  if (isKeyLive(key, now)) return "live";
  if (key.replacedBy !== null) return "replaced";
  return key.revokedAt === null ? "expired" : "revoked";
};

/** Returns why a key cannot be replaced, or null if it can. */
export const replaceRefusal = (key: ApiKey, now: Instant): string | null => {
  if (key.replacedBy !== null)
    return "This key has already been replaced. Replace its successor instead, or create a new key.";
  const state = keyState(key, now);
  if (state === "expired") return "This key has expired. Create a new key instead.";
  return state === "revoked" ? "This key has been revoked. Create a new key instead." : null;
};

/**
 * Returns the fields of a key's successor: the same name, scopes and restriction, and the same
 * lifetime, counted from now.
 */
export const successorOf = (
  { name, scopes, restriction, createdAt, expiresAt }: ApiKey,
  now: Instant,
) => ({
  name,
  scopes,
  restriction,
  expiresAt: expiresAt === null ? null : now + expiresAt - createdAt,
});

/**
 * Reads `read`, `write` or `read,write` and returns the scopes in order. Write does not imply read.
 * Null for anything else.
 */
export const parseScopes = (text: string): readonly Scope[] | null => {
  const scopes = new Set(text.split(/[\s,]+/).filter((word) => word !== ""));
  const known = [...scopes].filter((word): word is Scope => word === "read" || word === "write");
  return known.length === scopes.size && known.length > 0 ? known.toSorted() : null;
};

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

/**
 * Reads a duration such as `30m`, `12h` or `90d` and returns milliseconds; `never` is infinite.
 * Null for anything else.
 */
export const parseLifetime = (text: string): number | null => {
  if (text === "never") return Number.POSITIVE_INFINITY;
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
};

const MAX_NAME = 100;

/** Whether the text can name a key or session: 1 to 100 characters, all visible. Each code point counts as one. */
export const isName = (text: string): boolean =>
  /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text) && text.trim() !== "" && [...text].length <= MAX_NAME;

/** Says how long a name is, as a sentence that follows what a name must be; nothing if it is not too long. */
export const howLong = (name: string): string => {
  const { length } = [...name];
  return length > MAX_NAME ? ` This one has ${length}.` : "";
};
