import type { Account } from "../../account.ts";
import { findAccount, readPasswordHash } from "../../db/accounts.ts";
import { isKnownBrowser } from "../../db/browsers.ts";
import { countTry, forgiveTry, type Subject, withdrawTry } from "../../db/failures.ts";
import { type FittingPassword, renewVisit } from "../../db/visits.ts";
import { networkOf } from "../../door/origin.ts";
import { type Reason, Refusal } from "../../refusal.ts";
import { cryptoRandom } from "../../secret.ts";
import { isRecent } from "../../visit.ts";
import type { Ask, SignedInAsk } from "../ask.ts";
import { readCookie, setCookie } from "../cookies.ts";
import { field, NO_PROBLEMS, type Problems } from "../form.ts";

/**
 * The account and the password's hash, if the password belongs to that e-mail; otherwise null. Wrong
 * passwords, unknown e-mails, accounts without a password and disabled accounts all get the same answer at the
 * same cost. Refused after too many failures.
 */
export const checkPassword = async (
  ask: Ask,
  email: string,
  password: string,
): Promise<FittingPassword | null> => {
  const { store, service, now } = ask;
  const account = await findAccount(store, email);
  const subjects = await subjectsOf(ask, email, account);
  await countTry(store, subjects, now);
  const hash = account && (await readPasswordHash(store, account.id));
  const fits = await service.hasher.verify(password, hash).catch(async (error: unknown) => {
    await withdrawTry(store, subjects);
    throw error;
  });
  if (!fits || !account || hash === null || account.disabledAt !== null) return null;
  await forgiveTry(store, subjects);
  return { accountId: account.id, passwordHash: hash };
};

/**
 * Whose failures count. A browser in which someone has signed in to the account before has a count of its
 * own, so that strangers who guess cannot lock it out.
 */
const subjectsOf = async (
  ask: Ask,
  email: string,
  account: Account | null,
): Promise<readonly Subject[]> => {
  const known = readCookie(ask.request, ask.origin, "known");
  if (known !== null && account && (await isKnownBrowser(ask.store, account.id, known)))
    return [{ kind: "browser", name: known }];
  return [
    { kind: "email", name: email },
    { kind: "address", name: networkOf(ask.address) },
  ];
};

/** Whether a form for something that cannot be undone has to ask for the password again. */
export const needsProof = (ask: SignedInAsk): boolean => !isRecent(ask.who.visit, ask.now);

/**
 * Makes sure that the person proved who they are within the last 10 minutes, or does so now with the form's
 * `password`. Returns the problem with that field, if there is one.
 */
export const proveAgain = async (ask: SignedInAsk): Promise<Problems> =>
  needsProof(ask) ? proveNow(ask) : NO_PROBLEMS;

/** The same, however recent the last proof is. */
export const proveNow = async (ask: SignedInAsk): Promise<Problems> => {
  const { account, visit } = ask.who;
  const password = field(ask.form, "password");
  if (password === "") return { password: "Enter your password to continue." };
  const fitting = await checkPassword(ask, account.email, password).catch(orWait);
  if (fitting instanceof Refusal) return { password: fitting.message };
  if (fitting === null) return { password: "Wrong password." };
  const stays = await renew(ask, account.id, visit.id);
  return stays ? NO_PROBLEMS : { password: "You have been signed out. Sign in again." };
};

/**
 * Renews the browser session with a new cookie, once its person has proved who they are. False if the session
 * has ended.
 */
export const renew = async (ask: Ask, accountId: number, visitId: string): Promise<boolean> => {
  const secret = await renewVisit(ask.store, accountId, visitId, cryptoRandom, ask.now);
  if (secret !== null) ask.cookies.push(setCookie(ask.origin, "docket", secret));
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
