import { rememberBrowser } from "../../db/people/known-browsers.ts";
import { changePassword } from "../../db/people/passwords.ts";
import { passwordProblem } from "../../domain/people/password.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { SignedInContext } from "../shared/context.ts";
import { setCookie } from "../shared/cookies.ts";
import { checkPassword, orWait } from "../entry/proof.ts";
import { field, isEmpty, type Problems } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { showSecurity } from "./page.tsx";

/**
 * `POST /account/password`: sets a new one for whoever knows the current one. Every other browser and all
 * devices are signed out; API keys stay, unless they are to go as well.
 */
export const postPassword = async (context: SignedInContext): Promise<PageReply> => {
  const { account, browserSession } = context.who;
  const current = field(context.form, "current");
  const password = field(context.form, "password");
  const problems = problemsOf(current, password, account.email);
  if (!isEmpty(problems)) return showSecurity(context, problems);
  // Last, since each look at the password counts as a try.
  const fitting = await checkPassword(context, account.email, current).catch(orWait);
  if (fitting instanceof Refusal) return showSecurity(context, { current: fitting.message });
  if (!fitting) return showSecurity(context, { current: "This is not your password." });
  const keep = {
    browserSessionId: browserSession.id,
    keys: field(context.form, "revoke_keys") === "",
  };
  const hash = await context.service.hasher.hash(password);
  const secret = await changePassword(
    context.store,
    fitting,
    hash,
    keep,
    cryptoRandom,
    context.now,
  );
  if (secret === null) return seeOther("/account/security");
  // What browsers of the account were known by is gone with the old password.
  const known = await rememberBrowser(context.store, account.id, null, cryptoRandom, context.now);
  const done = keep.keys ? "password" : "password-and-keys";
  return seeOther(`/account/security?done=${done}`, [
    setCookie(context.origin, "docket", secret),
    setCookie(context.origin, "known", known),
  ]);
};

const problemsOf = (current: string, password: string, email: string): Problems => {
  const wrong =
    password === current && current !== ""
      ? "This is the password that you have."
      : passwordProblem(password, email);
  return {
    ...(current === "" ? { current: "Type the password that you have now." } : {}),
    ...(wrong === null ? {} : { password: wrong }),
  };
};
