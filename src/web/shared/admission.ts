import { findBrowserSession, type SignedIn } from "../../db/people/browser-sessions.ts";
import type { Call } from "../../server/call.ts";
import { clientName } from "../../domain/calls/activity.ts";
import { senderOf } from "../../server/checks/sender.ts";
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
