import { invalid, Refusal } from "../../domain/base/refusal.ts";
import { secretKind, withoutSecrets } from "../../domain/base/secret.ts";
import type { Call, Match, Answered } from "../call.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import { finish, isOpenToOrigins } from "../respond.ts";
import type { Service } from "../service.ts";
import type { Log } from "../log.ts";
import { addressOf, householdOf } from "../origin.ts";
import type { Sender } from "./body.ts";
import { say } from "../../domain/base/message.ts";

/**
 * Refuses DELETE and PUT on every path, known or not (405). Checked first: nothing can be deleted through this API.
 */
export const refuseDeletion = (method: string, match: Match | null): void => {
  if (method !== "DELETE" && method !== "PUT") return;
  throw new Refusal(
    "wrong_method",
    `${method} is not allowed on any path. Nothing can be deleted or replaced through this API.`,
    { allow: allowedMethods(match) },
  );
};

/**
 * Returns the endpoint at a path. Refuses an unknown path (404) and a method that the path does not allow (405). HEAD
 * is allowed wherever GET is.
 */
export const checkEndpoint = (method: string, path: string, match: Match | null): Match => {
  if (!match) throw new Refusal("not_found", `There is nothing at ${shortened(path)}.`);
  if (match.methods.has(method === "HEAD" ? "GET" : method)) return match;
  const allow = allowedMethods(match);
  throw new Refusal(
    "wrong_method",
    `${method} is not allowed on this path. Use one of: ${allow}.`,
    { allow },
  );
};

/** The value of the `Allow` header. Every path answers OPTIONS, so it is never empty (RFC 9110, section 15.5.6). */
const allowedMethods = (match: Match | null): string => {
  const methods = [...(match?.methods ?? [])];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
};

/** A path as an error message may repeat it: without credentials, at most 100 characters. */
const shortened = (path: string): string => shortenedTo(withoutSecrets(path), 100);

/** Answers OPTIONS with 204 on every path, known or not, with the CORS headers where other origins may call. */
export const answerOptions = (service: Service, call: Call, match: Match | null): Answered =>
  finish(service, call, 204, {
    body: "",
    headers: { allow: allowedMethods(match), ...(isOpenToOrigins(call.path) ? PREFLIGHT : {}) },
  });

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
  "access-control-allow-headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id",
  "access-control-max-age": "86400",
};

/** Returns whose share of the memory for bodies a call takes. */
export const senderOf = (
  { settings, log }: Pick<Service, "log" | "settings">,
  { request, peer }: Call,
  accountId: number | null,
): Sender => {
  if (accountId !== null) return { accountId };
  const address = addressOf(request, peer(), settings);
  if (request.headers.has("x-forwarded-for") && !settings.isProxy(peer()))
    reportProxy(log, address);
  return { network: householdOf(address) };
};

/** Once for each log: anyone can send the header. */
const reportProxy = (log: Log, address: string): void => {
  if (reported.has(log)) return;
  reported.add(log);
  log.warn(
    "visitors who come through this address count as one, so they share its limits: if it is your proxy, set --trusted-proxies (DOCKET_TRUSTED_PROXIES) to it",
    { address },
  );
};

const reported = new WeakSet<Log>();

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

/**
 * Returns whether a request has `?dry_run=true`. Refuses any value but `true` and `false`, and `true` where dry runs
 * are not supported (422): if it were ignored, the change would be made.
 */
export const asksDryRun = ({ url }: Request, heeds: boolean): boolean => {
  const [asked = "false", ...more] = new URL(url).searchParams.getAll("dry_run");
  if (more.length > 0 || !/^(true|false)$/.test(asked))
    throw invalid(say`${{ parameter: "dry_run" }} must be true or false.`);
  if (asked === "true" && !heeds)
    throw invalid("This call does not support dry_run. Leave it out. Nothing was changed.");
  return asked === "true";
};
