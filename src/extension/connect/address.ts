/** A server's origin as people type it, or why it is none. */
export type Address =
  | { readonly kind: "good"; readonly server: string }
  | { readonly kind: "bad"; readonly problem: string };

/** Paths of a Docket server. People copy such addresses from their browser or their account page. */
const DOCKETS_OWN =
  /^\/(account|api|docs|healthz|llms\.txt|mcp|oauth|openapi\.json|readyz|setup|sign-in|tasks|\.well-known)(\/|$)/;

/**
 * Reads what someone typed as their server's address: `docket.example.org`, `http://nas:3625`, or the base address of
 * the API. Without a scheme, a computer of the same network is asked over http, any other over https.
 */
export const readAddress = (typed: string): Address => {
  const text = tidied(typed);
  if (text === "") return bad("Enter the address of your Docket server.");
  if (/\s/.test(text)) return bad("Leave out the spaces. An address has none.");
  if (/^[0-9a-f]*(:[0-9a-f]*){2,}$/i.test(text))
    return bad("Put the IPv6 address in brackets, such as http://[::1]:3625.");
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text)}${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || hostOf(url) === "")
    return bad("This is not a web address. It looks like https://docket.example.org.");
  if (url.username !== "" || url.password !== "")
    return bad("Leave out the user name and password. You sign in afterwards.");
  const path = url.pathname.replace(/\/+$/, "");
  if (path !== "" && !DOCKETS_OWN.test(path))
    return bad(`Enter the address without “${path}”. Docket is at the root of its server.`);
  url.hostname = hostOf(url);
  return { kind: "good", server: url.origin };
};

/** Returns what was meant by a typed or copied address, as far as nothing else can be. */
const tidied = (typed: string): string =>
  typed
    // Full-width letters of an input method, and characters that nobody sees.
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replace(/^["'“”‘’<(]+/, "")
    .replace(/[\s"'“”‘’>),;]+$/, "")
    .replaceAll(/\s*([:/\\.])\s*/g, "$1")
    .replaceAll("\\", "/")
    .replace(/^(https?)(:\/*(?=[a-z[])|:?\/+)/i, "$1://");

/** A final dot names the same computer, but not the same origin. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/\.+$/, "");

const bad = (problem: string): Address => ({ kind: "bad", problem });

/** Names without a dot, private addresses, and `.local` names have no certificate that browsers trust. */
const schemeFor = (text: string): string => {
  const url = URL.parse(`http://${text}`);
  return isNear(url === null ? "" : hostOf(url)) ? "http://" : "https://";
};

const NEAR = /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|\.(local|lan|home\.arpa)$/;

const isNear = (host: string): boolean =>
  !host.includes(".") || host.startsWith("[") || NEAR.test(host);

/** The pattern by which browsers grant a host. It has no port. */
export const patternOf = (server: string): string => {
  const { protocol, hostname } = new URL(server);
  return `${protocol}//${hostname}/*`;
};
