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
 * Whose password this is, and its hash; null if it is not the e-mail's: one answer, at one cost, for wrong
 * passwords, unknown e-mails, accounts without password and disabled ones. Refused while there were too
 * many failures.
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
 * Whose failures count. A browser that someone of the account signed in by before has its own count, so
 * that strangers who guess cannot keep them out.
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

/** What the form of something that cannot be taken back asks for: nothing, or the password again. */
export const needsProof = (ask: SignedInAsk): boolean => !isRecent(ask.who.visit, ask.now);

/**
 * Sees to it that whoever sits there proved who they are within the last 10 minutes, or does so with the
 * form's `password`. Returns what is wrong, beside that field.
 */
export const proveAgain = async (ask: SignedInAsk): Promise<Problems> =>
  needsProof(ask) ? proveNow(ask) : NO_PROBLEMS;

/** The same, however recent the last proof is. */
export const proveNow = async (ask: SignedInAsk): Promise<Problems> => {
  const { account, visit } = ask.who;
  const password = field(ask.form, "password");
  if (password === "") return { password: "Type your password once more to go on." };
  const fitting = await checkPassword(ask, account.email, password).catch(orWait);
  if (fitting instanceof Refusal) return { password: fitting.message };
  if (fitting === null) return { password: "This is not your password." };
  const stays = await renew(ask, account.id, visit.id);
  return stays ? NO_PROBLEMS : { password: "You were signed out meanwhile: sign in again." };
};

/** Whoever sits there has proved who they are: their visit goes on with a new cookie. False if it ended. */
export const renew = async (ask: Ask, accountId: number, visitId: string): Promise<boolean> => {
  const secret = await renewVisit(ask.store, accountId, visitId, cryptoRandom, ask.now);
  if (secret !== null) ask.cookies.push(setCookie(ask.origin, "docket", secret));
  return secret !== null;
};

/** A refusal that passes (too many tries, too many at once) is for the form to show; others go on up. */
export const orWait = (error: unknown): Refusal => {
  if (error instanceof Refusal && WAITS.includes(error.reason)) return error;
  throw error;
};

const WAITS: readonly Reason[] = ["too_many", "unavailable"];
