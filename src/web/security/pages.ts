import { AUTHENTICATOR_PAGES } from "../authenticator/pages.ts";
import { OPENID_PAGES } from "../openid/pages.ts";
import { ownPage, type Page } from "../shared/page.ts";
import { PASSKEY_PAGES } from "../passkeys/pages.ts";
import { getDelete, postDelete } from "./delete.tsx";
import { getExport } from "./export.ts";
import { getEmail, postEmail } from "./email.tsx";
import { postInvitation, postWithdraw } from "./invite.tsx";
import { getSecurity } from "./page.tsx";
import { postPassword } from "./password.ts";
import { postForget } from "./redirects.tsx";
import { postEnd, postEndOthers } from "./browser-sessions.tsx";

/** How people sign in, and where they are signed in. */
export const SECURITY_PAGES: readonly Page[] = [
  ownPage("GET", "/account/security", getSecurity),
  ownPage("GET", "/account/email", getEmail),
  ownPage("POST", "/account/email", postEmail),
  ownPage("GET", "/account/export", getExport),
  ownPage("GET", "/account/delete", getDelete),
  ownPage("POST", "/account/delete", postDelete),
  ownPage("POST", "/account/password", postPassword),
  ownPage("POST", "/account/visits/:id/end", postEnd),
  ownPage("POST", "/account/visits/end-others", postEndOthers),
  ownPage("POST", "/account/redirects/remove", postForget),
  ownPage("POST", "/account/invitations", postInvitation),
  ownPage("POST", "/account/invitations/:id/withdraw", postWithdraw),
  ...AUTHENTICATOR_PAGES,
  ...PASSKEY_PAGES,
  ...OPENID_PAGES,
];
