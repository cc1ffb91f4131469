import { ipVersion } from "./ip.ts";

// What people write in settings and flags, read strictly: each reader says what it wanted.

/** A setting that cannot be used, or a command that was called wrongly; the message says what to do. */
export class UsageError extends Error {}

export const wholeNumber = (name: string, text: string, least: number, most: number): number => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
};

export const oneOf = <const Word extends string>(
  name: string,
  text: string,
  words: readonly Word[],
): Word => {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new UsageError(`${name} must be ${words.join(" or ")}, not "${text}".`);
};

export const webAddress = (name: string, text: string | undefined): URL | null => {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${name} must be an http:// or https:// address, not "${text}".`);
};

export const list = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Tells whether an address lies in one of the networks, each an IP address or `ADDRESS/BITS`. */
export const networks = (parts: readonly string[]): ((address: string) => boolean) => {
  if (parts.length === 0) return () => false;
  // Loaded by those alone who have proxies.
  const known = new (process.getBuiltinModule("node:net").BlockList)();
  for (const part of parts) {
    const [address = "", bits, ...rest] = part.split("/");
    const family = ipVersion(address) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    const width = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (ipVersion(address) === null || !(width <= most) || rest.length > 0)
      throw new UsageError(
        `trusted-proxies must be IP addresses or networks as 10.0.0.0/8, not "${part}".`,
      );
    known.addSubnet(address, width, family);
  }
  return (address) => known.check(address, ipVersion(address) === 6 ? "ipv6" : "ipv4");
};

export const redirectAddress = (text: string): string => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === text && !text.includes("#"))
    return text;
  throw new UsageError(
    `extension-redirects must be addresses as https://ID.chromiumapp.org/, written out in full, not "${text}".`,
  );
};

/** Whether a host name or address means this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
