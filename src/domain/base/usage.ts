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
    const [written = "", bits, ...rest] = part.split("/");
    const address = withoutBrackets(written);
    const family = ipVersion(address) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    const width = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    const isNobody = bits === undefined && /^(?:0\.0\.0\.0|::)$/.test(address);
    if (ipVersion(address) === null || !(width <= most) || rest.length > 0 || isNobody)
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
  const isExact = url?.href === text && text.startsWith(`${url.origin}/`);
  if (isExact && /^https?:$/.test(url.protocol) && !text.includes("#")) {
    hostName("extension-redirects", url.hostname);
    return text;
  }
  throw new UsageError(
    `extension-redirects must be full addresses such as https://ID.chromiumapp.org/, not "${text}".`,
  );
};

/**
 * Reads a host name or IP address that someone wrote in a setting. Returns it as browsers send it: in lower case,
 * international letters encoded (`xn--...`), an IPv6 address without brackets. Throws `UsageError` for what no `Host`
 * header can be, with the right form in the message.
 */
export const hostName = (setting: string, text: string): string => {
  const address = withoutBrackets(text);
  if (ipVersion(address) !== null) return address.toLowerCase();
  if (text.startsWith(".") || text.includes("*"))
    throw new UsageError(
      `${setting} takes no wildcards. Write each name in full, such as ${inFull(text)}, not "${text}".`,
    );
  const name = encoded(text);
  if (name !== null && isName(name) && !ADDRESS_SIGNS.test(text)) return name;
  throw new UsageError(
    `${setting} must be a host name or IP address alone, such as ${nameIn(text) ?? "nas.local"}, not "${text}".`,
  );
};

/** Returns `::1` for `[::1]`, and other text unchanged. */
const withoutBrackets = (text: string): string => text.replace(/^\[(.*)\]$/, "$1");

/** As of an http address: it would lose its port and path, and blanks at its ends, and have `%41` decoded. */
const encoded = (text: string): string | null => URL.parse(`http://${text}`)?.hostname ?? null;
const ADDRESS_SIGNS = /[\s/\\:@?#%]/;

/** By the rules of DNS, which allow no final dot here. Browsers read a name that ends in a number as an IPv4 address. */
const isName = (name: string): boolean =>
  name.length <= 253 &&
  name.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
  !/(?:^|\.)\d+$/.test(name);

/** Returns the host in an address, without its final dot, or null if there is none. */
const nameIn = (text: string): string | null => {
  const [start = ""] = text.trim().split(/\s/);
  const host = withoutBrackets(encoded(start.replace(/^\w+:\/\//, "")) ?? "").replace(/\.$/, "");
  const isAddress = ipVersion(host) !== null && text.includes(host);
  return isAddress || isName(host) ? host : null;
};

const inFull = (text: string): string => {
  const rest = nameIn(text.replace(/^[*.]+/, ""));
  return rest === null ? "docket.lan" : `docket.${rest}`;
};

/** Whether a host name or address refers to this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
