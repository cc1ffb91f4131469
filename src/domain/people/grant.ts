import { howLong, isName } from "./api-key.ts";
import { CLIENT_ID, isRepeated, once } from "./oauth.ts";
import { Refusal } from "../base/refusal.ts";

/** The grant type with which a typed pairing code becomes a session. */
export const PAIRING_GRANT = "urn:docket:pairing";

/** What an extension presents to exchange its code for a session. */
export type Exchange = {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
};

export type Grant =
  | { readonly kind: "code"; readonly exchange: Exchange }
  | { readonly kind: "pairing"; readonly typed: string; readonly deviceName: string | null };

/** What a code was issued for. */
type Issued = { readonly redirectUri: string | null; readonly challenge: string | null };

/** An error of the token endpoint: status 400 with an OAuth error code (RFC 6749, 5.2). */
export const oauthRefusal = (code: string, message: string): Refusal =>
  new Refusal("malformed", message, {}, code);

/**
 * Reads the parameters sent to `/oauth/token`. Refused with an OAuth error if one is missing,
 * repeated or unsupported.
 */
export const readGrant = (sent: URLSearchParams): Grant => {
  if (isRepeated(sent)) throw oauthRefusal("invalid_request", "Send each parameter only once.");
  const kind = needed(sent, "grant_type");
  if (kind === "authorization_code") return { kind: "code", exchange: readExchange(sent) };
  if (kind === PAIRING_GRANT) return readPairing(sent);
  throw oauthRefusal(
    "unsupported_grant_type",
    `grant_type must be authorization_code or ${PAIRING_GRANT}.`,
  );
};

const readExchange = (sent: URLSearchParams): Exchange => ({
  code: needed(sent, "code"),
  clientId: needed(sent, "client_id"),
  redirectUri: needed(sent, "redirect_uri"),
  verifier: needed(sent, "code_verifier"),
});

const readPairing = (sent: URLSearchParams): Grant => {
  const typed = needed(sent, "code");
  if (needed(sent, "client_id") !== CLIENT_ID)
    throw oauthRefusal("invalid_client", `client_id must be ${CLIENT_ID}.`);
  const deviceName = once(sent, "device_name")?.trim() ?? null;
  if (deviceName !== null && !isName(deviceName))
    throw oauthRefusal(
      "invalid_request",
      `device_name must be 1 to 100 printable characters.${howLong(deviceName)} Send a different name with the same code.`,
    );
  return { kind: "pairing", typed, deviceName };
};

const needed = (sent: URLSearchParams, name: string): string => {
  const value = once(sent, name);
  if (value === null) throw oauthRefusal("invalid_request", `${name} is missing.`);
  return value;
};

/** Whether the code was issued to this request: client, redirect and verifier must match. */
export const fits = (issued: Issued, { clientId, redirectUri, verifier }: Exchange): boolean =>
  clientId === CLIENT_ID &&
  issued.redirectUri === redirectUri &&
  issued.challenge !== null &&
  isVerified(verifier, issued.challenge);

/** Whether the challenge was made from this verifier with S256 (RFC 7636, 4.1 and 4.6). */
export const isVerified = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
  new Bun.CryptoHasher("sha256").update(verifier).digest("base64url") === challenge;
