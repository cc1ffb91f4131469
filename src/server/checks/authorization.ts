import { secretKind } from "../../domain/base/secret.ts";

/**
 * Returns the token of an `Authorization` header (RFC 6750, section 2.1), or null. The scheme may be in upper or
 * lower case. Two headers arrive as one with a comma between them, and give null: guessing which one counts would be
 * unsafe.
 */
export const tokenOf = (authorization: string | null | undefined): string | null =>
  /^bearer[ \t]+([^\s,]{1,4096})$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;

/**
 * Where the web app sends its session's token, so that `Authorization` is free for a proxy that asks for a password of
 * its own. Browsers let no page of another origin send it: no reply of ours allows it (CORS). API keys do not count here.
 */
export const APP_HEADER = "docket-session";

/** Returns the token that a request was sent with, or null. The web app's header comes first. */
export const tokenIn = (headers: Headers): string | null =>
  appTokenIn(headers) ?? tokenOf(headers.get("authorization"));

/** Returns the token in the web app's header, or null. */
export const appTokenIn = (headers: Headers): string | null => {
  const token = headers.get(APP_HEADER);
  return token !== null && secretKind(token) === "sess" ? token : null;
};
