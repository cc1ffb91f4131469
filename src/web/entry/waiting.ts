import { cryptoRandom, mintSecret, secretKind } from "../../domain/base/secret.ts";
import { type PageContext, readCookie, setCookie } from "../shared/page.ts";

/**
 * Identifies a browser that is not signed in while it has something in progress: a passkey's answer, or its
 * return from an OpenID provider. Null if it has no such cookie.
 */
export const waitingBrowser = ({ request, origin }: PageContext): string | null => {
  const cookie = readCookie(request, origin, "pending");
  return cookie !== null && secretKind(cookie) === "page" ? cookie : null;
};

/** The same, created if there is none, with the cookie that keeps it for ten more minutes. */
export const letWait = (
  context: PageContext,
): { readonly browser: string; readonly cookies: readonly string[] } => {
  // An existing one is kept, so that what another tab of the same browser waits for stays valid.
  const browser = waitingBrowser(context) ?? mintSecret("page", cryptoRandom);
  return { browser, cookies: [setCookie(context.origin, "pending", browser)] };
};
