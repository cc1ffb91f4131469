import type { Call, Endpoint } from "../../server/call.ts";
import { type PageReply, seeOther } from "./reply.tsx";
import { readAccount } from "../../db/people/accounts.ts";
import type { Store } from "../../db/store.ts";
import { findBrowserSession, type SignedIn } from "../../db/people/browser-sessions.ts";
import { addressOf, type Origin, originOf, senderOf } from "../../server/checks/request.ts";
import { DAY, type Instant, SECOND } from "../../domain/base/instant.ts";
import { type Body, type Form, readSent } from "./form.ts";
import type { WebService } from "./service.ts";
import { clientName } from "../../domain/calls/activity.ts";
import { Refusal } from "../../domain/base/refusal.ts";

/** One row of the table of pages. */
export type Page = Endpoint & {
  /** Who may open it: anyone, or only a browser that is signed in. */
  readonly access: "anyone" | "signed in";
  readonly body: Body;
  readonly handle: (context: PageContext) => Promise<PageReply> | PageReply;
};

/** A page that anyone may open. It still sees who is signed in, if someone is. */
export const openPage = (
  method: "GET" | "POST",
  path: string,
  handle: Page["handle"],
  body: Page["body"] = "form",
): Page => ({ method, path, access: "anyone", body, handle });

/** A page of the account area. Anyone who is not signed in is sent to sign in first, and then back to it. */
export const ownPage = (
  method: "GET" | "POST",
  path: string,
  handle: (context: SignedInContext) => Promise<PageReply> | PageReply,
  body: Page["body"] = "form",
): Page => ({
  method,
  path,
  access: "signed in",
  body,
  // The guard has already checked that someone is signed in.
  handle: handle as Page["handle"],
});

/** Sections of the account area with forms of their own. All other forms belong to the Security page. */
const SECTIONS: readonly string[] = [
  "/account/deleted",
  "/account/devices",
  "/account/import",
  "/account/keys",
  "/account/server",
];

/** The section that a form's address belongs to, where the person can start again. */
export const sectionOf = (path: string): string =>
  SECTIONS.find((section) => path === section || path.startsWith(`${section}/`)) ??
  "/account/security";

/** Notes in the log what someone did to their account, and from where. */
export const noteChange = ({ service, who, address }: SignedInContext, what: string): void =>
  service.log.info(what, { address, account: who.account.email });

/** Notes in the log who proved who they are, and from where: by signing in, or again while signed in. */
export const noteProof = async (
  { service, store, address }: PageContext,
  accountId: number,
  what: "confirmed" | "signed in",
  by: Readonly<Record<string, string>>,
): Promise<void> =>
  service.log.info(what, {
    address,
    ...by,
    account: (await readAccount(store, accountId))?.email ?? null,
  });

/** A request as a page sees it. */
export type PageContext = {
  readonly service: WebService;
  readonly store: Store;
  /** Who is signed in; null if nobody is. */
  readonly who: SignedIn | null;
  readonly request: Request;
  readonly origin: Origin;
  /** The network address the request came from. */
  readonly address: string;
  /** The browser, from its `User-Agent`. */
  readonly client: string | null;
  /** The id in the path, decoded exactly once. */
  readonly pathId: string | null;
  readonly query: URLSearchParams;
  /** The submitted form; empty for GET. */
  readonly form: Form;
  /** The JSON that our own script sent; null otherwise. */
  readonly json: unknown;
  /** Cookies to set on the reply, whatever page it turns out to be. */
  readonly cookies: string[];
  readonly now: Instant;
};

export type SignedInContext = PageContext & { readonly who: SignedIn };

/**
 * Finds out who is asking for a page, and what they sent. Checks the origin of the request first, then the
 * cookie, then reads the body. Anyone who opens a page of the account area without being signed in is sent to
 * sign in. Bearer tokens mean nothing here, just as cookies mean nothing to the API.
 */
export const admit = async (
  service: WebService,
  page: Page,
  call: Call,
  request: Request,
): Promise<PageContext | PageReply> => {
  const origin = originOf(request, call.peer(), service.settings);
  if (page.method === "POST") refuseForeign(request, origin);
  const cookie = readCookie(request, origin, "docket");
  const whoIs = async (at: Instant): Promise<SignedIn | null> =>
    cookie === null ? null : findBrowserSession(service.store, cookie, at);
  const url = new URL(request.url);
  const own = page.access === "signed in";
  const first = own ? await whoIs(call.now) : null;
  if (own && !first) return seeOther(signInAddress(page, url));
  call.held = service.bodies.hold(senderOf(service, call, first?.account.id ?? null));
  const { form, json } = await readSent(request, page.body, call.held);
  // Reading a body can take a while. A browser session that ended in the meantime may do nothing, and a slow
  // body must not keep an old proof fresh.
  const now = service.clock.wall();
  const who = await whoIs(now);
  if (own && !who) return seeOther(signInAddress(page, url));
  return {
    service,
    store: service.store,
    who,
    request,
    origin,
    address: addressOf(request, call.peer(), service.settings),
    client: clientName(request.headers.get("user-agent")),
    pathId: call.pathId,
    query: url.searchParams,
    form,
    json,
    cookies: [],
    now,
  };
};

/**
 * After signing in, the browser continues to the page it wanted to open. An action is not repeated: the
 * person has to start it again.
 */
const signInAddress = (page: Page, url: URL): string =>
  page.method === "GET"
    ? `/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`
    : "/sign-in";

/**
 * Another site can make a browser post here with its cookie, but cannot hide that it did: browsers say where
 * a request comes from, in `Sec-Fetch-Site` over https and on localhost, otherwise in `Origin` (OWASP ASVS
 * 5.0, 3.5). A request with neither does not come from a browser on our pages.
 */
const refuseForeign = ({ headers }: Request, origin: Origin): void => {
  const site = headers.get("sec-fetch-site");
  const own = site === null ? headers.get("origin") === origin.href : site === "same-origin";
  if (!own)
    throw new Refusal(
      "forbidden",
      "This request did not come from one of this server's pages, so nothing was changed. Open your account and try again there.",
    );
};

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
