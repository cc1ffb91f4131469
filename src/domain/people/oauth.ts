import { isName } from "./api-key.ts";
import { isRedirect } from "./identity.ts";
import { cutText } from "../base/text.ts";

/** The only OAuth client. It is public: an extension cannot keep a secret. */
export const CLIENT_ID = "docket-extension";

/** A checked request to `/oauth/authorize` (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export type AuthorizationRequest = {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly state: string;
  /** The name suggested for the device. */
  readonly deviceName: string | null;
  /** Whether no page may be shown (`prompt=none`). */
  readonly silent: boolean;
};

/** Why a request is refused: OAuth's own code, and a sentence. */
export type OAuthError = { readonly error: string; readonly error_description: string };

/** A request with no safe address to reply to. The person is sent nowhere. */
type Unusable = { readonly kind: "unusable"; readonly problem: string };
/** A bad request whose error goes to its redirect address. */
type Wrong = {
  readonly kind: "wrong";
  readonly redirectUri: string;
  readonly state: string | null;
  readonly error: OAuthError;
};
type Good = { readonly kind: "good"; readonly request: AuthorizationRequest };

/**
 * Reads a request to sign an extension in. `listed` are the redirect addresses in the settings. The
 * client and the redirect are checked first: unless both are right, nothing is sent there, because
 * otherwise this page would send people wherever a link says (RFC 6749, 4.1.2.1).
 */
export const readAuthorization = (
  sent: URLSearchParams,
  listed: readonly string[],
): Good | Unusable | Wrong => {
  const redirectUri = once(sent, "redirect_uri");
  const problem = clientProblem(once(sent, "client_id"), redirectUri, listed);
  if (redirectUri === null || problem !== null) return { kind: "unusable", problem: problem ?? "" };
  const asked = readParameters(sent);
  if ("error" in asked) return { kind: "wrong", redirectUri, state: stateOf(sent), error: asked };
  const name = once(sent, "device_name")?.trim() ?? "";
  const deviceName = isName(name) ? name : null;
  const silent = (once(sent, "prompt") ?? "").split(" ").includes("none");
  return { kind: "good", request: { redirectUri, ...asked, deviceName, silent } };
};

/** Returns the request's parameters, for the address to come back to and for the form. */
export const parametersOf = (request: AuthorizationRequest): Readonly<Record<string, string>> => ({
  response_type: "code",
  client_id: CLIENT_ID,
  redirect_uri: request.redirectUri,
  code_challenge: request.challenge,
  code_challenge_method: "S256",
  state: request.state,
});

/**
 * Returns a parameter's value. Null if it is missing, empty (which is the same: RFC 6749, 3.1) or
 * repeated.
 */
export const once = (sent: URLSearchParams, name: string): string | null => {
  const [value = "", ...more] = sent.getAll(name);
  return more.length === 0 && value !== "" ? value : null;
};

/** Whether any parameter was sent more than once, which is not allowed (RFC 6749, 3.1 and 3.2). */
export const isRepeated = (sent: URLSearchParams): boolean =>
  new Set(sent.keys()).size < [...sent.keys()].length;

const clientProblem = (
  clientId: string | null,
  redirectUri: string | null,
  listed: readonly string[],
): string | null => {
  if (clientId !== CLIENT_ID)
    return `This link was not made by the Docket extension: its client_id must be ${CLIENT_ID}. Start again from the extension.`;
  if (redirectUri === null)
    return "This link must say exactly once where to return to (redirect_uri). Start again from the extension.";
  return isRedirect(redirectUri, listed)
    ? null
    : `This link would return to ${cutText(redirectUri, 300)}, which this server does not know as the address of an extension. Connect the extension with a pairing code from the Devices page, or ask the owner of this server to add the address to DOCKET_EXTENSION_REDIRECTS.`;
};

/** The value that goes back unchanged, by which the extension recognises its own request. */
const stateOf = (sent: URLSearchParams): string | null => {
  const state = once(sent, "state");
  return state !== null && /^[\x20-\x7e]{1,512}$/.test(state) ? state : null;
};

type RequestParameters = Pick<AuthorizationRequest, "challenge" | "state">;

const readParameters = (sent: URLSearchParams): RequestParameters | OAuthError => {
  if (isRepeated(sent)) return invalidRequest("Send each parameter only once.");
  const type = once(sent, "response_type");
  if (type === null) return invalidRequest("response_type is missing. It must be code.");
  if (type !== "code")
    return { error: "unsupported_response_type", error_description: "response_type must be code." };
  const state = stateOf(sent);
  if (state === null) return invalidRequest("state must be 1 to 512 printable ASCII characters.");
  // Without a method RFC 7636 means plain, which anyone who sees the request could answer.
  if (once(sent, "code_challenge_method") !== "S256")
    return invalidRequest("code_challenge_method must be S256.");
  const challenge = once(sent, "code_challenge");
  if (challenge === null || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return invalidRequest(
      "code_challenge must be the SHA-256 hash of code_verifier, encoded as base64url (43 characters).",
    );
  return { challenge, state };
};

/** The description must be ASCII without quotes (RFC 6749, 4.1.2.1). */
const invalidRequest = (error_description: string): OAuthError => ({
  error: "invalid_request",
  error_description,
});
