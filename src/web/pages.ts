import { ACTIVITY_PAGES } from "./activity/pages.ts";
import { DELETED_PAGES } from "./deleted/pages.ts";
import { DEVICE_PAGES } from "./devices/pages.ts";
import { getCode, postCode } from "./entry/code.tsx";
import { getConfirm, postConfirm } from "./entry/confirm.tsx";
import { getInvitation, getSetUp, postInvitation, postSetUp } from "./entry/setup.tsx";
import { getSignIn, postSignIn, postSignOut } from "./entry/sign-in.tsx";
import { HISTORY_PAGES } from "./history/pages.ts";
import { KEY_PAGES } from "./keys/pages.ts";
import { OAUTH_PAGES } from "./oauth/pages.ts";
import { getOverview, getRoot } from "./overview.tsx";
import { openPage, ownPage, type Page, sectionOf } from "./shared/page.ts";
import { seeOther } from "./shared/reply.tsx";
import { Refusal } from "../domain/base/refusal.ts";
import { SECURITY_PAGES } from "./security/pages.ts";
import { TASK_PAGES } from "./tasks/pages.ts";
import { UNDO_PAGES } from "./undo/pages.ts";

const pages: readonly Page[] = [
  openPage("GET", "/", getRoot),
  openPage("GET", "/setup", getSetUp),
  openPage("POST", "/setup", postSetUp),
  openPage("GET", "/invitation", getInvitation),
  openPage("POST", "/invitation", postInvitation),
  openPage("GET", "/sign-in", getSignIn),
  openPage("POST", "/sign-in", postSignIn),
  openPage("GET", "/sign-in/code", getCode),
  openPage("POST", "/sign-in/code", postCode),
  openPage("POST", "/sign-out", postSignOut),
  ownPage("GET", "/account", getOverview),
  ownPage("GET", "/account/confirm", getConfirm),
  ownPage("POST", "/account/confirm", postConfirm),
  ...KEY_PAGES,
  ...UNDO_PAGES,
  ...ACTIVITY_PAGES,
  ...TASK_PAGES,
  ...HISTORY_PAGES,
  ...DELETED_PAGES,
  ...DEVICE_PAGES,
  ...OAUTH_PAGES,
  ...SECURITY_PAGES,
];

/**
 * An address that only accepts a form redirects to the section it belongs to. After a form is shown again
 * with its problems, that address is in the address bar, and people press Enter there or go back to it in
 * their history.
 */
const waysBack: readonly Page[] = pages
  .filter(
    ({ method, access, body }) => method === "POST" && access === "signed in" && body === "form",
  )
  .filter(({ path }) => !pages.some((page) => page.method === "GET" && page.path === path))
  .map(({ path }) => ownPage("GET", path, () => seeOther(sectionOf(path))));

/** Every page: the account area, and the pages that lead to it. */
export const PAGES: readonly Page[] = [
  ...pages,
  ...waysBack,
  openPage("GET", "/account/*", () => {
    throw new Refusal("not_found", "There is no page at this address.");
  }),
];
