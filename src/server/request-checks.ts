import { authenticate } from "../db/people/credentials.ts";
import { ipVersion } from "../domain/base/ip.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { secretKind, withoutSecrets } from "../domain/base/secret.ts";
import type { Call } from "./call.ts";
import { type Answered, finish, refuse } from "./finish.ts";
import type { Match } from "./match.ts";
import { isOpenToOrigins, PREFLIGHT } from "./respond.ts";
import type { Service } from "./service.ts";

/**
 * What is settled before anyone is asked who they are (DESIGN, section 5, steps 2 to 5): DELETE and
 * PUT, the host, OPTIONS, unknown paths and wrong methods. `found` is what stands at the path. Null lets the call in.
 */
export const checkRequest = (
  service: Service,
  found: Match | null,
  request: Request,
  call: Call,
): Answered | null => {
  if (found) call.routeName = found.name;
  const refusal = earlyRefusal(service, found, request, call);
  if (refusal) return refuseEarly(service, request, call, refusal);
  if (request.method === "OPTIONS") return preflight(service, call, found);
  call.pathId = found?.id ?? null;
  return null;
};

const earlyRefusal = (
  service: Service,
  found: Match | null,
  { method, headers }: Request,
  call: Call,
): Refusal | null => {
  if (method === "DELETE" || method === "PUT")
    return new Refusal(
      "wrong_method",
      `${method} is not allowed anywhere: nothing can be deleted or replaced here.`,
      { allow: allowed(found) },
    );
  if (!isOurHost(headers.get("host"), service.settings.hosts))
    return new Refusal(
      "wrong_host",
      "This server is not known by that name: call it by localhost or its IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
    );
  if (method === "OPTIONS") return null;
  if (!found) return new Refusal("not_found", `There is nothing at ${shown(call.path)}.`);
  if (found.methods.has(method === "HEAD" ? "GET" : method)) return null;
  const allow = allowed(found);
  return new Refusal("wrong_method", `${method} is not allowed here; allowed: ${allow}.`, {
    allow,
  });
};

/** Every path answers OPTIONS, so the field is never empty (RFC 9110, 15.5.6). */
const allowed = (found: Match | null): string => {
  const methods = [...(found?.methods ?? [])];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
};

const preflight = (service: Service, call: Call, found: Match | null): Answered =>
  finish(service, call, 204, {
    body: "",
    headers: { allow: allowed(found), ...(isOpenToOrigins(call.path) ? PREFLIGHT : {}) },
  });

const shown = (path: string): string => {
  const text = withoutSecrets(path);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

/**
 * Whether the request was meant for this server. A page of another site can point a name of its own
 * at this address (DNS rebinding), but then it must send that name; an IP address it cannot own.
 */
const isOurHost = (host: string | null, known: ReadonlySet<string>): boolean => {
  const [, bracketed, plain, port = ""] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]@/\s,]+))(?::(\d{1,5}))?$/.exec(host ?? "") ?? [];
  if (Number(port) > 65_535) return false;
  if (bracketed !== undefined) return ipVersion(bracketed) === 6;
  const name = plain?.toLowerCase() ?? "";
  return name === "localhost" || ipVersion(name) === 4 || known.has(name);
};

/** A key's calls are listed even when they end here: a refused delete is what its owner wants to see. */
const refuseEarly = (
  service: Service,
  request: Request,
  call: Call,
  refusal: Refusal,
): Answered => {
  const token = tokenOf(request.headers.get("authorization"));
  if (token !== null && secretKind(token) === "live") {
    call.caller = authenticate(service.store, token, call.now);
    if (call.caller) call.quotas = service.limiter.peek(call.caller.id);
  }
  return refuse(service, call, refusal, refusal);
};

/**
 * The token of an `Authorization` field: scheme in any case, one token. Two fields arrive as one with
 * a comma, and are nobody's.
 */
export const tokenOf = (authorization: string | null | undefined): string | null =>
  /^bearer[ \t]+([^\s,]{1,4096})$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
