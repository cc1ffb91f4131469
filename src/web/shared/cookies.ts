import type { Origin } from "../../server/origin.ts";
import { DAY, SECOND } from "../../domain/base/instant.ts";

/** `docket` holds the browser session, `known` that someone signed in here before, `pending` a sign-in elsewhere. */
type CookieName = "docket" | "known" | "pending";

const LIFETIME: Readonly<Record<CookieName, number>> = {
  docket: 90 * DAY,
  known: 400 * DAY,
  pending: 10 * 60 * SECOND,
};

/**
 * The cookie's full name. Over https it is bound to this host alone (`__Host-`). Cookies know no ports:
 * without the port in its name, two servers on one machine would sign each other's people out.
 */
const fullName = (name: CookieName, { secure, port }: Origin): string =>
  `${secure ? "__Host-" : ""}${name === "docket" ? name : `docket-${name}`}${port && `-${port}`}`;

/** The cookie's value, null where it was not sent. */
export const readCookie = (request: Request, origin: Origin, name: CookieName): string | null => {
  const start = `${fullName(name, origin)}=`;
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) || null;
};

/**
 * A `Set-Cookie` field: no script sees it, and no other site's form sends it. `Lax`, not `Strict`: an
 * extension's sign-in window and an OpenID provider lead here from elsewhere.
 */
export const setCookie = (origin: Origin, name: CookieName, value: string): string =>
  cookieField(origin, name, value, LIFETIME[name] / SECOND);

export const clearCookie = (origin: Origin, name: CookieName): string =>
  cookieField(origin, name, "", 0);

const cookieField = (origin: Origin, name: CookieName, value: string, maxAge: number): string =>
  `${fullName(name, origin)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}` +
  (origin.secure ? "; Secure" : "");
