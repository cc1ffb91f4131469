import { rememberBrowser } from "../../db/people/browser-sessions.ts";
import { changePassword } from "../../db/people/passwords.ts";
import { isSamePassword, passwordProblem } from "../../domain/people/password.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { noteChange, setCookie, type SignedInContext } from "../shared/page.ts";
import { checkPassword, codeProblem, lacksCode, NO_CODE, orWait } from "../entry/proof.ts";
import { field, isEmpty, type Problems } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { showSecurity } from "./page.tsx";

/**
 * `POST /account/password`: sets a new password for someone who knows the current one. Signs out every other
 * browser and all devices. API keys stay, unless the person asks to revoke them too.
 */
export const postPassword = async (context: SignedInContext): Promise<PageReply> => {
  const { account, browserSession } = context.who;
  const current = field(context.form, "current");
  const password = field(context.form, "password");
  const problems: Problems = {
    ...problemsOf(current, password, account.email),
    ...(lacksCode(context) ? { code: NO_CODE } : {}),
  };
  if (!isEmpty(problems)) return showSecurity(context, problems);
  // Last, because each check of the password counts as an attempt.
  const fitting = await checkPassword(context, account.email, current).catch(orWait);
  if (fitting instanceof Refusal) return showSecurity(context, { current: fitting.message });
  if (!fitting) return showSecurity(context, { current: "Wrong password." });
  const wrong = await codeProblem(context);
  if (wrong !== null) return showSecurity(context, { code: wrong });
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
  noteChange(context, "the password was changed");
  // The cookies that marked known browsers went with the old password.
  const known = await rememberBrowser(context.store, account.id, null, cryptoRandom, context.now);
  const done = keep.keys ? "password" : "password-and-keys";
  return seeOther(`/account/security?done=${done}`, [
    setCookie(context.origin, "docket", secret),
    setCookie(context.origin, "known", known),
  ]);
};

const problemsOf = (current: string, password: string, email: string): Problems => {
  const wrong =
    isSamePassword(password, current) && current !== ""
      ? "This is already your password. Choose a different one."
      : passwordProblem(password, email);
  return {
    ...(current === "" ? { current: "Enter your current password." } : {}),
    ...(wrong === null ? {} : { password: wrong }),
  };
};
