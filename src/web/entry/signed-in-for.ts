import { needsProof } from "./proof.ts";
import type { PageContext, SignedInContext } from "../shared/context.ts";
import { readCookie, setCookie } from "../shared/cookies.ts";

/**
 * The cookie that says for which extension's request someone has just signed in, if it was for one: they need not prove
 * who they are a second time. Only the server can make it, because it knows the new browser session's secret in clear.
 */
export const markSignedInFor = (
  { origin }: PageContext,
  secret: string,
  next: string,
): readonly string[] => {
  const challenge = challengeIn(next);
  return challenge === null ? [] : [setCookie(origin, "asked", markOf(secret, challenge))];
};

/** Whether this browser signed in for the request with this PKCE challenge, in the last 10 minutes. */
export const isSignedInFor = (context: SignedInContext, challenge: string): boolean => {
  const { request, origin } = context;
  const secret = readCookie(request, origin, "docket");
  return (
    secret !== null &&
    !needsProof(context) &&
    readCookie(request, origin, "asked") === markOf(secret, challenge)
  );
};

/** The PKCE challenge of the extension's request at an address of ours; null if it is another page. */
export const challengeIn = (next: string): string | null => {
  const url = URL.parse(next, "http://docket.invalid");
  return url?.pathname === "/oauth/authorize" ? url.searchParams.get("code_challenge") : null;
};

const markOf = (secret: string, challenge: string): string =>
  new Bun.CryptoHasher("sha256", secret).update(`signed in for ${challenge}`).digest("base64url");
