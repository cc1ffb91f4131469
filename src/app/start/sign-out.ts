import { client } from "../state/client.ts";

/**
 * Erases what this browser holds of the account, and ends the browser session. Returns false, and does nothing, if changes wait that
 * the server does not have, unless the person said to lose them.
 */
export const signOut = async (evenIfWaiting: boolean): Promise<boolean> => {
  if (!(await client().signOut({ evenIfWaiting }))) return false;
  localStorage.clear();
  sessionStorage.clear();
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    action: "/sign-out",
  });
  const erased = Object.assign(document.createElement("input"), { name: "erased", value: "yes" });
  form.append(erased);
  document.body.append(form);
  form.submit();
  return true;
};
