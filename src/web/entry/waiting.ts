import { cryptoRandom, mintSecret, secretKind } from "../../secret.ts";
import type { Ask } from "../ask.ts";
import { readCookie, setCookie } from "../cookies.ts";

/**
 * By what a browser that is not signed in is told from others while something of it is awaited: a
 * passkey's answer, or its return from an OpenID provider. Null where it has no such cookie.
 */
export const waitingBrowser = ({ request, origin }: Ask): string | null => {
  const cookie = readCookie(request, origin, "pending");
  return cookie !== null && secretKind(cookie) === "page" ? cookie : null;
};

/** The same, made if there is none, and the cookie that keeps it for ten minutes more. */
export const letWait = (
  ask: Ask,
): { readonly browser: string; readonly cookies: readonly string[] } => {
  // Kept where there is one: what another tab of the same browser waits for stays good.
  const browser = waitingBrowser(ask) ?? mintSecret("page", cryptoRandom);
  return { browser, cookies: [setCookie(ask.origin, "pending", browser)] };
};
