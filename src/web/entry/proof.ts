import type { Account } from "../../account.ts";
import { findAccount, readPasswordHash } from "../../db/accounts.ts";
import { isKnownBrowser } from "../../db/browsers.ts";
import { countTry, forgiveTry, type Subject, withdrawTry } from "../../db/failures.ts";
import { type FittingPassword, renewVisit } from "../../db/visits.ts";
import { isRecent } from "../../visit.ts";
import type { Ask, SignedInAsk } from "../ask.ts";
import { readCookie } from "../cookies.ts";
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

/** Whoever has one IPv6 address has at least a whole /64 of them. */
const networkOf = (address: string): string => {
  if (!address.includes(":")) return address;
  const [start = "", end] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const head = start.split(":").filter(Boolean);
  const tail = (end ?? "").split(":").filter(Boolean);
  const gap = end === undefined ? 0 : Math.max(8 - head.length - tail.length, 0);
  const groups = [...head, ...Array.from({ length: gap }, () => "0"), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
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
  if ((await checkPassword(ask, account.email, password)) === null)
    return { password: "This is not your password." };
  const stays = await renewVisit(ask.store, account.id, visit.id, ask.now);
  return stays ? NO_PROBLEMS : { password: "You were signed out meanwhile: sign in again." };
};
