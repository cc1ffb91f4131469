import { asksForSignIn } from "../../client/sync/ask.ts";
import { isObject, textField } from "../../domain/base/payload.ts";

/** A sign-in failed. `message` is a sentence for people. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
}

const CLIENT = { client_id: "docket-extension" };

export type Grant = Readonly<Record<string, string>>;
export type Session = {
  readonly token: string;
  readonly account: { readonly id: string; readonly email: string };
};

/** Exchanges a code for a session, and asks whose it is. Rejects with `NotSignedIn`. */
export const redeem = async (server: string, grant: Grant): Promise<Session> => {
  const reply = await ask(`${server}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ ...CLIENT, ...grant }),
  });
  const token = textField(reply, "access_token");
  if (token === null) throw new NotSignedIn(NOT_DOCKET);
  const me = await ask(`${server}/api/public/v1/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const id = textField(me, "id");
  if (id === null) throw new NotSignedIn(NOT_DOCKET);
  return { token, account: { id, email: textField(me, "email") ?? "" } };
};

/** In ms. A server that takes longer to end a session counts as one that cannot be reached. */
const LONGEST = 10_000;

/** Ends a session on the server. Returns whether the server could be reached. */
export const revoke = async (server: string, token: string): Promise<boolean> => {
  const body = new URLSearchParams({ ...CLIENT, token });
  const signal = AbortSignal.timeout(LONGEST);
  return ask(`${server}/oauth/revoke`, { method: "POST", body, signal }).then(
    () => true,
    () => false,
  );
};

const NOT_DOCKET =
  "The server's answer is not one of Docket's. Check the address and any proxy, then try again.";

const atProxy = (origin: string): string =>
  `A proxy in front of ${origin} asks for a sign-in of its own. Let Docket's paths pass without it, /oauth/ among them.`;

/** A code or token is meant for one server: it goes along with no redirect. */
const ALONE = { credentials: "omit", cache: "no-store", redirect: "manual" } as const;

const ask = async (url: string, init: RequestInit): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(url, { ...init, ...ALONE }).catch(() => null);
  const { origin } = new URL(url);
  if (response === null) throw new NotSignedIn(`${origin} cannot be reached. Test the connection.`);
  if (response.type === "opaqueredirect")
    throw new NotSignedIn(`${origin} leads to another address. Enter that one, then sign in.`);
  const reply: unknown = await response.json().catch(() => null);
  if (!isObject(reply))
    throw new NotSignedIn(asksForSignIn(response) ? atProxy(origin) : NOT_DOCKET);
  if (response.ok) return reply;
  const said = textField(reply, "error_description") ?? textField(reply, "error");
  throw new NotSignedIn(said ?? `The server answered with an error (${response.status}).`);
};

/** Returns 256 random bits as base64url text, for `state` and for the PKCE verifier (RFC 7636). */
export const randomText = (): string => urlText(crypto.getRandomValues(new Uint8Array(32)));

/** Returns the S256 challenge of a PKCE verifier (RFC 7636, 4.2). */
export const challengeOf = async (verifier: string): Promise<string> =>
  urlText(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );

const urlText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
