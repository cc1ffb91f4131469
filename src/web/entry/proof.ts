import type { Account } from "../../domain/people/account.ts";
import { findAccount, readPasswordHash } from "../../db/people/accounts.ts";
import { useSecondFactor } from "../../db/people/authenticators.ts";
import {
  isKnownBrowser,
  renewBrowserSession,
  type VerifiedPassword,
} from "../../db/people/browser-sessions.ts";
import {
  countAttempt,
  forgiveAttempt,
  type Subject,
  withdrawAttempt,
} from "../../db/calls/throttle.ts";
import { networkOf } from "../../server/checks/request.ts";
import type { FailedSignIn } from "../../server/log.ts";
import { type Reason, Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { isRecent } from "../../domain/people/session.ts";
import {
  noteProof,
  type PageContext,
  readCookie,
  setCookie,
  type SignedInContext,
} from "../shared/page.ts";
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
  await countAttempt(store, subjects, now).catch((error: unknown) => {
    if (error instanceof Refusal) logFailure(context, "password", email, "throttled");
    throw error;
  });
  const hash = account && (await readPasswordHash(store, account.id));
  const fits = await service.hasher.verify(password, hash).catch(async (error: unknown) => {
    await withdrawAttempt(store, subjects);
    throw error;
  });
  if (!fits || !account || hash === null || account.disabledAt !== null) {
    logFailure(context, "password", email);
    return null;
  }
  await forgiveAttempt(store, subjects);
  return { accountId: account.id, passwordHash: hash };
};

/**
 * Uses up a code of the account's authenticator app, or a recovery code. Returns what is wrong with it; null if it
 * counts. Attempts have a count of their own: the right password must not clear it.
 */
export const checkCode = async (
  context: PageContext,
  account: Pick<Account, "email" | "id" | "uid">,
  typed: string,
): Promise<string | null> => {
  const { store, now } = context;
  const subjects = await codeSubjects(context, account);
  const refusal = await countAttempt(store, subjects, now).then(() => null, orWait);
  if (refusal) {
    logFailure(context, "code", account.email, "throttled");
    return refusal.message;
  }
  const outcome = await useSecondFactor(store, account.id, typed, now);
  if (outcome === "good") {
    await forgiveAttempt(store, subjects);
    return null;
  }
  logFailure(context, "code", account.email);
  return outcome === "used"
    ? "This code has already been used. Wait until your app shows the next one."
    : "Wrong code.";
};

/** Writes a failed attempt to the log, where a program that bans addresses finds it. */
export const logFailure = (
  { service, address }: PageContext,
  by: FailedSignIn["by"],
  account: string | null,
  because: FailedSignIn["because"] = "refused",
): void => service.log.failedSignIn({ address, by, account, because });

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

/** Likewise for codes, so that a stranger who knows the password cannot lock the person out of their browsers. */
const codeSubjects = async (
  context: PageContext,
  account: Pick<Account, "id" | "uid">,
): Promise<readonly Subject[]> => {
  const known = readCookie(context.request, context.origin, "known");
  if (known !== null && (await isKnownBrowser(context.store, account.id, known)))
    return [{ kind: "browser", name: `code ${known}` }];
  return [
    { kind: "code", name: account.uid },
    { kind: "address", name: networkOf(context.address) },
  ];
};

/** Whether a form for something that cannot be undone has to ask for the password again. */
export const needsProof = (context: SignedInContext): boolean =>
  !isRecent(context.who.browserSession, context.now);

/**
 * Makes sure that the person proved who they are within the last 10 minutes, or does so now with the form's
 * `password`, and `code` if the account needs one. Returns the problem with either field, if there is one.
 */
export const proveAgain = async (context: SignedInContext): Promise<Problems> =>
  needsProof(context) ? proveNow(context) : NO_PROBLEMS;

/** The same, however recent the last proof is. */
export const proveNow = async (context: SignedInContext): Promise<Problems> => {
  const { account, browserSession } = context.who;
  const password = field(context.form, "password");
  if (password === "") return { password: "Enter your password to continue." };
  if (lacksCode(context)) return { code: NO_CODE };
  const fitting = await checkPassword(context, account.email, password).catch(orWait);
  if (fitting instanceof Refusal) return { password: fitting.message };
  if (fitting === null) return { password: "Wrong password." };
  const wrong = await codeProblem(context);
  if (wrong !== null) return { code: wrong };
  const stays = await renew(context, account.id, browserSession.id);
  return stays ? NO_PROBLEMS : { password: "You have been signed out. Sign in again." };
};

/** Whether a form lacks the code that the account needs beside its password. */
export const lacksCode = ({ who, form }: SignedInContext): boolean =>
  who.needsCode && field(form, "code").trim() === "";

export const NO_CODE = "Enter the code from your authenticator app.";

/** Uses the form's `code`, if the account needs one. Returns what is wrong with it; null if it may go on. */
export const codeProblem = async (context: SignedInContext): Promise<string | null> =>
  context.who.needsCode
    ? checkCode(context, context.who.account, field(context.form, "code"))
    : null;

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
  if (secret === null) return false;
  await noteProof(context, accountId, "confirmed", {});
  context.cookies.push(setCookie(context.origin, "docket", secret));
  return true;
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
