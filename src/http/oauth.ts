import { browserName } from "../client.ts";
import type { CodeState } from "../db/codes.ts";
import { WRONG } from "../db/owner.ts";
import { revokeToken } from "../db/sessions.ts";
import { redeemAuthorization, redeemPairing, type Redeemed } from "../db/signins.ts";
import { issuerOf, originOf } from "../door/origin.ts";
import { json, type Reply } from "../door/reply.ts";
import { type Grant, oauthRefusal, PAIRING_GRANT, readGrant } from "../grant.ts";
import { SECOND } from "../instant.ts";
import { once } from "../oauth.ts";
import { cryptoRandom, secretKind } from "../secret.ts";
import { sessionExpiry } from "../session.ts";
import type { Ask } from "./ask.ts";

const PLACES = {
  authorization_endpoint: "/oauth/authorize",
  token_endpoint: "/oauth/token",
  revocation_endpoint: "/oauth/revoke",
};

/** `GET /.well-known/oauth-authorization-server` (RFC 8414). */
export const getMetadata = ({ service, request, peer }: Ask): Reply => {
  const { settings } = service;
  const issuer = issuerOf(originOf(request, peer(), settings), settings);
  const places = Object.entries(PLACES).map(([name, path]) => [name, issuer + path]);
  return json({
    issuer,
    ...Object.fromEntries(places),
    scopes_supported: ["read", "write"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", PAIRING_GRANT],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  });
};

/** `POST /oauth/token`: a session for a code, of either kind (RFC 6749, 4.1.3 and 4.5). */
export const postToken = async (ask: Ask): Promise<Reply> => {
  const grant = readGrant(formOf(ask));
  const redeemed = await redeem(ask, grant);
  if (redeemed.state !== "good")
    throw oauthRefusal("invalid_grant", `${PROBLEM[redeemed.state]} ${REMEDY[grant.kind]}`);
  const lifetime = sessionExpiry(redeemed.session) - ask.now;
  return json({
    access_token: redeemed.secret,
    token_type: "Bearer",
    expires_in: Math.floor(lifetime / SECOND),
    scope: "read write",
  });
};

const redeem = ({ store, client, now }: Ask, grant: Grant): Promise<Redeemed> => {
  if (grant.kind === "code") return redeemAuthorization(store, grant.exchange, cryptoRandom, now);
  const name = grant.deviceName ?? browserName(client());
  return redeemPairing(store, grant.typed, name, cryptoRandom, now);
};

const PROBLEM: Readonly<Record<Exclude<Redeemed["state"] | CodeState, "good">, string>> = {
  ...WRONG,
  unfit:
    "This code was issued for a different client_id, redirect_uri or code_verifier, and can no longer be used.",
  disabled: "The account that this code belongs to is disabled.",
};

const REMEDY: Readonly<Record<Grant["kind"], string>> = {
  code: "Start again from the extension to get a new one.",
  pairing:
    "Open the Devices page of your account to get a new one. If that page lists a device you do not recognise, sign it out.",
};

/**
 * `POST /oauth/revoke`: signs a device out by its token (RFC 7009). What is no session's token any more,
 * or never was, is as good as revoked. API keys are their owner's to revoke.
 */
export const postRevoke = async (ask: Ask): Promise<Reply> => {
  const token = once(formOf(ask), "token");
  if (token === null) throw oauthRefusal("invalid_request", "token is missing.");
  const kind = secretKind(token);
  if (kind === "live")
    throw oauthRefusal(
      "unsupported_token_type",
      "API keys cannot be revoked here. Revoke them on the API keys page of your account.",
    );
  if (kind === "sess") await revokeToken(ask.store, token, ask.now);
  return json({});
};

/** The form of a route that takes one; the guard has read it. */
const formOf = ({ body }: Ask): URLSearchParams => {
  if (!(body instanceof URLSearchParams)) throw new Error("A handler asked for a form of none.");
  return body;
};
