import { ipVersion } from "../domain/base/ip.ts";
import { isLoopback } from "../domain/base/usage.ts";
import type { Settings } from "./service.ts";
import { Refusal } from "../domain/base/refusal.ts";

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
export const householdOf = (address: string): string => {
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
