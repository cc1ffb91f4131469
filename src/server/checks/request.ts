import { ipVersion } from "../../domain/base/ip.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import type { Service, Settings } from "../service.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import { secretKind, withoutSecrets } from "../../domain/base/secret.ts";
import type { Call, Match } from "../call.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import type { Log } from "../log.ts";
import type { Sender } from "./body.ts";
import { say } from "../../domain/base/message.ts";

/** The address at which a client reaches the server. */
export type Origin = {
  /** As browsers write it: scheme, host, and the port if it is not the scheme's default. */
  readonly href: string;
  readonly hostname: string;
  readonly port: string;
  /** Whether the scheme is https. */
  readonly secure: boolean;
};

/**
 * Returns the origin of a request whose `Host` has been accepted. The scheme is https if the server itself uses TLS.
 * Otherwise it is the public URL's, if the host matches that, or what a trusted proxy says. `X-Forwarded-*` headers
 * from anyone else are ignored.
 */
export const originOf = (request: Request, peer: string, settings: Settings): Origin => {
  const host = hostOf(request.headers) || "localhost";
  const url = new URL(`${schemeOf(request, peer, host, settings)}//${host}`);
  const { origin, hostname, port, protocol } = url;
  return { href: origin, hostname, port, secure: protocol === "https:" };
};

/**
 * Whether the reply should tell the browser to use only https from now on (HSTS). Not for this machine's own names: that
 * would apply to everything else served there. Most requests are answered without a look at their address.
 */
export const keepsHttps = (
  request: Request,
  peer: () => string,
  settings: Pick<Settings, "https" | "isProxy" | "publicUrl">,
): boolean => {
  const { https, publicUrl } = settings;
  const { headers } = request;
  if (!https && publicUrl?.protocol !== "https:" && !headers.has("x-forwarded-proto")) return false;
  const host = hostOf(headers);
  const url = URL.parse(`https://${host}`);
  if (url === null || isLoopback(url.hostname)) return false;
  return schemeOf(request, peer(), host, settings) === "https:";
};

/** The `Host` header as a URL can have it: without the zone of an IPv6 address. Empty if there is none. */
const hostOf = (headers: Headers): string =>
  (headers.get("host") ?? "").replace(/%[^\]]*(?=\])/, "");

const schemeOf = (
  request: Request,
  peer: string,
  host: string,
  { https, publicUrl, isProxy }: Pick<Settings, "https" | "isProxy" | "publicUrl">,
): string => {
  if (https) return "https:";
  // Compared as a URL, so that case and a default port make no difference. Nor does the final dot of a full name.
  const called = publicUrl && new URL(`${publicUrl.protocol}//${host}`).host;
  if (publicUrl && called?.replace(/\.(?=:|$)/, "") === publicUrl.host) return publicUrl.protocol;
  const forwarded = request.headers.get("x-forwarded-proto")?.trim().toLowerCase();
  return forwarded === "https" && isProxy(peer) ? "https:" : "http:";
};

/** Returns the server's name as an OAuth issuer (RFC 8414): the public URL, or the address that was called. */
export const issuerOf = (origin: Origin, { publicUrl }: Settings): string =>
  publicUrl?.origin ?? origin.href;

/**
 * Returns the client's IP address. If the connection comes from a trusted proxy, that is the last address in
 * `X-Forwarded-For` that is not a proxy's. Addresses before it could have been made up by anyone.
 */
export const addressOf = (request: Request, peer: string, { isProxy }: Settings): string => {
  const hops = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  let address = plainAddress(peer);
  while (isProxy(address)) {
    const hop = plainAddress(hops.pop() ?? "");
    if (ipVersion(hop) === null) break;
    address = hop;
  }
  return address;
};

/**
 * Returns an IPv4-mapped IPv6 address as plain IPv4, so that both count as one. Removes the port that some proxies
 * add, which differs for each connection.
 */
const plainAddress = (written: string): string =>
  written
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");

/**
 * Returns the /64 network of an IPv6 address, because anyone who has one address has at least the whole /64. An IPv4
 * address is returned unchanged.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(":")) return address;
  const [start = "", end] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const head = start.split(":").filter(Boolean);
  const tail = (end ?? "").split(":").filter(Boolean);
  const gap = end === undefined ? 0 : Math.max(8 - head.length - tail.length, 0);
  const groups = [...head, ...Array.from({ length: gap }, () => "0"), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
};

/**
 * Returns the /56 network of an IPv6 address, which is what a provider gives to one household, and an IPv4 address
 * unchanged.
 */
const householdOf = (address: string): string => {
  const [first, second, third, fourth] = networkOf(address).split(":");
  if (fourth === undefined) return address;
  return [first, second, third, fourth.padStart(4, "0").slice(0, 2)].join(":");
};

/**
 * Refuses a request for a host name that is not this server's (421). With DNS rebinding, a page of another site can
 * point its own name at this address, but the browser then sends that name. It cannot do this with an IP address or
 * `localhost`.
 */
export const checkHost = (headers: Headers, known: ReadonlySet<string>): void => {
  if (isOurHost(headers.get("host"), known)) return;
  throw new Refusal(
    "wrong_host",
    "This server does not answer to that host name. Use localhost or the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
  );
};

const isOurHost = (host: string | null, known: ReadonlySet<string>): boolean => {
  const [, bracketed, plain, port = ""] = HOST.exec(host ?? "") ?? [];
  if (Number(port) > 65_535) return false;
  if (bracketed !== undefined) return ipVersion(bracketed) === 6;
  const name = plain?.toLowerCase() ?? "";
  return name === "localhost" || ipVersion(name) === 4 || known.has(name);
};

/** An IPv6 address, with or without a zone, or a name, with or without the final dot of a full one; and a port. */
const HOST = /^(?:\[([0-9a-fA-F:.]+)(?:%[\w.~-]+)?\]|([^:[\]@/\s,]+?)\.?)(?::(\d{1,5}))?$/;

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

/**
 * Whether a person opened an address in a browser, and it is none of the addresses for programs: they get a page where a
 * program gets JSON.
 */
export const isForPerson = ({ request, method, path }: Call): boolean =>
  (method === "GET" || method === "HEAD") &&
  (request.headers.get("accept") ?? "").includes("text/html") &&
  !/^\/(?:api|mcp|oauth|\.well-known)(?:\/|$)/.test(path);

/** The value of the `Allow` header. Every path answers OPTIONS, so it is never empty (RFC 9110, section 15.5.6). */
export const allowedMethods = (match: Match | null): string => {
  const methods = [...(match?.methods ?? [])];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
};

/** A path as an error message may repeat it: without credentials, at most 100 characters. */
const shortened = (path: string): string => shortenedTo(withoutSecrets(path), 100);

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
