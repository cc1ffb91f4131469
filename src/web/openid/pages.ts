import { openPage, ownPage, type Page } from "../shared/page.ts";
import { getFound, getLink, postLink, postUnlink } from "./link.tsx";
import { getCallback, getConfirmOpenId, getOpenId } from "./sign-in.ts";

/** Through an OpenID provider: to sign in, to confirm who is there, to link and to unlink. */
export const OPENID_PAGES: readonly Page[] = [
  openPage("GET", "/sign-in/openid", getOpenId),
  openPage("GET", "/sign-in/openid/callback", getCallback),
  ownPage("GET", "/account/confirm/openid", getConfirmOpenId),
  ownPage("GET", "/account/openid/link", getLink),
  ownPage("GET", "/account/openid/found", getFound),
  ownPage("POST", "/account/openid/link", postLink),
  ownPage("POST", "/account/openid/unlink", postUnlink),
];
