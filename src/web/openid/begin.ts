import type { Configuration } from "openid-client";
import { issuerOf, networkOf } from "../../server/checks/request.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { PageContext } from "../shared/page.ts";
import { letWait } from "../entry/waiting.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { type Errand, errandKey, type Found, type Purpose } from "./errand.ts";
import { faultOf, faultPage } from "./faults.tsx";
import { type OpenId, openIdLibrary } from "./provider.ts";
import { identityLabel } from "../../domain/people/identity.ts";
import { SECOND } from "../../domain/base/instant.ts";

/**
 * Sends the browser to the provider (OpenID Connect Core, 3.1.2.1; PKCE as OAuth 2.1 requires). Started by a
 * link, not by a form: `form-action` also applies to the redirects of a form, and would have to list every
 * origin that the provider redirects through.
 */
export const begin = async (
  context: PageContext,
  purpose: Purpose,
  next: string,
): Promise<PageReply> => {
  const openId = providerOf(context);
  const home = issuerOf(context.origin, context.service.settings);
  const page = pageOf(purpose, next);
  // The provider returns to the public address, and cookies set at another address are not sent there.
  if (context.origin.href !== home || isFromElsewhere(context)) return seeOther(home + page);
  try {
    const configuration = await openId.configuration();
    return await sendThere(context, configuration, purpose, next);
  } catch (error) {
    context.service.log.error("could not start the sign-in at the OpenID provider", error);
    return faultPage(context, faultOf(error), page, next);
  }
};

/** The configured provider. Refused if there is none. */
export const providerOf = ({ service }: PageContext): OpenId => {
  if (service.openId) return service.openId;
  throw new Refusal("not_found", "No OpenID provider is set up for this server.");
};

/** The page where people start, and where they return if it fails. */
export const pageOf = (purpose: Purpose, next: string): string => {
  if (purpose === "link") return "/account/security";
  const page = purpose === "confirm" ? "/account/confirm" : "/sign-in";
  return `${page}?next=${encodeURIComponent(next)}`;
};

/** The address that the provider returns to, as it is registered there. */
const callbackOf = (context: PageContext): string =>
  `${issuerOf(context.origin, context.service.settings)}/sign-in/openid/callback`;

/**
 * Another site cannot start this for a person: they have to come from a page of ours, or type the address.
 */
const isFromElsewhere = ({ request }: PageContext): boolean =>
  !["none", "same-origin"].includes(request.headers.get("sec-fetch-site") ?? "none");

const sendThere = async (
  context: PageContext,
  configuration: Configuration,
  purpose: Purpose,
  next: string,
): Promise<PageReply> => {
  const { browser, cookies } = letWait(context);
  const library = await openIdLibrary();
  const [state, nonce] = [library.randomState(), library.randomNonce()];
  const verifier = library.randomPKCECodeVerifier();
  const browserSessionId = purpose === "sign-in" ? null : (context.who?.browserSession.id ?? null);
  const errand = { purpose, browserSessionId, next, verifier, nonce };
  context.service.errands.put(errandKey(browser, state), errand, networkOf(context.address));
  const url = library.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(context),
    // The e-mail address is only shown, to say whose identity it is. It never identifies anyone.
    scope: "openid profile email",
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...(purpose === "confirm" ? { prompt: "login", max_age: "0" } : {}),
  });
  return seeOther(url.href, cookies);
};

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
  const library = await openIdLibrary();
  const tokens = await library.authorizationCodeGrant(
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
const askWho = async (configuration: Configuration, accessToken: string, subject: string) => {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  const { fetchUserInfo } = await openIdLibrary();
  return fetchUserInfo(configuration, accessToken, subject).catch(() => ({}));
};
