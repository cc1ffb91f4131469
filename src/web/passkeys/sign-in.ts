import { findPasskey, usePasskey } from "../../db/passkeys.ts";
import { networkOf } from "../../door/origin.ts";
import { invalid } from "../../refusal.ts";
import type { Ask, SignedInAsk } from "../ask.ts";
import { signIn } from "../entry/arrival.ts";
import { safeNext } from "../entry/next.ts";
import { renew } from "../entry/proof.ts";
import { letWait, waitingBrowser } from "../entry/waiting.ts";
import { type PageReply, scriptReply } from "../reply.tsx";
import { readAnswer, requestOptions } from "./ceremony.ts";
import { hostHere } from "./place.ts";
import { part, textPart } from "./script.ts";

/** `POST /sign-in/passkey/options`: a challenge for any passkey, bound to this browser. */
export const postRequestOptions = async (ask: Ask): Promise<PageReply> => {
  const host = hostHere(ask);
  const options = await requestOptions(host);
  const { browser, cookies } = letWait(ask);
  ask.service.challenges.put(
    challengeKey(browser, options.challenge),
    host,
    networkOf(ask.address),
  );
  return scriptReply({ options }, cookies);
};

const challengeKey = (browser: string, challenge: string): string => `use ${browser} ${challenge}`;

/** `POST /sign-in/passkey`: signs in the person whose passkey answers, and says where to go next. */
export const postPasskeySignIn = async (ask: Ask): Promise<PageReply> => {
  const accountId = await provenAccount(ask);
  if (accountId === null) throw invalid(NOT_IN);
  const next = safeNext(textPart(ask.json, "next"));
  const { cookies } = await signIn(ask, accountId, "passkey", next);
  return scriptReply({ next }, cookies);
};

/**
 * The same message whether a passkey is unknown, disabled, forged or late, so that it reveals nothing about
 * passkeys.
 */
const NOT_IN = "This passkey did not sign you in. Try again, or use your password.";

/** `POST /account/confirm/passkey`: one of the account's own passkeys proves who is there. */
export const postPasskeyConfirm = async (ask: SignedInAsk): Promise<PageReply> => {
  const { account, visit } = ask.who;
  const own = (await provenAccount(ask)) === account.id;
  if (!own || !(await renew(ask, account.id, visit.id)))
    throw invalid("This passkey did not confirm that it is you. Try again, or use your password.");
  return scriptReply({ next: safeNext(textPart(ask.json, "next")) });
};

/**
 * The account whose passkey answered a challenge of this browser; null if none did. Uses the challenge up.
 */
const provenAccount = async (ask: Ask): Promise<number | null> => {
  const host = hostHere(ask);
  const browser = waitingBrowser(ask);
  const answer = part(ask.json, "credential");
  const passkey = await findPasskey(ask.store, textPart(answer, "id"));
  if (browser === null || !passkey) return null;
  const counter = await readAnswer(answer, passkey, {
    origin: ask.origin.href,
    host,
    challenge: (challenge) =>
      ask.service.challenges.take(challengeKey(browser, challenge)) === host,
  });
  if (counter === null) return null;
  return (await usePasskey(ask.store, passkey.id, counter, ask.now)) ? passkey.accountId : null;
};
