/** A server's origin as people type it, or why it is none. */
export type Address =
  | { readonly kind: "good"; readonly server: string }
  | { readonly kind: "bad"; readonly problem: string };

/** How every address of Docket's API ends. People copy it from their account page. */
const API = "/api/public/v1";

/**
 * Reads what someone typed as their server's address: `docket.example.org`, `http://nas:3625`, or the base address of
 * the API. Without a scheme, a computer of the same network is asked over http, any other over https.
 */
export const readAddress = (typed: string): Address => {
  const text = typed.trim();
  if (text === "") return bad("Enter the address of your Docket server.");
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text)}${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return bad("This is not a web address. It looks like https://docket.example.org.");
  if (url.username !== "" || url.password !== "")
    return bad("Leave out the user name and password. You sign in afterwards.");
  const path = url.pathname.replace(/\/+$/, "");
  if (path !== "" && path !== API && !/^\/(account|tasks|docs|sign-in)(\/|$)/.test(path))
    return bad(`Enter the address without “${path}”. Docket is at the root of its server.`);
  return { kind: "good", server: url.origin };
};

const bad = (problem: string): Address => ({ kind: "bad", problem });

/** Names without a dot, private addresses, and `.local` names have no certificate that browsers trust. */
const schemeFor = (text: string): string => {
  const host = URL.parse(`http://${text}`)?.hostname ?? "";
  return isNear(host) ? "http://" : "https://";
};

const NEAR = /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|\.(local|lan|home\.arpa)$/;

const isNear = (host: string): boolean =>
  !host.includes(".") || host.startsWith("[") || NEAR.test(host);

/** The pattern by which browsers grant a host. It has no port. */
export const patternOf = (server: string): string => {
  const { protocol, hostname } = new URL(server);
  return `${protocol}//${hostname}/*`;
};
