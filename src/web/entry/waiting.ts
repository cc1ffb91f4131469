import { cryptoRandom, mintSecret, secretKind } from "../../secret.ts";
import type { Ask } from "../ask.ts";
import { readCookie, setCookie } from "../cookies.ts";

/**
 * Identifies a browser that is not signed in while it has something in progress: a passkey's answer, or its
 * return from an OpenID provider. Null if it has no such cookie.
 */
export const waitingBrowser = ({ request, origin }: Ask): string | null => {
  const cookie = readCookie(request, origin, "pending");
  return cookie !== null && secretKind(cookie) === "page" ? cookie : null;
};

/** The same, created if there is none, with the cookie that keeps it for ten more minutes. */
export const letWait = (
  ask: Ask,
): { readonly browser: string; readonly cookies: readonly string[] } => {
  // An existing one is kept, so that what another tab of the same browser waits for stays valid.
  const browser = waitingBrowser(ask) ?? mintSecret("page", cryptoRandom);
  return { browser, cookies: [setCookie(ask.origin, "pending", browser)] };
};
