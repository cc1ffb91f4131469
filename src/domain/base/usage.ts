import { ipVersion } from "./ip.ts";

// Strict readers for what people write in settings and flags. Each error says what was expected.

/**
 * A setting that cannot be used, or a command with wrong arguments. The message says what to do.
 */
export class UsageError extends Error {}

/**
 * Reads a whole number from `least` to `most`, at most six digits. Throws `UsageError` for anything
 * else.
 */
export const wholeNumber = (name: string, text: string, least: number, most: number): number => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
};

/** Returns the one of `words` that `text` is. Throws `UsageError` for anything else. */
export const oneOf = <const Word extends string>(
  name: string,
  text: string,
  words: readonly Word[],
): Word => {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new UsageError(`${name} must be ${words.join(" or ")}, not "${text}".`);
};

/** Reads an http or https URL; undefined becomes null. Throws `UsageError` for anything else. */
export const webAddress = (name: string, text: string | undefined): URL | null => {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${name} must be an http:// or https:// address, not "${text}".`);
};

/** Splits text at commas, trims the parts and drops empty ones. */
export const list = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/**
 * Returns a test for whether an address lies in one of the networks. Each network is an IP address
 * or `ADDRESS/BITS`; anything else throws `UsageError`.
 */
export const networks = (parts: readonly string[]): ((address: string) => boolean) => {
  if (parts.length === 0) return () => false;
  // Only servers behind proxies load this.
  const known = new (process.getBuiltinModule("node:net").BlockList)();
  for (const part of parts) {
    const [address = "", bits, ...rest] = part.split("/");
    const family = ipVersion(address) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    const width = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (ipVersion(address) === null || !(width <= most) || rest.length > 0)
      throw new UsageError(
        `trusted-proxies must be IP addresses, or networks such as 10.0.0.0/8, not "${part}".`,
      );
    known.addSubnet(address, width, family);
  }
  return (address) => known.check(address, ipVersion(address) === 6 ? "ipv6" : "ipv4");
};

/**
 * Returns `text` if it is an http or https URL in its normal form, without a fragment. Throws
 * `UsageError` for anything else.
 */
export const redirectAddress = (text: string): string => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === text && !text.includes("#"))
    return text;
  throw new UsageError(
    `extension-redirects must be full addresses such as https://ID.chromiumapp.org/, not "${text}".`,
  );
};

/** Whether a host name or address refers to this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
