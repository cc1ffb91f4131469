import { knowBrowser } from "../../db/browsers.ts";
import { endVisit } from "../../db/endings.ts";
import {
  type Arrival,
  createVisit,
  createVisitByPassword,
  type FittingPassword,
} from "../../db/visits.ts";
import type { Instant } from "../../instant.ts";
import { cryptoRandom } from "../../secret.ts";
import type { SignInMethod } from "../../visit.ts";
import type { Ask } from "../ask.ts";
import { readCookie, setCookie } from "../cookies.ts";
import { type PageReply, seeOther } from "../reply.tsx";

/** How this browser signs in. */
export const arrivalOf = (ask: Ask, method: SignInMethod): Arrival => ({
  method,
  client: ask.client,
  address: ask.address,
});

/**
 * Signs the browser in to an account that its person has proved to be theirs, and redirects. Ends the browser
 * session that the browser had before: every proof gets a new cookie (OWASP ASVS 5.0, 7.2.4).
 */
export const signIn = async (
  ask: Ask,
  accountId: number,
  method: SignInMethod,
  next: string,
  provenAt: Instant = ask.now,
): Promise<PageReply> => {
  const arrival = { ...arrivalOf(ask, method), provenAt };
  const secret = await createVisit(ask.store, accountId, arrival, cryptoRandom, ask.now);
  return welcome(ask, accountId, secret, next);
};

/** `signIn` with a password. Null if the password was changed while it was being checked. */
export const signInByPassword = async (
  ask: Ask,
  fitting: FittingPassword,
  next: string,
): Promise<PageReply | null> => {
  const arrival = arrivalOf(ask, "password");
  const secret = await createVisitByPassword(ask.store, fitting, arrival, cryptoRandom, ask.now);
  return secret === null ? null : welcome(ask, fitting.accountId, secret, next);
};

/**
 * Sets the cookie of the browser session, and one that keeps the sign-in throttle from shutting this browser
 * out.
 */
export const welcome = async (
  ask: Ask,
  accountId: number,
  secret: string,
  next: string,
): Promise<PageReply> => {
  if (ask.who) await endVisit(ask.store, ask.who.account.id, ask.who.visit.id, ask.now);
  const before = readCookie(ask.request, ask.origin, "known");
  const known = await knowBrowser(ask.store, accountId, before, cryptoRandom, ask.now);
  return seeOther(next, [
    setCookie(ask.origin, "docket", secret),
    setCookie(ask.origin, "known", known),
  ]);
};
