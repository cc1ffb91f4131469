import { cryptoRandom, mintSecret, secretKind } from "../../domain/base/secret.ts";
import type { PageContext } from "../shared/context.ts";
import { readCookie, setCookie } from "../shared/cookies.ts";

/**
 * By what a browser that is not signed in is told from others while something of it is awaited: a
 * passkey's answer, or its return from an OpenID provider. Null where it has no such cookie.
 */
export const waitingBrowser = ({ request, origin }: PageContext): string | null => {
  const cookie = readCookie(request, origin, "pending");
  return cookie !== null && secretKind(cookie) === "page" ? cookie : null;
};

/** The same, made if there is none, and the cookie that keeps it for ten minutes more. */
export const letWait = (
  context: PageContext,
): { readonly browser: string; readonly cookies: readonly string[] } => {
  // Kept where there is one: what another tab of the same browser waits for stays good.
  const browser = waitingBrowser(context) ?? mintSecret("page", cryptoRandom);
  return { browser, cookies: [setCookie(context.origin, "pending", browser)] };
};
