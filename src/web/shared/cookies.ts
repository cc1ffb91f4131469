import type { Origin } from "../../server/origin.ts";
import { DAY, SECOND } from "../../domain/base/instant.ts";

/**
 * `asked` says for which extension's request someone has just signed in. `dismissed` names the newest refused delete that
 * the person has dismissed. `docket` identifies the browser session, `known` shows that someone has signed in here before,
 * and `pending` marks a sign-in in progress.
 */
type CookieName = "asked" | "dismissed" | "docket" | "known" | "pending";

const LIFETIME: Readonly<Record<CookieName, number>> = {
  asked: 10 * 60 * SECOND,
  dismissed: 7 * DAY,
  docket: 90 * DAY,
  known: 400 * DAY,
  pending: 10 * 60 * SECOND,
};

/**
 * The cookie's full name. Over https it is bound to this host (`__Host-`). Cookies ignore ports: without the
 * port in the name, two servers on one machine would sign out each other's users.
 */
const fullName = (name: CookieName, { secure, port }: Origin): string =>
  `${secure ? "__Host-" : ""}${name === "docket" ? name : `docket-${name}`}${port && `-${port}`}`;

/** The cookie's value; null if it was not sent. */
export const readCookie = (request: Request, origin: Origin, name: CookieName): string | null => {
  const start = `${fullName(name, origin)}=`;
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) || null;
};

/**
 * A `Set-Cookie` header value. Scripts cannot read the cookie, and other sites' forms do not send it. `Lax`,
 * not `Strict`, because an extension's sign-in window and an OpenID provider lead here from elsewhere.
 */
export const setCookie = (origin: Origin, name: CookieName, value: string): string =>
  cookieField(origin, name, value, LIFETIME[name] / SECOND);

export const clearCookie = (origin: Origin, name: CookieName): string =>
  cookieField(origin, name, "", 0);

const cookieField = (origin: Origin, name: CookieName, value: string, maxAge: number): string =>
  `${fullName(name, origin)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}` +
  (origin.secure ? "; Secure" : "");
