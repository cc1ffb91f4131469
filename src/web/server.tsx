import { readRefusal } from "../db/sqlite/faults.ts";
import type { Call } from "../server/call.ts";
import { logCall, logFailure } from "../server/finish.ts";
import { statusOf } from "../server/refusals.ts";
import { type Context, type Entrance, mount, newEntrance } from "../server/elysia.ts";
import { originOf } from "../server/origin.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { isLoopback } from "../domain/base/usage.ts";
import type { PageContext } from "./shared/context.ts";
import { serveAssets } from "./assets.ts";
import { ErrorPage } from "./shared/errors.tsx";
import { admit } from "./shared/admission.ts";
import type { Page } from "./shared/page.ts";
import { html, type PageReply } from "./shared/reply.tsx";
import type { WebService } from "./shared/service.ts";

/** The entrance for people. Its pages read their own bodies, once they know who asks. */
export const servePages = (service: WebService, pages: readonly Page[]): Entrance => {
  const all = [...pages, ...serveAssets()];
  const app = newEntrance(service);
  for (const page of all) mount(app, page, async (context) => answer(service, page, context));
  return { places: all, app };
};

const answer = async (
  service: WebService,
  page: Page,
  { call, request }: Context,
): Promise<Response> => {
  const reply = await handled(service, page, call, request).catch((error: unknown) =>
    refused(service, call, error),
  );
  logCall(service, call, reply.status);
  return respond(service, call, request, reply);
};

const handled = async (
  service: WebService,
  page: Page,
  call: Call,
  request: Request,
): Promise<PageReply> => {
  const context = await admit(service, page, call, request);
  if ("status" in context) return context;
  const reply = await asked(page, context).catch((error: unknown) => refused(service, call, error));
  return { ...reply, cookies: [...context.cookies, ...reply.cookies] };
};

const asked = async (page: Page, context: PageContext): Promise<PageReply> => page.handle(context);

/** A refusal that no form shows has a page of its own; of a bug only the log is told the cause. */
const refused = (service: WebService, call: Call, error: unknown): PageReply => {
  const refusal = error instanceof Refusal ? error : readRefusal(error);
  const status = statusOf(refusal);
  if (status >= 500) logFailure(service, call, refusal?.cause ?? error);
  const headers = refusal?.headers ?? {};
  return html(<ErrorPage refusal={refusal} requestId={call.requestId} />, { status, headers });
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
      // Not for this machine's own name: it would hold for whatever else is served there.
      ...(secure && !isLoopback(hostname)
        ? { "strict-transport-security": "max-age=31536000" }
        : {}),
      // Where browsers do not trust the origin they ignore this, and complain of it.
      ...(secure || isLoopback(hostname) ? { "cross-origin-opener-policy": "same-origin" } : {}),
    },
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
};
