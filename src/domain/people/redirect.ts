/** Of these three, each browser hands the address to the one extension whose id it holds. */
const SHAPES: readonly RegExp[] = [
  // `chrome.identity`: Chrome, Edge and their like.
  /^https:\/\/([a-p]{32})\.chromiumapp\.org\/[\w.~/-]{0,200}$/,
  // `browser.identity`: Firefox, with a hash of the add-on's id.
  /^https:\/\/([0-9a-f]{40})\.extensions\.allizom\.org\/[\w.~/-]{0,200}$/,
  // Firefox's other form, for servers that take no address but this machine's.
  /^http:\/\/127\.0\.0\.1\/mozoauth2\/([0-9a-f]{40})$/,
];

/**
 * The id of the extension that an address leads back to, null where the address is of no shape that
 * browsers keep for extensions. One that a browser would write otherwise (`/a/../b`) is of none.
 */
export const extensionIdOf = (uri: string): string | null => {
  const id = SHAPES.map((shape) => shape.exec(uri)?.[1]).find((found) => found !== undefined);
  return id !== undefined && URL.parse(uri)?.href === uri ? id : null;
};

/**
 * Whether an extension may be sent back to an address at all: to one that the server's settings list,
 * letter by letter (OWASP ASVS 5.0, 10.4.1), or to one that a browser keeps for extensions.
 */
export const isRedirect = (uri: string, listed: readonly string[]): boolean =>
  listed.includes(uri) || extensionIdOf(uri) !== null;

/** The address with an answer in its query. What it has there already stays as it is (RFC 6749, 3.1.2). */
export const redirectWith = (uri: string, answer: Readonly<Record<string, string>>): string =>
  `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(answer)}`;
