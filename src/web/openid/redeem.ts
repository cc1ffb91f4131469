import { authorizationCodeGrant, type Configuration, fetchUserInfo } from "openid-client";
import { identityLabel } from "../../domain/people/identity.ts";
import { SECOND } from "../../domain/base/instant.ts";
import type { PageContext } from "../shared/page.ts";
import { callbackOf, providerOf } from "./begin.ts";
import type { Errand, Found } from "./errand.ts";

/** Who the provider says has come back, and when they last proved it there, if the provider says so. */
export type Proven = Found & { readonly provenAt: number | null };

/**
 * Exchanges the code in the callback's address for an ID token. The library checks `state`, `iss`, PKCE and
 * the token: signature, issuer, audience, nonce, times, and, to confirm who is there, that the sign-in is
 * new. Throws whatever is wrong.
 */
export const redeem = async (
  context: PageContext,
  { purpose, verifier, nonce }: Errand,
): Promise<Proven> => {
  const configuration = await providerOf(context).configuration();
  const tokens = await authorizationCodeGrant(
    configuration,
    new URL(`${callbackOf(context)}?${context.query}`),
    {
      expectedState: context.query.get("state") ?? "",
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(purpose === "confirm" ? { maxAge: 0 } : {}),
    },
  );
  const claims = tokens.claims();
  if (!claims) throw new Error("The provider sent no ID token.");
  // OpenID Connect Core, 3.1.3.7: issued to another client, although for this one too.
  if (claims.azp !== undefined && claims.azp !== configuration.clientMetadata().client_id)
    throw new Error("The provider's ID token was issued to another client.");
  const { iss: issuer, sub: subject, auth_time: authTime } = claims;
  const told = purpose === "link" ? await askWho(configuration, tokens.access_token, subject) : {};
  return {
    issuer,
    subject,
    label: identityLabel({ ...told, ...claims }, subject),
    // If the clock of the provider is ahead, it has asked just now.
    provenAt: authTime === undefined ? null : Math.min(authTime * SECOND, context.now),
  };
};

/** Many providers leave names out of the ID token. Without a name, a link is shown by its subject. */
const askWho = (configuration: Configuration, accessToken: string, subject: string) =>
  configuration.serverMetadata().userinfo_endpoint === undefined
    ? Promise.resolve({})
    : fetchUserInfo(configuration, accessToken, subject).catch(() => ({}));
