import { isName } from "../../apikey.ts";
import { browserName } from "../../client.ts";
import { addPasskey, listPasskeys, removePasskey } from "../../db/passkeys.ts";
import { networkOf } from "../../door/origin.ts";
import { MAX_PASSKEYS } from "../../passkey.ts";
import { invalid } from "../../refusal.ts";
import type { SignedInAsk } from "../ask.ts";
import { askAgain } from "../entry/again.tsx";
import { needsProof } from "../entry/proof.ts";
import { type PageReply, scriptReply, seeOther } from "../reply.tsx";
import { creationOptions, readMade } from "./ceremony.ts";
import { hostHere } from "./place.ts";
import { part, textPart } from "./script.ts";

/**
 * `POST /account/passkeys/options`: a challenge for a new passkey, bound to this browser session. Only for
 * someone who has just proved who they are; anyone else is sent to do so. The answer to the challenge needs
 * no further proof.
 */
export const postCreationOptions = async (ask: SignedInAsk): Promise<PageReply> => {
  const host = hostHere(ask);
  if (needsProof(ask)) return scriptReply({ next: "/account/confirm?next=%2Faccount%2Fsecurity" });
  const { account, visit } = ask.who;
  const present = await listPasskeys(ask.store, account.id);
  if (present.length >= MAX_PASSKEYS)
    throw invalid(`You already have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  const options = await creationOptions(host, account, present);
  ask.service.challenges.put(
    challengeKey(visit.id, options.challenge),
    host,
    networkOf(ask.address),
  );
  return scriptReply({ options });
};

const challengeKey = (visitId: string, challenge: string): string => `make ${visitId} ${challenge}`;

/** `POST /account/passkeys`: stores the passkey that the browser created. */
export const postPasskey = async (ask: SignedInAsk): Promise<PageReply> => {
  const { account, visit } = ask.who;
  const host = hostHere(ask);
  const name = textPart(ask.json, "name").trim() || browserName(ask.client);
  if (!isName(name))
    throw invalid("A name can have up to 100 characters, and no invisible ones. Choose another.");
  const made = await readMade(part(ask.json, "credential"), {
    origin: ask.origin.href,
    host,
    challenge: (challenge) =>
      ask.service.challenges.take(challengeKey(visit.id, challenge)) === host,
  });
  if (!made)
    throw invalid(
      "The passkey was not saved. It took too long, or it cannot be used here. Try again.",
    );
  await addPasskey(ask.store, account.id, { ...made, name }, ask.now);
  return scriptReply({ next: "/account/security?done=passkey-made" });
};

/**
 * `POST /account/passkeys/:id/remove`: nobody can sign in with it from now on. The device may still offer it.
 */
export const postRemovePasskey = async (ask: SignedInAsk): Promise<PageReply> => {
  const { id: accountId } = ask.who.account;
  const passkey = (await listPasskeys(ask.store, accountId)).find(({ id }) => id === ask.pathId);
  if (!passkey) return seeOther("/account/security");
  const asked = await askAgain(ask, {
    title: "Remove a passkey",
    about: `“${passkey.name}” is not removed yet. Once you remove it, nobody can sign in with it.`,
    action: removePath(passkey.id),
    button: "Remove passkey",
  });
  if (asked) return asked;
  await removePasskey(ask.store, accountId, passkey.id);
  return seeOther("/account/security?done=passkey-removed");
};

export const removePath = (id: string): string =>
  `/account/passkeys/${encodeURIComponent(id)}/remove`;
