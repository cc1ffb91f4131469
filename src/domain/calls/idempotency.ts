import type { Instant } from "../base/instant.ts";

/** A request that names a key of its own (`Idempotency-Key`): however often it comes, it is done once. */
export type KeyedRequest = {
  /** The id of the API key or session that asks. */
  readonly credentialId: string;
  readonly method: string;
  /** As it was sent, without query. */
  readonly path: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the raw body. */
  readonly bodyHash: string;
};

/** What such a request was answered, kept for when it comes again. */
export type StoredReply = KeyedRequest & {
  readonly at: Instant;
  readonly status: number;
  readonly body: string;
  readonly etag: string | null;
  /** The record that it changed, as `task:ID`. */
  readonly touched: string | null;
};

const MAX_KEY = 255;

/** A string as structured fields have it (RFC 9651, 3.3.3): printable ASCII, `"` and `\` escaped. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** A comma or space would be two fields that a proxy made one. */
const BARE = /^[!#-+\--~]+$/;

/** The key in the field (draft-ietf-httpapi-idempotency-key-header), quoted or bare; null for a malformed one. */
export const readIdempotencyKey = (field: string): string | null => {
  const quoted = QUOTED.exec(field)?.[1]?.replaceAll(/\\(["\\])/g, "$1");
  const key = quoted ?? (BARE.test(field) ? field : "");
  return key.length >= 1 && key.length <= MAX_KEY ? key : null;
};

/** What a request was refused with for what it is, so that the same one would be refused again. */
const LASTING: readonly number[] = [400, 404, 412, 413, 415, 422];

/**
 * Whether a reply stands for the same request to come. What depends on the caller's rights, on how much
 * is asked or on the storage may be answered otherwise the next time.
 */
export const isStored = (status: number): boolean =>
  (status >= 200 && status < 300) || LASTING.includes(status);
