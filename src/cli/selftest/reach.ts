import { secretKind } from "../../domain/base/secret.ts";
import { UsageError } from "../../domain/base/usage.ts";
import type { Address } from "./address.ts";
import { type Answer, codeOf, send, type Tokens } from "./client.ts";
import { isObject } from "./match.ts";

/**
 * Makes the first requests, one with each credential. Returns null if a server of this API answers them; otherwise a
 * sentence that says what to correct. Throws `UsageError` for a token that cannot be sent.
 */
export const firstContact = async (address: Address, tokens: Tokens): Promise<string | null> => {
  if (tokens.session === undefined)
    throw new UsageError(
      "DOCKET_SESSION_TOKEN is not set. Create a token with `docket session create`, best for an account of its own.",
    );
  try {
    let account: unknown;
    for (const [who, variable] of CREDENTIALS) {
      const token = tokens[who];
      if (token === undefined) continue;
      checkToken(token, variable);
      const answer = await send(address, token, "GET", "/me");
      const problem = problemOf(answer, address, variable);
      if (problem !== null) return problem;
      account ??= fieldsOf(answer)["id"];
      if (answer.status === 200 && fieldsOf(answer)["id"] !== account)
        return `${variable} and DOCKET_SESSION_TOKEN belong to different accounts. Use credentials of one account.`;
    }
    return null;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return unreached(codeOf(error), address.root);
  }
};

/** The session comes first: its account is the one that the others must belong to. */
const CREDENTIALS = [
  ["session", "DOCKET_SESSION_TOKEN"],
  ["key", "DOCKET_API_KEY"],
  ["reader", "DOCKET_READ_KEY"],
  ["writer", "DOCKET_WRITE_KEY"],
] as const;

type Variable = (typeof CREDENTIALS)[number][1];

/** What each variable must hold. Tokens of other servers need not look like Docket's. */
const kindsOf = (variable: Variable) =>
  variable === "DOCKET_SESSION_TOKEN"
    ? { secret: "live", credential: "api_key", sentence: "holds an API key, not a session token." }
    : { secret: "sess", credential: "session", sentence: "holds a session token, not an API key." };

const checkToken = (token: string, variable: Variable): void => {
  const wrong = kindsOf(variable);
  if (secretKind(token) === wrong.secret) throw new UsageError(`${variable} ${wrong.sentence}`);
  if (!/^[!-~]+$/.test(token))
    throw new UsageError(`${variable} holds characters that no token has. Copy it again.`);
};

const fieldsOf = ({ json }: Answer) => (isObject(json) ? json : {});

const problemOf = (answer: Answer, { root, base }: Address, variable: Variable): string | null => {
  const { status, headers } = answer;
  const { credential, error, restriction } = fieldsOf(answer);
  if (credential === kindsOf(variable).credential)
    return `${variable} ${kindsOf(variable).sentence}`;
  if (restriction !== undefined && restriction !== null)
    return `The key in ${variable} is kept to certain folders. Use one for the whole account.`;
  if (status === 200 && typeof credential === "string") return null;
  if (status >= 300 && status < 400)
    return `${root} redirects to ${headers.get("location")}, where nothing was sent. Use the address of the server itself.`;
  if (typeof error !== "string")
    return `${root} answers, but not as Docket does: GET ${base}/me gave status ${status} and no reply of this API. Check the address.`;
  if (status === 401) return `The server does not accept the token in ${variable}: ${error}`;
  // The rate limit of a key: the checks wait for it.
  if (status === 429 && variable !== "DOCKET_SESSION_TOKEN") return null;
  return `The server answered GET /me with status ${status}: ${error}`;
};

const UNTRUSTED = /CERT|TLS|SSL/;

const unreached = (code: string, root: string): string => {
  if (UNTRUSTED.test(code))
    return `The certificate of ${root} is not trusted (${code}), so nothing was sent. If it is your own, name its file in NODE_EXTRA_CA_CERTS.`;
  if (code === "EPROTO") return `The server at ${root} does not use https. Use http:// instead.`;
  if (code === "ECONNRESET")
    return `The server at ${root} closed the connection without a reply. If it uses https, begin the address with https://.`;
  if (code === "TimeoutError") return `${root} did not answer within 30 seconds.`;
  return `No server answers at ${root} (${code}). Check the address, and that the server is running.`;
};
