import type { AuthorizationRequest } from "../../domain/people/oauth.ts";
import { isOwnExtension } from "../../domain/people/identity.ts";
import { needsProof } from "./proof.ts";
import { type PageContext, readCookie, setCookie, type SignedInContext } from "../shared/page.ts";

/**
 * The cookie that says for which extension's request someone has just signed in, if it was for one: they need not prove
 * who they are a second time. Only the server can make it, because it knows the new browser session's secret in clear.
 */
export const markSignedInFor = (
  { origin }: PageContext,
  secret: string,
  next: string,
): readonly string[] => {
  const request = requestIn(next);
  return request === null ? [] : [setCookie(origin, "asked", markOf(secret, request))];
};

/**
 * Whether the person who is asked to let an extension in proved who they are in the last 10 minutes, so that one click is
 * enough. For another extension than Docket's own, they must have done it for this very request: a stranger's extension
 * must not be one click away from all tasks.
 */
export const hasProvedFor = (context: SignedInContext, asked: ExtensionRequest): boolean => {
  if (needsProof(context)) return false;
  if (isOwnExtension(asked.redirectUri)) return true;
  const { request, origin } = context;
  const secret = readCookie(request, origin, "docket");
  return secret !== null && readCookie(request, origin, "asked") === markOf(secret, asked);
};

/** Which extension asks, and its PKCE challenge, which is another one for each request. */
type ExtensionRequest = Pick<AuthorizationRequest, "challenge" | "redirectUri">;

/** The extension's request at an address of ours; null if it is another page. It is checked where it leads. */
export const requestIn = (next: string): ExtensionRequest | null => {
  const url = URL.parse(next, "http://docket.invalid");
  if (url?.pathname !== "/oauth/authorize") return null;
  const { searchParams: sent } = url;
  return {
    challenge: sent.get("code_challenge") ?? "",
    redirectUri: sent.get("redirect_uri") ?? "",
  };
};

const markOf = (secret: string, { challenge, redirectUri }: ExtensionRequest): string =>
  new Bun.CryptoHasher("sha256", secret)
    .update(JSON.stringify(["signed in for", challenge, redirectUri]))
    .digest("base64url");

const HERE = "http://docket.invalid";
const RETURN_PATHS = /^\/(account|tasks|oauth\/authorize)(\/|$)/;

/**
 * Where to go after signing in: a page of the account area, the web app, or the extension's consent page. Any other
 * address (another site, `//`, a script) becomes their tasks, or another page of ours that the caller names.
 */
export const safeNext = (asked: string | null, otherwise = "/tasks"): string => {
  const url = URL.parse(asked ?? "", HERE);
  return url?.origin === HERE && RETURN_PATHS.test(url.pathname)
    ? url.pathname + url.search
    : otherwise;
};

/**
 * Returns the status of a page that says what went wrong on the way to `next`. Chrome shows an extension's sign-in in a
 * window of its own, and closes that at any status from 400: a mistyped password would end the sign-in.
 */
export const statusOnTheWay = (next: string, status: number): number =>
  next.startsWith("/oauth/authorize") ? 200 : status;
