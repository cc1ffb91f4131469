import type { Instant } from "../base/instant.ts";

/** What stands behind a passkey: the public half of a key pair that some device or password manager holds. */
export type Passkey = {
  /** The credential's id, in base64url. */
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly publicKey: Uint8Array;
  /** How often it was used, as its device counts; 0 where that does not count. */
  readonly counter: number;
  /** The host name that it is good for. */
  readonly host: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
};

/** Passkeys that one account may have. */
export const MAX_PASSKEYS = 20;

/**
 * The host name that a passkey made at this origin is good for, null where browsers make none: they want
 * a name, not an IP address, and https, unless it is this machine (WebAuthn, 5.1.3 and 13.4.9).
 */
export const passkeyHost = (origin: {
  readonly hostname: string;
  readonly secure: boolean;
}): string | null => {
  const { hostname, secure } = origin;
  if (hostname === "localhost") return hostname;
  return secure && !isAddress(hostname) ? hostname : null;
};

/** URLs write IPv6 in brackets, and IPv4, whatever its spelling was, as four numbers. */
const isAddress = (hostname: string): boolean =>
  hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);

/**
 * Whether a passkey that was counted as `before` may say `after` now. One that does not move on was
 * copied, or its answer is old (WebAuthn, 6.1.1); those that several devices share do not count at all.
 */
export const hasMovedOn = (before: number, after: number): boolean =>
  after > before || (after === 0 && before === 0);
