import type { Instant } from "../base/instant.ts";

/** A request with an `Idempotency-Key`. However often it arrives, it is carried out once. */
export type KeyedRequest = {
  /** The id of the API key or session that makes the request. */
  readonly credentialId: string;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the raw body. */
  readonly bodyHash: string;
};

/** The reply to such a request, stored in case it is repeated. */
export type StoredReply = KeyedRequest & {
  readonly at: Instant;
  readonly status: number;
  readonly body: string;
  readonly etag: string | null;
  /** The record that it changed, as `task:ID`. */
  readonly touched: string | null;
};

const MAX_KEY = 255;

/**
 * A string in the syntax of structured fields (RFC 9651, 3.3.3): printable ASCII with `"` and `\`
 * escaped.
 */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** Commas and spaces are not allowed: they mean that a proxy joined two headers. */
const BARE = /^[!#-+\--~]+$/;

/**
 * Reads the key from an `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header),
 * quoted or bare. Null if it is malformed.
 */
export const readIdempotencyKey = (field: string): string | null => {
  const quoted = QUOTED.exec(field)?.[1]?.replaceAll(/\\(["\\])/g, "$1");
  const key = quoted ?? (BARE.test(field) ? field : "");
  return key.length >= 1 && key.length <= MAX_KEY ? key : null;
};

/** Statuses that depend on the request alone, so that repeating it would be refused again. */
const LASTING: readonly number[] = [400, 404, 412, 413, 415, 422];

/**
 * Whether a reply is stored for repeats of the request. Replies that depend on the caller's rights,
 * the request rate or the disk are not: the next attempt may succeed.
 */
export const isStored = (status: number): boolean =>
  (status >= 200 && status < 300) || LASTING.includes(status);
