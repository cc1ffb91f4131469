import { ipVersion } from "../domain/base/ip.ts";
import type { Settings } from "./service.ts";

/** By which address a visitor reaches the server. */
export type Origin = {
  /** As browsers write it: scheme, host, and a port that is not the scheme's own. */
  readonly href: string;
  readonly hostname: string;
  readonly port: string;
  /** Whether it is https. */
  readonly secure: boolean;
};

/**
 * The origin of a request whose `Host` was accepted. The scheme is the server's own, the public
 * address's for its host, or what a trusted proxy says; a stranger's `X-Forwarded-*` counts for nothing.
 */
export const originOf = (request: Request, peer: string, settings: Settings): Origin => {
  const host = request.headers.get("host") ?? "localhost";
  const url = new URL(`${schemeOf(request, peer, host, settings)}//${host}`);
  const { origin, hostname, port, protocol } = url;
  return { href: origin, hostname, port, secure: protocol === "https:" };
};

const schemeOf = (
  request: Request,
  peer: string,
  host: string,
  { https, publicUrl, isProxy }: Settings,
): string => {
  if (https) return "https:";
  // As a URL, so that case and a port that goes without saying make no difference.
  if (publicUrl && new URL(`${publicUrl.protocol}//${host}`).host === publicUrl.host)
    return publicUrl.protocol;
  const forwarded = request.headers.get("x-forwarded-proto")?.trim().toLowerCase();
  return forwarded === "https" && isProxy(peer) ? "https:" : "http:";
};

/** The server's name as an OAuth issuer (RFC 8414): the public address, else the one that was called. */
export const issuerOf = (origin: Origin, { publicUrl }: Settings): string =>
  publicUrl?.origin ?? origin.href;

/**
 * The network address of whoever asks: the connection's, or, where that is a trusted proxy's, the last
 * one in `X-Forwarded-For` that is not. What stands before it, anyone could have written.
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
 * An IPv4 address that came by IPv6 is the same one. Some proxies write the port beside it, which is
 * another for each connection and would make another address of each.
 */
const plainAddress = (written: string): string =>
  written
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");

/** Whoever has one IPv6 address has at least a whole /64 of them. */
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
