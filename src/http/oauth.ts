import { browserName, sessionExpiry } from "../domain/people/session.ts";
import type { CodeState } from "../db/people/codes.ts";
import { countAttempt, forgiveAttempt } from "../db/calls/throttle.ts";
import { readAccount } from "../db/people/accounts.ts";
import { CODE_PROBLEMS } from "../db/people/owner.ts";
import { revokeToken } from "../db/people/sessions.ts";
import { redeemAuthorization, redeemPairing, type Redeemed } from "../db/people/sign-ins.ts";
import { clientName } from "../domain/calls/activity.ts";
import { addressOf, issuerOf, networkOf, originOf } from "../server/checks/request.ts";
import { json, type Reply } from "../server/call.ts";
import {
  type RedeemedByClient,
  redeemClientCode,
  revokeClientKey,
} from "../db/people/client-codes.ts";
import { clientIdOf, isClientId, readRegistration } from "../domain/people/oauth-client.ts";
import {
  type Exchange,
  type Grant,
  oauthRefusal,
  PAIRING_GRANT,
  readGrant,
} from "../domain/people/grant.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { SECOND } from "../domain/base/instant.ts";
import { once } from "../domain/people/oauth.ts";
import { cryptoRandom, secretKind } from "../domain/base/secret.ts";
import type { ApiContext } from "./route.ts";

const ENDPOINTS = {
  authorization_endpoint: "/oauth/authorize",
  token_endpoint: "/oauth/token",
  revocation_endpoint: "/oauth/revoke",
  registration_endpoint: "/oauth/register",
};

/** `GET /.well-known/oauth-authorization-server`: the server's metadata (RFC 8414). */
export const getMetadata = ({ service, request, peer }: ApiContext): Reply => {
  const { settings } = service;
  const issuer = issuerOf(originOf(request, peer(), settings), settings);
  const addresses = Object.entries(ENDPOINTS).map(([name, path]) => [name, issuer + path]);
  return json({
    issuer,
    ...Object.fromEntries(addresses),
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

/** `GET /.well-known/oauth-protected-resource`: where programs that speak MCP sign in (RFC 9728). */
export const getResource = ({ service, request, peer }: ApiContext): Reply => {
  const { settings } = service;
  const issuer = issuerOf(originOf(request, peer(), settings), settings);
  return json({
    resource: `${issuer}/mcp`,
    authorization_servers: [issuer],
    scopes_supported: ["read", "write"],
    bearer_methods_supported: ["header"],
    resource_name: "Docket",
  });
};

/** `POST /oauth/register`: gives a program an id that says all that is known of it (RFC 7591). Nothing is stored. */
export const postRegister = ({ body, now }: ApiContext): Reply => {
  const client = readRegistration(body);
  return json({
    client_id: clientIdOf(client),
    client_id_issued_at: Math.floor(now / SECOND),
    client_name: client.name,
    redirect_uris: client.redirects,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "read write",
  });
};

/**
 * `POST /oauth/token`: exchanges an authorization code (RFC 6749, section 4.1.3) or a pairing code (an extension
 * grant, section 4.5) for a session. A program that registered itself gets an API key. Guesses of pairing codes are
 * limited (429).
 */
export const postToken = async (context: ApiContext): Promise<Reply> => {
  const grant = readGrant(formOf(context));
  if (grant.kind === "code" && isClientId(grant.exchange.clientId))
    return giveKey(context, grant.exchange);
  const redeemed = await redeem(context, grant);
  if (redeemed.state !== "good") {
    const { service, request, peer } = context;
    const address = addressOf(request, peer(), service.settings);
    service.log.failedSignIn({ address, by: BY[grant.kind], account: null, because: "refused" });
    throw oauthRefusal("invalid_grant", `${PROBLEM[redeemed.state]} ${REMEDY[grant.kind]}`);
  }
  await noteDevice(context, grant, redeemed.session.accountId);
  const lifetime = sessionExpiry(redeemed.session) - context.now;
  return json({
    access_token: redeemed.secret,
    token_type: "Bearer",
    expires_in: Math.floor(lifetime / SECOND),
    scope: "read write",
  });
};

/** What it replies has no refresh token: with its end, the person is asked again. */
const giveKey = async (context: ApiContext, exchange: Exchange): Promise<Reply> => {
  const { store, now, service, request, peer } = context;
  const redeemed = await redeemClientCode(store, exchange, cryptoRandom, now);
  const address = addressOf(request, peer(), service.settings);
  if (redeemed.state !== "good") {
    service.log.failedSignIn({ address, by: BY.code, account: null, because: "refused" });
    throw oauthRefusal("invalid_grant", `${PROBLEM[redeemed.state]} Start again from the program.`);
  }
  const { key, secret } = redeemed;
  const account = (await readAccount(store, key.accountId))?.email ?? null;
  service.log.info("key given to a program", { address, key: key.id, account });
  return json({
    access_token: secret,
    token_type: "Bearer",
    ...(key.expiresAt === null ? {} : { expires_in: Math.floor((key.expiresAt - now) / SECOND) }),
    scope: key.scopes.join(" "),
  });
};

/** Tells the log which account a device was signed in to, and from where. */
const noteDevice = async (
  { service, store, request, peer }: ApiContext,
  { kind }: Grant,
  id: number,
): Promise<void> => {
  const address = addressOf(request, peer(), service.settings);
  const account = (await readAccount(store, id))?.email ?? null;
  service.log.info("signed in", { address, by: BY[kind], account });
};

const BY = { code: "authorization-code", pairing: "pairing-code" } as const;

const redeem = (context: ApiContext, grant: Grant): Promise<Redeemed> => {
  const { store, request, now } = context;
  if (grant.kind === "code") return redeemAuthorization(store, grant.exchange, cryptoRandom, now);
  const name = grant.deviceName ?? browserName(clientName(request.headers.get("user-agent")));
  return countGuesses(context, () => redeemPairing(store, grant.typed, name, cryptoRandom, now));
};

/**
 * Redeems a typed code, unless too many that nobody has came from the same network address. A code that someone has or
 * had is no guess.
 */
const countGuesses = async (
  { store, service, request, peer, now }: ApiContext,
  redeemTyped: () => Promise<Redeemed>,
): Promise<Redeemed> => {
  const address = addressOf(request, peer(), service.settings);
  const subjects = [{ kind: "pairing", name: networkOf(address) }] as const;
  await countAttempt(store, subjects, now).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.reason !== "too_many") throw error;
    service.log.failedSignIn({ address, by: BY.pairing, account: null, because: "throttled" });
    throw new Refusal("too_many", error.sentence, error.headers, "slow_down");
  });
  const redeemed = await redeemTyped();
  if (redeemed.state !== "unknown") await forgiveAttempt(store, subjects);
  return redeemed;
};

const PROBLEM: Readonly<
  Record<Exclude<CodeState | Redeemed["state"] | RedeemedByClient["state"], "good">, string>
> = {
  ...CODE_PROBLEMS,
  unfit:
    "This code was issued for a different client_id, redirect_uri or code_verifier, and can no longer be used.",
  disabled: "The account that this code belongs to is disabled.",
  full: "The account has no room for another key, or a folder that the key was for is gone.",
};

const REMEDY: Readonly<Record<Grant["kind"], string>> = {
  code: "Start again from the extension to get a new one.",
  pairing:
    "Open the Devices page of your account to get a new one. If that page lists a device you do not recognise, sign it out.",
};

/**
 * `POST /oauth/revoke`: signs a device out by its token (RFC 7009). An unknown or invalid token counts as revoked. A
 * program ends the key that it got by consent. Any other key is refused, because only its owner may revoke it.
 */
export const postRevoke = async (context: ApiContext): Promise<Reply> => {
  const token = once(formOf(context), "token");
  if (token === null) throw oauthRefusal("invalid_request", "token is missing.");
  const kind = secretKind(token);
  if (kind === "live" && !(await revokeClientKey(context.store, token, context.now)))
    throw oauthRefusal(
      "unsupported_token_type",
      "API keys cannot be revoked here. Revoke them on the API keys page of your account.",
    );
  if (kind === "sess") await revokeToken(context.store, token, context.now);
  return json({});
};

/** Returns the form that the route's hook has read. */
const formOf = ({ body }: ApiContext): URLSearchParams => {
  if (!(body instanceof URLSearchParams)) throw new Error("A handler asked for a form of none.");
  return body;
};
