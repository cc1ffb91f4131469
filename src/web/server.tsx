import type { Call } from "../server/call.ts";
import { failureOf, logCall } from "../server/respond.ts";
import { type Context, type EntryPoint, mount, newEntryPoint } from "../server/elysia.ts";
import { originOf } from "../server/checks/request.ts";
import { isLoopback } from "../domain/base/usage.ts";
import { admit, type Page, type PageContext } from "./shared/page.ts";
import { appPages } from "./app/pages.ts";
import { serveAssets } from "./assets.ts";
import { ErrorPage } from "./shared/errors.tsx";
import { html, type PageReply } from "./shared/reply.tsx";
import type { Service } from "../server/service.ts";
import { PAGES, UNKNOWN_PAGE } from "./pages.ts";
import { startWeb, type WebService } from "./shared/service.ts";

/** Serves the pages to people. A page reads the body of a request itself, once it is known who is asking. */
export const servePages = async (service: Service): Promise<EntryPoint> => {
  const pages = [...PAGES, ...(await appPages()), ...serveAssets(), UNKNOWN_PAGE];
  const web = startWeb(service);
  const app = newEntryPoint(service);
  for (const page of pages) mount(app, page, async (context) => answer(web, page, context));
  return { endpoints: pages, app };
};

const answer = async (
  service: WebService,
  page: Page,
  { call, request }: Context,
): Promise<Response> => {
  const reply = await admitAndHandle(service, page, call, request).catch((error: unknown) =>
    refuse(service, call, error),
  );
  call.held?.release();
  logCall(service, call, reply.status);
  return respond(service, call, request, reply);
};

const admitAndHandle = async (
  service: WebService,
  page: Page,
  call: Call,
  request: Request,
): Promise<PageReply> => {
  const context = await admit(service, page, call, request);
  if ("status" in context) return context;
  const reply = await handle(page, context).catch((error: unknown) => refuse(service, call, error));
  return { ...reply, cookies: [...context.cookies, ...reply.cookies] };
};

const handle = async (page: Page, context: PageContext): Promise<PageReply> => page.handle(context);

/** Shows an error page for a refusal that no form can show, and for a bug. */
const refuse = (service: WebService, call: Call, thrown: unknown): PageReply => {
  const failure = failureOf(service, call, thrown);
  const { status, headers } = failure;
  return html(<ErrorPage failure={failure} requestId={call.requestId} />, { status, headers });
};

const respond = (
  service: WebService,
  call: Call,
  request: Request,
  { status, body, headers, cookies }: PageReply,
): Response => {
  const { secure, hostname } = originOf(request, call.peer(), service.settings);
  const response = new Response(body, {
    status,
    headers: {
      ...headers,
      "x-request-id": call.requestId,
      // On an origin that browsers do not trust, they ignore this header and log a warning.
      ...(secure || isLoopback(hostname) ? { "cross-origin-opener-policy": "same-origin" } : {}),
    },
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
};
