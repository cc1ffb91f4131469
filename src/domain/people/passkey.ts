import type { Instant } from "../base/instant.ts";

/** The public half of a key pair that a device or password manager holds. */
export type Passkey = {
  /** The credential's id, in base64url. */
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly publicKey: Uint8Array;
  /** How often it was used, by the device's own count; 0 if the device does not count. */
  readonly counter: number;
  /** The host name that it works for. */
  readonly host: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
};

/** How many passkeys one account may have. */
export const MAX_PASSKEYS = 20;

/**
 * Returns the host name that a passkey created at this origin works for. Null if browsers would not
 * create one: they require a name rather than an IP address, and https except on this machine
 * (WebAuthn, 5.1.3 and 13.4.9).
 */
export const passkeyHost = (origin: {
  readonly hostname: string;
  readonly secure: boolean;
}): string | null => {
  const { hostname, secure } = origin;
  if (hostname === "localhost") return hostname;
  return secure && !isAddress(hostname) ? hostname : null;
};

/** URLs write IPv6 in brackets, and IPv4 as four numbers, however it was typed. */
const isAddress = (hostname: string): boolean =>
  hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);

/**
 * Whether a passkey whose counter was `before` may now report `after`. A counter that does not
 * increase means a copied passkey or an old response (WebAuthn, 6.1.1). Passkeys that several
 * devices share always report 0.
 */
export const hasMovedOn = (before: number, after: number): boolean =>
  after > before || (after === 0 && before === 0);
