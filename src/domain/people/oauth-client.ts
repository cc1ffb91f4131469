import { isObject } from "../base/payload.ts";
import { cutText } from "../base/text.ts";
import type { Scope } from "./api-key.ts";
import { isName } from "./api-key.ts";
import { oauthRefusal } from "./grant.ts";
import { isRepeated, type OAuthError, once } from "./oauth.ts";

// Programs that speak MCP sign in by themselves. What they get is an API key, and never a session.

/** A program as it describes itself. Nobody has checked the name. */
export type OAuthClient = { readonly name: string; readonly redirects: readonly string[] };

/** The longest registration, in bytes. */
export const MAX_REGISTRATION = 2 * 1024;

const MAX_REDIRECTS = 10;
const NAMELESS = "MCP client";
const START = "mcp.";

/**
 * Reads a registration (RFC 7591, section 2). Members that are not used are ignored. Refused with an OAuth error if it has no
 * address that a program may be sent back to, or a name that cannot be shown.
 */
export const readRegistration = (sent: unknown): OAuthClient => {
  if (!isObject(sent)) throw oauthRefusal("invalid_client_metadata", "Send a JSON object.");
  const { client_name: name = NAMELESS, redirect_uris: redirects } = sent;
  if (typeof name !== "string" || !isName(name))
    throw oauthRefusal(
      "invalid_client_metadata",
      "client_name must be 1 to 100 printable characters.",
    );
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    throw oauthRefusal(
      "invalid_redirect_uri",
      `redirect_uris must be 1 to ${MAX_REDIRECTS} addresses.`,
    );
  const wrong: unknown = redirects.find((uri) => !isClientRedirect(uri));
  if (wrong !== undefined)
    throw oauthRefusal(
      "invalid_redirect_uri",
      `Nobody can be sent back to ${cutText(JSON.stringify(wrong), 200)}. Use https, or http on localhost, 127.0.0.1 or [::1], without a fragment and a password.`,
    );
  return { name, redirects: redirects as readonly string[] };
};

/**
 * Returns the id of a client. It says all that is known of the client, so nothing is stored, and everything is checked again
 * where it is used.
 */
export const clientIdOf = ({ name, redirects }: OAuthClient): string =>
  START + Buffer.from(JSON.stringify([name, ...redirects])).toString("base64url");

/** Whether an id is meant as one of a client that registered itself. */
export const isClientId = (id: string | null): id is string => id?.startsWith(START) ?? false;

/** Returns the client of an id; null if there can be none. */
const readClientId = (id: string): OAuthClient | null => {
  if (!isClientId(id) || id.length > 2 * MAX_REGISTRATION) return null;
  try {
    const read: unknown = JSON.parse(Buffer.from(id.slice(START.length), "base64url").toString());
    const [name, ...redirects] = Array.isArray(read) ? (read as readonly unknown[]) : [];
    const client = readRegistration({ client_name: name, redirect_uris: redirects });
    return clientIdOf(client) === id ? client : null;
  } catch {
    return null;
  }
};

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
/** Editors that open such an address themselves. */
const EDITORS = ["cursor:", "vscode:", "vscode-insiders:"];

/**
 * Whether a client may be sent back to an address: https, http on this machine (RFC 8252, section 7.3), or one that an
 * editor opens. An address that a browser would read in another way is none.
 */
const isClientRedirect = (uri: unknown): uri is string => {
  if (typeof uri !== "string" || uri.length > 500 || !/^[\x21-\x7e]+$/.test(uri)) return false;
  const url = URL.parse(uri);
  if (url === null || uri.includes("#") || uri.includes("\\")) return false;
  if (url.username !== "" || url.password !== "") return false;
  if (EDITORS.includes(url.protocol)) return /^[a-z-]+:\/\/[\w.-]+(?:[/?]|$)/.test(uri);
  if (url.protocol === "https:") return hostIn(uri) === url.host && url.hostname !== "";
  return url.protocol === "http:" && LOOPBACK.includes(url.hostname) && hostIn(uri) === url.host;
};

/** The host as it is written. */
const hostIn = (uri: string): string => /^https?:\/\/([^/?]*)/.exec(uri)?.[1] ?? "";

/** Whether a client named an address when it registered. On this machine the port may be another one (RFC 8252, section 7.3). */
const isRegistered = ({ redirects }: OAuthClient, uri: string): boolean => {
  const asked = withoutPort(uri);
  return redirects.some(
    (known) => known === uri || (asked !== null && withoutPort(known) === asked),
  );
};

/** An address on this machine without its port; null for any other. */
const withoutPort = (uri: string): string | null => {
  const url = URL.parse(uri);
  if (url?.protocol !== "http:" || !LOOPBACK.includes(url.hostname)) return null;
  url.port = "";
  return url.href;
};

/** Where a person is sent back to, in words that they can judge: the host, or null for a program on their computer. */
export const hostOfRedirect = (uri: string): string | null => {
  const url = new URL(uri);
  return url.protocol === "https:" ? url.host : null;
};

/** A checked request of a client to `/oauth/authorize`. */
export type ClientRequest = {
  readonly clientId: string;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly state: string | null;
  /** What it asks for. The person may allow less. */
  readonly scopes: readonly Scope[];
};

type Read =
  | { readonly kind: "good"; readonly request: ClientRequest }
  | { readonly kind: "unusable"; readonly problem: string }
  | {
      readonly kind: "wrong";
      readonly redirectUri: string;
      readonly state: string | null;
      readonly error: OAuthError;
    };

/**
 * Reads a request of a client that registered itself. The client and its address are checked first, as for the extension.
 * `resource` is the address of this server's MCP endpoint (RFC 8707): a request for another one is not for this server.
 */
export const readClientRequest = (sent: URLSearchParams, resource: string): Read => {
  const clientId = once(sent, "client_id") ?? "";
  const client = readClientId(clientId);
  const redirectUri = once(sent, "redirect_uri");
  if (client === null)
    return {
      kind: "unusable",
      problem: "The program that made this link is not registered here. Start again from it.",
    };
  if (redirectUri === null || !isClientRedirect(redirectUri) || !isRegistered(client, redirectUri))
    return {
      kind: "unusable",
      problem:
        "This link would return to an address that the program did not name before. Start again from the program.",
    };
  const state = once(sent, "state");
  const wrong = (error: string, error_description: string): Read => ({
    kind: "wrong",
    redirectUri,
    state,
    error: { error, error_description },
  });
  if (isRepeated(sent)) return wrong("invalid_request", "Send each parameter only once.");
  if ((state?.length ?? 0) > 512) return wrong("invalid_request", "state is too long.");
  if (once(sent, "response_type") !== "code")
    return wrong("unsupported_response_type", "response_type must be code.");
  const asked = once(sent, "resource");
  if (asked !== null && asked.replace(/\/$/, "") !== resource)
    return wrong("invalid_target", `resource must be ${resource}.`);
  const challenge = once(sent, "code_challenge");
  if (
    once(sent, "code_challenge_method") !== "S256" ||
    !/^[A-Za-z0-9_-]{43}$/.test(challenge ?? "")
  )
    return wrong("invalid_request", "code_challenge_method must be S256, with a code_challenge.");
  const scopes = scopesIn(once(sent, "scope") ?? "");
  const request = { clientId, client, redirectUri, challenge: challenge ?? "", state, scopes };
  return { kind: "good", request };
};

/** Others than ours are dropped. Without any, reading is meant. */
const scopesIn = (text: string): readonly Scope[] => {
  const words = text.split(" ");
  const known = (["read", "write"] as const).filter((scope) => words.includes(scope));
  return known.length === 0 ? ["read"] : known;
};

/** The request's parameters, for the form and for the way back from the sign-in. */
export const clientParameters = (request: ClientRequest): Readonly<Record<string, string>> => ({
  response_type: "code",
  client_id: request.clientId,
  redirect_uri: request.redirectUri,
  code_challenge: request.challenge,
  code_challenge_method: "S256",
  scope: request.scopes.join(" "),
  ...(request.state === null ? {} : { state: request.state }),
});
