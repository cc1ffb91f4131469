import { findPasskey, usePasskey } from "../../db/people/passkeys.ts";
import { networkOf } from "../../server/checks/request.ts";
import { invalid } from "../../domain/base/refusal.ts";
import type { PageContext, SignedInContext } from "../shared/page.ts";
import { signIn } from "../entry/browser-sign-in.ts";
import { safeNext } from "../entry/signed-in-for.ts";
import { logFailure, renew } from "../entry/proof.ts";
import { letWait, waitingBrowser } from "../entry/waiting.ts";
import { type PageReply, scriptReply } from "../shared/reply.tsx";
import { hostHere, readAnswer, requestOptions } from "./ceremony.ts";
import { part, textPart } from "./parts.tsx";

/** `POST /sign-in/passkey/options`: a challenge for any passkey, bound to this browser. */
export const postRequestOptions = async (context: PageContext): Promise<PageReply> => {
  const host = hostHere(context);
  const options = await requestOptions(host);
  const { browser, cookies } = letWait(context);
  context.service.challenges.put(
    challengeKey(browser, options.challenge),
    host,
    networkOf(context.address),
  );
  return scriptReply({ options }, cookies);
};

const challengeKey = (browser: string, challenge: string): string => `use ${browser} ${challenge}`;

/** `POST /sign-in/passkey`: signs in the person whose passkey answers, and says where to go next. */
export const postPasskeySignIn = async (context: PageContext): Promise<PageReply> => {
  const accountId = await provenAccount(context);
  if (accountId === null) {
    logFailure(context, "passkey", null);
    throw invalid(NOT_IN);
  }
  const next = safeNext(textPart(context.json, "next"));
  const { cookies } = await signIn(context, accountId, "passkey", next);
  return scriptReply({ next }, cookies);
};

/**
 * The same message whether a passkey is unknown, disabled, forged or late, so that it reveals nothing about
 * passkeys.
 */
const NOT_IN = "This passkey did not sign you in. Try again, or use your password.";

/** `POST /account/confirm/passkey`: one of the account's own passkeys proves who is there. */
export const postPasskeyConfirm = async (context: SignedInContext): Promise<PageReply> => {
  const { account, browserSession } = context.who;
  const own = (await provenAccount(context)) === account.id;
  if (!own) logFailure(context, "passkey", account.email);
  if (!own || !(await renew(context, account.id, browserSession.id)))
    throw invalid("This passkey did not confirm that it is you. Try again, or use your password.");
  return scriptReply({ next: safeNext(textPart(context.json, "next")) });
};

/**
 * The account whose passkey answered a challenge of this browser; null if none did. Uses the challenge up.
 */
const provenAccount = async (context: PageContext): Promise<number | null> => {
  const host = hostHere(context);
  const browser = waitingBrowser(context);
  const answer = part(context.json, "credential");
  const passkey = await findPasskey(context.store, textPart(answer, "id"));
  if (browser === null || !passkey) return null;
  const counter = await readAnswer(answer, passkey, {
    origin: context.origin.href,
    host,
    challenge: (challenge) =>
      context.service.challenges.take(challengeKey(browser, challenge)) === host,
  });
  if (counter === null) return null;
  return (await usePasskey(context.store, passkey.id, counter, context.now))
    ? passkey.accountId
    : null;
};
