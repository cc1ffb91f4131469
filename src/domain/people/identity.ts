import type { Instant } from "../base/instant.ts";
import { cutText } from "../base/text.ts";

/** Who a person is according to an OpenID provider, identified by issuer and subject alone. */
export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly accountId: number;
  /** What the provider calls them, for display only. */
  readonly label: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
};

/** How many identities one account may be linked to. */
export const MAX_IDENTITIES = 20;

const LABEL_CLAIMS = ["preferred_username", "email", "name"] as const;
const LONGEST = 200;

/**
 * Returns what pages call an identity: the provider's user name, e-mail or name for it, otherwise
 * its subject. It is for display only, because people change their e-mails and can claim other
 * people's.
 */
export const identityLabel = (claims: Readonly<Record<string, unknown>>, subject: string): string =>
  [...LABEL_CLAIMS.map((name) => claims[name]), subject]
    .filter((claim): claim is string => typeof claim === "string")
    .map((claim) => cutText(claim.replaceAll(/\p{C}/gu, "").trim(), LONGEST).toWellFormed())
    .find((claim) => claim !== "") ?? "?";

/**
 * For each of these three forms, the browser hands the address only to the extension whose id it
 * contains.
 */
const SHAPES: readonly RegExp[] = [
  // `chrome.identity`: Chrome, Edge and other Chromium browsers.
  /^https:\/\/([a-p]{32})\.chromiumapp\.org\/[\w.~/-]{0,200}$/,
  // `browser.identity`: Firefox, with a hash of the add-on's id.
  /^https:\/\/([0-9a-f]{40})\.extensions\.allizom\.org\/[\w.~/-]{0,200}$/,
  // Firefox's other form, for servers that accept only addresses of this machine.
  /^http:\/\/127\.0\.0\.1\/mozoauth2\/([0-9a-f]{40})$/,
];

/**
 * Returns the id of the extension that an address leads back to. Null if it has none of the forms
 * that browsers reserve for extensions, or if a browser would rewrite it (`/a/../b`).
 */
export const extensionIdOf = (uri: string): string | null => {
  const id = SHAPES.map((shape) => shape.exec(uri)?.[1]).find((found) => found !== undefined);
  return id !== undefined && URL.parse(uri)?.href === uri ? id : null;
};

/**
 * The ids of Docket's own extension: the one that the key in its manifest gives it in Chrome, and the hash of its id in
 * Firefox.
 */
const OWN = ["dcgnibpkcoiddldikgfmmjoahjpkjphp", "2cc89edaf7f96cb64947abfd1c1723f2c2e2371d"];

/** Whether an address leads back to Docket's own extension. The browser gives its id to no other one. */
export const isOwnExtension = (uri: string): boolean => OWN.includes(extensionIdOf(uri) ?? "");

/**
 * Whether an extension may be sent back to an address: one that the settings list, compared
 * character by character (OWASP ASVS 5.0, 10.4.1), or one that a browser reserves for extensions.
 */
export const isRedirect = (uri: string, listed: readonly string[]): boolean =>
  listed.includes(uri) || extensionIdOf(uri) !== null;

/**
 * Adds an answer to the address's query. What the query already holds stays as it is (RFC 6749,
 * 3.1.2).
 */
export const redirectWith = (uri: string, answer: Readonly<Record<string, string>>): string =>
  `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(answer)}`;
