import { admit, admitAgain } from "../server/checks/admission.ts";
import { parseJson, readBody, readForm } from "../server/checks/body.ts";
import type { Call } from "../server/call.ts";
import { beginOnce, idempotencyKeyOf } from "../server/checks/idempotency.ts";
import type { Service } from "../server/service.ts";
import { checkRestBody } from "../server/checks/well-formed.ts";
import type { StoredReply } from "../domain/calls/idempotency.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import { isRecordId } from "../domain/base/text.ts";
import { asksOnly } from "./dryrun.ts";
import type { Route } from "./route.ts";

/** A request's body; or what the same one was answered before. */
type Taken = { readonly kept: null; readonly body: unknown } | { readonly kept: StoredReply };

/** Steps 6 to 9 of the door (DESIGN, section 5): credential, limiter, what keys may never do, scope and plan. */
export const admitToRoute = (
  service: Service,
  route: Route,
  call: Call,
  request: Request,
  token: string | undefined,
): void => {
  if (route.access.callers === "anyone") return;
  admit(service, route.access, call, request, token);
  if (isRecordId(call.pathId)) call.touched = withoutSecrets(`${route.touches}:${call.pathId}`);
};

/**
 * Step 10: reads the body of a caller who was let in, unless the same request was answered before. A stranger's
 * is never read, but where it is the credential: a form of OAuth's.
 */
export const takeBody = async (
  service: Service,
  route: Route,
  call: Call,
  request: Request,
  token: string | undefined,
): Promise<Taken> => {
  if (route.form) return { kept: null, body: await readForm(request, route) };
  call.dryRun = asksOnly(request, route);
  const named = route.present ? idempotencyKeyOf(request.headers) : null;
  // Nothing is done that would have to be done once; a malformed key is told all the same.
  const key = call.dryRun ? null : named;
  const bytes = await readBody(request, route);
  const caller = admitAgain(service, route.access, call, request, token);
  const kept = key === null ? null : await beginOnce(service, call, caller, key, bytes);
  if (kept) return { kept };
  const body = parseJson(bytes, route);
  if (route.rules === "rest") checkRestBody(body, caller.kind === "api_key");
  return { kept, body };
};
