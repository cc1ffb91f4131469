import { getConfirm, postConfirm } from "./entry/confirm.tsx";
import { getInvitation, getSetUp, postInvitation, postSetUp } from "./entry/setup.tsx";
import { getSignIn, postSignIn, postSignOut } from "./entry/sign-in.tsx";
import { getOverview, getRoot } from "./overview.tsx";
import { openPage, ownPage, type Page } from "./page.ts";

/** The account area, and what comes before it. */
export const PAGES: readonly Page[] = [
  openPage("GET", "/", getRoot),
  openPage("GET", "/setup", getSetUp),
  openPage("POST", "/setup", postSetUp),
  openPage("GET", "/invitation", getInvitation),
  openPage("POST", "/invitation", postInvitation),
  openPage("GET", "/sign-in", getSignIn),
  openPage("POST", "/sign-in", postSignIn),
  openPage("POST", "/sign-out", postSignOut),
  ownPage("GET", "/account", getOverview),
  ownPage("GET", "/account/confirm", getConfirm),
  ownPage("POST", "/account/confirm", postConfirm),
];
