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
 * `POST /account/password`: sets a new one for whoever knows the current one. Every other browser and all
 * devices are signed out; API keys stay, unless they are to go as well.
 */
export const postPassword = async (ask: SignedInAsk): Promise<PageReply> => {
  const { account, visit } = ask.who;
  const current = field(ask.form, "current");
  const password = field(ask.form, "password");
  const problems = problemsOf(current, password, account.email);
  if (!isEmpty(problems)) return showSecurity(ask, problems);
  // Last, since each look at the password counts as a try.
  const fitting = await checkPassword(ask, account.email, current).catch(orWait);
  if (fitting instanceof Refusal) return showSecurity(ask, { current: fitting.message });
  if (!fitting) return showSecurity(ask, { current: "This is not your password." });
  const keep = { visitId: visit.id, keys: field(ask.form, "revoke_keys") === "" };
  const hash = await ask.service.hasher.hash(password);
  const secret = await changePassword(ask.store, fitting, hash, keep, cryptoRandom, ask.now);
  if (secret === null) return seeOther("/account/security");
  // What browsers of the account were known by is gone with the old password.
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
      ? "This is the password that you have."
      : passwordProblem(password, email);
  return {
    ...(current === "" ? { current: "Type the password that you have now." } : {}),
    ...(wrong === null ? {} : { password: wrong }),
  };
};
