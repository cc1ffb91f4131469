import { browserName } from "../../domain/people/session.ts";
import { browser } from "../browser/api.ts";
import { patternOf } from "./address.ts";
import { type Connection, connection, dropPermission } from "./connection.ts";
import {
  challengeOf,
  type Grant,
  NotSignedIn,
  randomText,
  redeem,
  revoke,
  type Session,
} from "./token.ts";

/** Asks the person whether everything that is stored here may move from one server's address to another one. */
export type MayMove = (from: string, to: string) => Promise<boolean>;

/** Somebody is signed in. `isLeft` says later whether the session at the address of before, if there was one, is ended. */
export type Entered = { readonly isLeft: Promise<boolean> };

/**
 * Signs in on the server's own pages, in a window that the browser opens (OAuth 2.1 with PKCE). Resolves when the
 * session is stored. Rejects with `NotSignedIn`.
 */
export const signIn = async (server: string, mayMove: MayMove): Promise<Entered> => {
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
  const grant = { grant_type: "authorization_code", code, redirect_uri, code_verifier };
  return enter(server, grant, mayMove);
};

/** Signs in with a pairing code from the page Devices, for browsers that cannot open such a window. */
export const pair = (server: string, code: string, mayMove: MayMove): Promise<Entered> => {
  const grant_type = "urn:docket:pairing";
  return enter(server, { grant_type, code: code.trim(), device_name: deviceName() }, mayMove);
};

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

const enter = async (server: string, grant: Grant, mayMove: MayMove): Promise<Entered> => {
  const session = await redeem(server, grant);
  const before = await connection.read();
  const isMoved = before !== null && before.server !== server;
  const problem = before && (await whyNotEntered(before, server, session, mayMove));
  if (problem) {
    await revoke(server, session.token);
    if (isMoved) await leave(before.server, server);
    throw new NotSignedIn(problem);
  }
  await connection.write({ server, store: before?.store ?? server, ...session });
  return { isLeft: isMoved ? endBefore(before, server) : Promise.resolve(true) };
};

/**
 * Another account's tasks would vanish from view, perhaps with changes that wait. And a server that only claims to hold
 * this account would get everything that is stored here: who has an account's id can say that it is its own.
 */
const whyNotEntered = async (
  before: Connection,
  server: string,
  { account }: Session,
  mayMove: MayMove,
): Promise<string | null> => {
  if (before.account.id !== account.id)
    return `This browser holds the tasks of ${before.account.email} at ${before.server}, which is another account. To use this one, sign out of that one first.`;
  if (before.server === server || (await mayMove(before.server, server))) return null;
  return `Nothing was changed. This browser stays with ${before.server}.`;
};

/**
 * Ends the session at the address of before, at that address and nowhere else: the token is that server's. Returns
 * whether it is ended.
 */
const endBefore = async ({ server, token }: Connection, now: string): Promise<boolean> => {
  const isEnded = token === null || (await revoke(server, token));
  await leave(now, server);
  return isEnded;
};

/** Gives the permission for an address back, unless it is also that of the address that stays. */
const leave = async (stays: string, left: string): Promise<void> => {
  if (patternOf(stays) !== patternOf(left)) await dropPermission(left);
};

/** How the device appears in the list of devices. */
const deviceName = (): string => `${browserName(navigator.userAgent)}, extension`;
