import {
  type BrowserSignIn,
  createBrowserSession,
  createBrowserSessionByPassword,
  rememberBrowser,
  type VerifiedPassword,
} from "../../db/people/browser-sessions.ts";
import { endBrowserSession } from "../../db/people/revocation.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { SignInMethod } from "../../domain/people/session.ts";
import { noteProof, type PageContext, readCookie, setCookie } from "../shared/page.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { markSignedInFor } from "./signed-in-for.ts";

/** Returns what the browser session remembers of its sign-in: the method, the browser and its IP address. */
export const browserSignIn = (context: PageContext, method: SignInMethod): BrowserSignIn => ({
  method,
  client: context.client,
  address: context.address,
});

/**
 * Signs the browser in to an account that its person has proved to be theirs, and redirects. Ends the browser
 * session that the browser had before: every proof gets a new cookie (OWASP ASVS 5.0, 7.2.4).
 */
export const signIn = async (
  context: PageContext,
  accountId: number,
  method: SignInMethod,
  next: string,
  provenAt: Instant = context.now,
): Promise<PageReply> => {
  const details = { ...browserSignIn(context, method), provenAt };
  const secret = await createBrowserSession(
    context.store,
    accountId,
    details,
    cryptoRandom,
    context.now,
  );
  return welcome(context, accountId, secret, next, method);
};

/**
 * `signIn` with a password, and with a code if the account needs one. Null if the password was changed, or the code
 * came to be needed, while the password was being checked.
 */
export const signInByPassword = async (
  context: PageContext,
  fitting: VerifiedPassword,
  withCode: boolean,
  next: string,
): Promise<PageReply | null> => {
  const details = browserSignIn(context, "password");
  const secret = await createBrowserSessionByPassword(
    context.store,
    fitting,
    withCode,
    details,
    cryptoRandom,
    context.now,
  );
  if (secret === null) return null;
  const by = withCode ? "password and code" : "password";
  return welcome(context, fitting.accountId, secret, next, by);
};

/**
 * Sets the cookie of the browser session, and one that keeps the sign-in throttle from shutting this browser
 * out. The log says by what proof the person signed in.
 */
export const welcome = async (
  context: PageContext,
  accountId: number,
  secret: string,
  next: string,
  by: SignInMethod | "invitation" | "password and code",
): Promise<PageReply> => {
  await noteProof(context, accountId, "signed in", { by });
  if (context.who)
    await endBrowserSession(
      context.store,
      context.who.account.id,
      context.who.browserSession.id,
      context.now,
    );
  const before = readCookie(context.request, context.origin, "known");
  const known = await rememberBrowser(context.store, accountId, before, cryptoRandom, context.now);
  return seeOther(next, [
    setCookie(context.origin, "docket", secret),
    setCookie(context.origin, "known", known),
    // A provider may let people through unasked, from a window that a stranger's extension opened: that is no proof.
    ...(by === "openid" ? [] : markSignedInFor(context, secret, next)),
  ]);
};
