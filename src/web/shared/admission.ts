import { findBrowserSession, type SignedIn } from "../../db/people/browser-sessions.ts";
import type { Call } from "../../server/call.ts";
import { clientOf } from "../../server/client.ts";
import { addressOf, type Origin, originOf } from "../../server/origin.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { PageContext } from "./context.ts";
import { readCookie } from "./cookies.ts";
import { readSent } from "./form.ts";
import type { Page } from "./page.ts";
import { type PageReply, seeOther } from "./reply.tsx";
import type { WebService } from "./service.ts";

/**
 * Who asks for a page, and with what: the origin of the request first, then its cookie, then its body. A
 * stranger who asks for a page of the account area is sent to sign in. Bearer tokens count for nothing
 * here, as cookies count for nothing in the API.
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
  if (own && !(await whoIs(call.now))) return seeOther(signInAddress(page, url));
  const { form, json } = await readSent(request, page.body);
  // A body may take its time: a browser session that ended meanwhile does nothing, and no proof stays fresh by it.
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
    client: clientOf(request),
    pathId: call.pathId,
    query: url.searchParams,
    form,
    json,
    cookies: [],
    now,
  };
};

/** What was asked for comes next after signing in; what was to be done does not: it is asked for anew. */
const signInAddress = (page: Page, url: URL): string =>
  page.method === "GET"
    ? `/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`
    : "/sign-in";

/**
 * Another site can make a browser post here with its cookie, but not hide that it did: browsers say
 * where a request comes from, in `Sec-Fetch-Site` over https and on this machine, else in `Origin`
 * (OWASP ASVS 5.0, 3.5). What says neither is no browser of ours.
 */
const refuseForeign = ({ headers }: Request, origin: Origin): void => {
  const site = headers.get("sec-fetch-site");
  const own = site === null ? headers.get("origin") === origin.href : site === "same-origin";
  if (!own)
    throw new Refusal(
      "forbidden",
      "This was sent from another page than this server's own: nothing was done. Open the account area and do it there.",
    );
};
