import { isObject, textField } from "../../domain/base/payload.ts";
import { mayReach } from "./permission.ts";
import { failureOf } from "./failure.ts";

/** What the connection test found. */
export type Check =
  | { readonly kind: "good" }
  | { readonly kind: "no-permission" | "no-server" | "not-docket" | "wrong-certificate" }
  /** The address leads to another one, if the browser says to which. */
  | { readonly kind: "elsewhere"; readonly to: string | null }
  /** Docket is there, and its owner has not allowed it to answer to this name. */
  | { readonly kind: "unknown-name" }
  /** Docket is there, but does not accept this browser's session. */
  | { readonly kind: "wrong-token" };

/** In ms. A server that is asleep may take some seconds. */
const LONGEST = 15_000;

/** Asks a server whether it is Docket, and whether it accepts the token, if there is one. Never rejects. */
export const checkServer = async (server: string, token: string | null): Promise<Check> => {
  if (!(await mayReach(server))) return { kind: "no-permission" };
  const watching = failureOf(server);
  try {
    const health = await answerOf(`${server}/healthz`, {});
    if (health === null) return { kind: await watching.reason() };
    if (health.isRedirect) return { kind: "elsewhere", to: await whereTo(server) };
    if (health.status === 421 && errorIn(health) !== null) return { kind: "unknown-name" };
    if (health.status !== 200 || !isObject(health.json) || health.json["status"] !== "ok")
      return { kind: "not-docket" };
    return await checkApi(server, token);
  } finally {
    watching.end();
  }
};

/** Many programs answer at `/healthz`. Only Docket answers like this at the second address. */
const checkApi = async (server: string, token: string | null): Promise<Check> => {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const me = await answerOf(`${server}/api/public/v1/me`, headers);
  if (me === null) return { kind: "no-server" };
  if (me.isRedirect) return { kind: "elsewhere", to: null };
  if (me.status === 401 && errorIn(me) !== null)
    return { kind: token === null ? "good" : "wrong-token" };
  const isDocket = me.status === 200 && isObject(me.json) && typeof me.json["email"] === "string";
  return { kind: isDocket ? "good" : "not-docket" };
};

type Answer = { readonly status: number; readonly json: unknown; readonly isRedirect: boolean };

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
    const text = await response.text();
    const isRedirect = response.type === "opaqueredirect";
    return { status: response.status, json: jsonIn(text), isRedirect };
  } catch {
    return null;
  }
};

/** Returns the origin that an address leads to, asked without any token; null if that fails. */
const whereTo = async (server: string): Promise<string | null> => {
  const signal = AbortSignal.timeout(LONGEST);
  const response = await fetch(`${server}/healthz`, { ...PLAIN, signal }).catch(() => null);
  const origin = response && new URL(response.url).origin;
  return origin === server ? null : origin;
};

const PLAIN = { credentials: "omit", cache: "no-store" } as const;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
