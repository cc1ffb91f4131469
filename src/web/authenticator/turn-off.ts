import { turnOffAuthenticator } from "../../db/people/authenticators.ts";
import { askAgain } from "../entry/again.tsx";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";

/** `POST /account/authenticator/remove`: from now on the password alone signs in. */
export const postTurnOff = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, now } = context;
  if (!who.needsCode) return seeOther("/account/security");
  const asked = await askAgain(context, {
    title: "Turn the second factor off",
    about:
      "The second factor is still on. Once you turn it off, your password alone signs you in, and your recovery codes no longer work.",
    action: "/account/authenticator/remove",
    button: "Turn off",
  });
  if (asked) return asked;
  const wasOn = await turnOffAuthenticator(store, who.account.id, who.browserSession.id, now);
  if (wasOn) noteChange(context, "the second factor was turned off");
  return seeOther("/account/security?done=code-off");
};
