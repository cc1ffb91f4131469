import { howLong, isName } from "../../domain/people/api-key.ts";
import { browserName } from "../../domain/people/session.ts";
import { addPasskey, listPasskeys, removePasskey } from "../../db/people/passkeys.ts";
import { networkOf } from "../../server/checks/request.ts";
import { MAX_PASSKEYS } from "../../domain/people/passkey.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { askAgain } from "../entry/again.tsx";
import { needsProof } from "../entry/proof.ts";
import { type PageReply, scriptReply, seeOther } from "../shared/reply.tsx";
import { creationOptions, hostHere, readMade } from "./ceremony.ts";
import { part, textPart } from "./parts.tsx";

/**
 * `POST /account/passkeys/options`: a challenge for a new passkey, bound to this browser session. Only for
 * someone who has just proved who they are; anyone else is sent to do so. The answer to the challenge needs
 * no further proof.
 */
export const postCreationOptions = async (context: SignedInContext): Promise<PageReply> => {
  const host = hostHere(context);
  if (needsProof(context))
    return scriptReply({ next: "/account/confirm?next=%2Faccount%2Fsecurity" });
  const { account, browserSession } = context.who;
  const present = await listPasskeys(context.store, account.id);
  if (present.length >= MAX_PASSKEYS)
    throw invalid(`You already have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  const options = await creationOptions(host, account, present);
  context.service.challenges.put(
    challengeKey(browserSession.id, options.challenge),
    host,
    networkOf(context.address),
  );
  return scriptReply({ options });
};

const challengeKey = (browserSessionId: string, challenge: string): string =>
  `make ${browserSessionId} ${challenge}`;

/** `POST /account/passkeys`: stores the passkey that the browser created. */
export const postPasskey = async (context: SignedInContext): Promise<PageReply> => {
  const { account, browserSession } = context.who;
  const host = hostHere(context);
  const name = textPart(context.json, "name").trim() || browserName(context.client);
  if (!isName(name))
    throw invalid(
      `A name can have up to 100 characters, and no invisible ones.${howLong(name)} Choose another.`,
    );
  const made = await readMade(part(context.json, "credential"), {
    origin: context.origin.href,
    host,
    challenge: (challenge) =>
      context.service.challenges.take(challengeKey(browserSession.id, challenge)) === host,
  });
  if (!made)
    throw invalid(
      "The passkey was not saved. It took too long, or it cannot be used here. Try again.",
    );
  await addPasskey(context.store, account.id, { ...made, name }, context.now);
  noteChange(context, "a passkey was added");
  return scriptReply({ next: "/account/security?done=passkey-made" });
};

/**
 * `POST /account/passkeys/:id/remove`: nobody can sign in with it from now on. The device may still offer it.
 */
export const postRemovePasskey = async (context: SignedInContext): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const passkey = (await listPasskeys(context.store, accountId)).find(
    ({ id }) => id === context.pathId,
  );
  if (!passkey) return seeOther("/account/security");
  const asked = await askAgain(context, {
    title: "Remove a passkey",
    about: `“${passkey.name}” is not removed yet. Once you remove it, nobody can sign in with it.`,
    action: removePath(passkey.id),
    button: "Remove passkey",
  });
  if (asked) return asked;
  await removePasskey(context.store, accountId, passkey.id);
  noteChange(context, "a passkey was removed");
  return seeOther("/account/security?done=passkey-removed");
};

export const removePath = (id: string): string =>
  `/account/passkeys/${encodeURIComponent(id)}/remove`;
