import { browserName } from "../../domain/people/user-agent.ts";
import { browser } from "../browser/api.ts";
import { patternOf } from "./address.ts";
import { type Connection, connection } from "./connection.ts";
import { dropPermission } from "./permission.ts";
import { challengeOf, randomText } from "./pkce.ts";
import { type Grant, NotSignedIn, redeem, revoke, type Session } from "./token.ts";

/**
 * Signs in on the server's own pages, in a window that the browser opens (OAuth 2.1 with PKCE). Resolves when the
 * session is stored. Rejects with `NotSignedIn`.
 */
export const signIn = async (server: string): Promise<void> => {
  const { identity } = browser;
  if (!identity)
    throw new NotSignedIn("This browser cannot open a window to sign in. Use a pairing code.");
  const redirect_uri = identity.getRedirectURL();
  const [state, code_verifier] = [randomText(), randomText()];
  const question = new URLSearchParams({
    client_id: "docket-extension",
    response_type: "code",
    redirect_uri,
    state,
    code_challenge: await challengeOf(code_verifier),
    code_challenge_method: "S256",
    device_name: deviceName(),
  });
  const answer = await askOn(identity, `${server}/oauth/authorize?${question}`);
  const code = codeIn(answer, server, state);
  await enter(server, { grant_type: "authorization_code", code, redirect_uri, code_verifier });
};

/** Signs in with a pairing code from the page Devices, for browsers that cannot open such a window. */
export const pair = async (server: string, code: string): Promise<void> =>
  enter(server, {
    grant_type: "urn:docket:pairing",
    code: code.trim(),
    device_name: deviceName(),
  });

const askOn = async (
  identity: NonNullable<typeof browser.identity>,
  url: string,
): Promise<URLSearchParams> => {
  const answer = await identity
    .launchWebAuthFlow({ url, interactive: true })
    .catch(() => undefined);
  const read = answer === undefined ? null : URL.parse(answer);
  if (read === null) throw new NotSignedIn("The window was closed before you signed in.");
  return read.searchParams;
};

/** Checks that the answer is to our question (`state`) and from the server that we asked (`iss`, RFC 9207). */
const codeIn = (answer: URLSearchParams, server: string, state: string): string => {
  if (answer.get("state") !== state)
    throw new NotSignedIn("The answer was not for this sign-in. Start again.");
  const issuer = answer.get("iss");
  if (issuer !== server)
    throw new NotSignedIn(
      `This server calls itself ${issuer ?? "nothing"}. Enter that as its address, then sign in.`,
    );
  const code = answer.get("code");
  if (code === null) throw new NotSignedIn(refusalIn(answer));
  return code;
};

const refusalIn = (answer: URLSearchParams): string =>
  answer.get("error") === "access_denied"
    ? "You did not allow it, so you are not signed in."
    : (answer.get("error_description") ?? "The server refused to sign you in.");

const enter = async (server: string, grant: Grant): Promise<void> => {
  const session = await redeem(server, grant);
  const before = await connection.read();
  await refuseOther(before, server, session);
  await connection.write({ server, store: before?.store ?? server, ...session });
  if (before && before.server !== server) await leaveAddress(before, server);
};

/** Another account's tasks would otherwise vanish from view, perhaps with changes that wait. */
const refuseOther = async (
  before: Connection | null,
  server: string,
  { token, account }: Session,
): Promise<void> => {
  // No two servers give the same id: this is the same account, wherever its server is by now.
  if (before === null || before.account.id === account.id) return;
  await revoke(server, token);
  throw new NotSignedIn(
    `This browser holds the tasks of ${before.account.email} at ${before.server}, which is another account. To use this one, sign out of that one first.`,
  );
};

/** The server has moved. Its session of before, and the permission for its old address, are of no use. */
const leaveAddress = async (before: Connection, server: string): Promise<void> => {
  if (before.token !== null) await revoke(server, before.token);
  if (patternOf(before.server) !== patternOf(server)) await dropPermission(before.server);
};

/** How the device appears in the list of devices. */
const deviceName = (): string => `${browserName(navigator.userAgent)}, extension`;
