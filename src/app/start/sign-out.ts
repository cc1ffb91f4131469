import { client } from "../state/client.ts";
import { forgetAccount } from "./account.ts";

/**
 * Erases what this browser holds and ends the browser session. Returns false, and does nothing, if changes wait that
 * the server does not have, unless the person said to lose them.
 */
export const signOut = async (evenIfWaiting: boolean): Promise<boolean> => {
  if (!(await client().signOut({ evenIfWaiting }))) return false;
  forgetAccount();
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    action: "/sign-out",
  });
  document.body.append(form);
  form.submit();
  return true;
};
