import type { Account } from "../../domain/people/account.ts";
import { findAccount, readPasswordHash } from "../../db/people/accounts.ts";
import { isKnownBrowser } from "../../db/people/known-browsers.ts";
import {
  countAttempt,
  forgiveAttempt,
  type Subject,
  withdrawAttempt,
} from "../../db/calls/throttle.ts";
import { type VerifiedPassword, renewBrowserSession } from "../../db/people/browser-sessions.ts";
import { networkOf } from "../../server/origin.ts";
import { type Reason, Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { isRecent } from "../../domain/people/browser-session.ts";
import type { PageContext, SignedInContext } from "../shared/context.ts";
import { readCookie, setCookie } from "../shared/cookies.ts";
import { field, NO_PROBLEMS, type Problems } from "../shared/form.ts";

/**
 * The account and the password's hash, if the password belongs to that e-mail; otherwise null. Wrong
 * passwords, unknown e-mails, accounts without a password and disabled accounts all get the same answer at the
 * same cost. Refused after too many failures.
 */
export const checkPassword = async (
  context: PageContext,
  email: string,
  password: string,
): Promise<VerifiedPassword | null> => {
  const { store, service, now } = context;
  const account = await findAccount(store, email);
  const subjects = await subjectsOf(context, email, account);
  await countAttempt(store, subjects, now);
  const hash = account && (await readPasswordHash(store, account.id));
  const fits = await service.hasher.verify(password, hash).catch(async (error: unknown) => {
    await withdrawAttempt(store, subjects);
    throw error;
  });
  if (!fits || !account || hash === null || account.disabledAt !== null) return null;
  await forgiveAttempt(store, subjects);
  return { accountId: account.id, passwordHash: hash };
};

/**
 * Whose failures count. A browser in which someone has signed in to the account before has a count of its
 * own, so that strangers who guess cannot lock it out.
 */
const subjectsOf = async (
  context: PageContext,
  email: string,
  account: Account | null,
): Promise<readonly Subject[]> => {
  const known = readCookie(context.request, context.origin, "known");
  if (known !== null && account && (await isKnownBrowser(context.store, account.id, known)))
    return [{ kind: "browser", name: known }];
  return [
    { kind: "email", name: email },
    { kind: "address", name: networkOf(context.address) },
  ];
};

/** Whether a form for something that cannot be undone has to ask for the password again. */
export const needsProof = (context: SignedInContext): boolean =>
  !isRecent(context.who.browserSession, context.now);

/**
 * Makes sure that the person proved who they are within the last 10 minutes, or does so now with the form's
 * `password`. Returns the problem with that field, if there is one.
 */
export const proveAgain = async (context: SignedInContext): Promise<Problems> =>
  needsProof(context) ? proveNow(context) : NO_PROBLEMS;

/** The same, however recent the last proof is. */
export const proveNow = async (context: SignedInContext): Promise<Problems> => {
  const { account, browserSession } = context.who;
  const password = field(context.form, "password");
  if (password === "") return { password: "Enter your password to continue." };
  const fitting = await checkPassword(context, account.email, password).catch(orWait);
  if (fitting instanceof Refusal) return { password: fitting.message };
  if (fitting === null) return { password: "Wrong password." };
  const stays = await renew(context, account.id, browserSession.id);
  return stays ? NO_PROBLEMS : { password: "You have been signed out. Sign in again." };
};

/**
 * Renews the browser session with a new cookie, once its person has proved who they are. False if the session
 * has ended.
 */
export const renew = async (
  context: PageContext,
  accountId: number,
  browserSessionId: string,
): Promise<boolean> => {
  const secret = await renewBrowserSession(
    context.store,
    accountId,
    browserSessionId,
    cryptoRandom,
    context.now,
  );
  if (secret !== null) context.cookies.push(setCookie(context.origin, "docket", secret));
  return secret !== null;
};

/**
 * Returns a refusal that will pass (too many attempts, or too many at once), for the form to show. Throws
 * anything else on.
 */
export const orWait = (error: unknown): Refusal => {
  if (error instanceof Refusal && WAITS.includes(error.reason)) return error;
  throw error;
};

const WAITS: readonly Reason[] = ["too_many", "unavailable"];
