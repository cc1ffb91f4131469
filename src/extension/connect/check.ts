import { isObject, textField } from "../../domain/base/payload.ts";
import { asksForSignIn } from "../../client/sync/ask.ts";
import { mayReach } from "./connection.ts";
import { watchRequests, type Watching } from "./failure.ts";

/** What the connection test found. */
export type Check =
  | { readonly kind: "good" }
  | { readonly kind: "no-permission" | "not-docket" }
  | { readonly kind: "no-http" | "no-https" | "no-server" | "wrong-certificate" }
  /** The address leads to the same path of another one, as that of a server that has moved does. */
  | { readonly kind: "elsewhere"; readonly to: string }
  /** It leads to a page, as the sign-in of a proxy does; null if the browser does not say to which. */
  | { readonly kind: "to-a-page"; readonly at: string | null }
  /** A proxy in front of it asks for a sign-in of its own. */
  | { readonly kind: "proxy-asks" }
  /** There is a web page where Docket would have answered a program. */
  | { readonly kind: "web-page" }
  | { readonly kind: "error"; readonly status: number }
  /** Docket is there, and its owner has not allowed it to answer to this name. */
  | { readonly kind: "unknown-name" }
  /** Docket is there, but does not accept this browser's session. */
  | { readonly kind: "wrong-token" };

/** In ms. A server that is asleep may take some seconds. */
const LONGEST = 15_000;

/** Asks a server whether it is Docket, and whether it accepts the token, if there is one. Never rejects. */
export const checkServer = async (server: string, token: string | null): Promise<Check> =>
  (await mayReach(server)) ? checkDocket(server, token) : { kind: "no-permission" };

/** Where a server on the same computer is, unless its owner has chosen another port. */
const HERE = "http://localhost:3625";

/**
 * Returns the address of a Docket server on this computer; null if none answers there. It needs no permission: a server lets
 * every page read what it says to anyone.
 */
export const findServer = async (): Promise<string | null> =>
  (await checkDocket(HERE, null)).kind === "good" ? HERE : null;

const checkDocket = async (server: string, token: string | null): Promise<Check> => {
  const watching = watchRequests(server);
  try {
    const health = await answerOf(`${server}/healthz`, {});
    const other = await otherThanDocket(health, watching, server);
    if (other || health === null) return other ?? { kind: "no-server" };
    const { status } = health.response;
    if (status === 421 && errorIn(health) !== null) return { kind: "unknown-name" };
    if (status !== 200 || !isObject(health.json) || health.json["status"] !== "ok")
      return { kind: "not-docket" };
    return await checkApi(server, token, watching);
  } finally {
    watching.end();
  }
};

/** Many programs answer at `/healthz`. Only Docket answers like this at the second address. */
const checkApi = async (
  server: string,
  token: string | null,
  watching: Watching,
): Promise<Check> => {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const me = await answerOf(`${server}/api/public/v1/me`, headers);
  const other = await otherThanDocket(me, watching, server);
  if (other || me === null) return other ?? { kind: "no-server" };
  const { status } = me.response;
  if (status === 401 && errorIn(me) !== null)
    return { kind: token === null ? "good" : "wrong-token" };
  const isDocket = status === 200 && isObject(me.json) && typeof me.json["email"] === "string";
  return { kind: isDocket ? "good" : "not-docket" };
};

/** Returns what is in the way, if it is certain that Docket itself has not answered. */
const otherThanDocket = async (
  answer: Answer | null,
  watching: Watching,
  server: string,
): Promise<Check | null> => {
  if (answer === null) return { kind: await watching.reason() };
  const { url, response } = answer;
  const { status } = response;
  if (response.type === "opaqueredirect") return placeOf(await watching.leadsTo(), new URL(url));
  if (errorIn(answer) !== null) return null;
  if (asksForSignIn(response)) return { kind: status === 200 ? "web-page" : "proxy-asks" };
  // Servers for https, such as Caddy and nginx, answer so when somebody speaks http to them.
  if (status === 400 && server.startsWith("http:")) return { kind: "no-http" };
  return status >= 500 ? { kind: "error", status } : null;
};

/** A server that has moved leads to the same path at its new address, or to the first page there. */
const placeOf = (target: URL | null, asked: URL): Check => {
  if (target === null) return { kind: "to-a-page", at: null };
  const { origin, pathname } = target;
  const isMoved = origin !== asked.origin && [asked.pathname, "/"].includes(pathname);
  return isMoved
    ? { kind: "elsewhere", to: origin }
    : { kind: "to-a-page", at: `${origin}${pathname}` };
};

type Answer = { readonly url: string; readonly response: Response; readonly json: unknown };

/** What the API says about a failure; null if it is no answer of the API's. */
const errorIn = ({ json }: Answer): string | null =>
  isObject(json) ? textField(json, "error") : null;

/** Returns null if nothing answers. */
const answerOf = async (
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer | null> => {
  try {
    const signal = AbortSignal.timeout(LONGEST);
    // The token is meant for this one server.
    const response = await fetch(url, { ...PLAIN, headers, signal, redirect: "manual" });
    return { url, response, json: jsonIn(await response.text()) };
  } catch {
    return null;
  }
};

const PLAIN = { credentials: "omit", cache: "no-store" } as const;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
