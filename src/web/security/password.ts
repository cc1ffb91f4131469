import { knowBrowser } from "../../db/browsers.ts";
import { changePassword } from "../../db/passwords.ts";
import { passwordProblem } from "../../password.ts";
import { Refusal } from "../../refusal.ts";
import { cryptoRandom } from "../../secret.ts";
import type { SignedInAsk } from "../ask.ts";
import { setCookie } from "../cookies.ts";
import { checkPassword, orWait } from "../entry/proof.ts";
import { field, isEmpty, type Problems } from "../form.ts";
import { type PageReply, seeOther } from "../reply.tsx";
import { showSecurity } from "./page.tsx";

/**
 * `POST /account/password`: sets a new password for someone who knows the current one. Signs out every other
 * browser and all devices. API keys stay, unless the person asks to revoke them too.
 */
export const postPassword = async (ask: SignedInAsk): Promise<PageReply> => {
  const { account, visit } = ask.who;
  const current = field(ask.form, "current");
  const password = field(ask.form, "password");
  const problems = problemsOf(current, password, account.email);
  if (!isEmpty(problems)) return showSecurity(ask, problems);
  // Last, because each check of the password counts as an attempt.
  const fitting = await checkPassword(ask, account.email, current).catch(orWait);
  if (fitting instanceof Refusal) return showSecurity(ask, { current: fitting.message });
  if (!fitting) return showSecurity(ask, { current: "Wrong password." });
  const keep = { visitId: visit.id, keys: field(ask.form, "revoke_keys") === "" };
  const hash = await ask.service.hasher.hash(password);
  const secret = await changePassword(ask.store, fitting, hash, keep, cryptoRandom, ask.now);
  if (secret === null) return seeOther("/account/security");
  // The cookies that marked known browsers went with the old password.
  const known = await knowBrowser(ask.store, account.id, null, cryptoRandom, ask.now);
  const done = keep.keys ? "password" : "password-and-keys";
  return seeOther(`/account/security?done=${done}`, [
    setCookie(ask.origin, "docket", secret),
    setCookie(ask.origin, "known", known),
  ]);
};

const problemsOf = (current: string, password: string, email: string): Problems => {
  const wrong =
    password === current && current !== ""
      ? "This is already your password. Choose a different one."
      : passwordProblem(password, email);
  return {
    ...(current === "" ? { current: "Enter your current password." } : {}),
    ...(wrong === null ? {} : { password: wrong }),
  };
};
