import { ownPage, type Page } from "../shared/page.ts";
import { getKeys } from "./keys.tsx";
import { getNewKey, postKeys } from "./new.tsx";
import { getReplace, postReplace } from "./replace.tsx";
import { postRevoke } from "./revoke.tsx";

/** API keys: to list, create, replace and revoke. */
export const KEY_PAGES: readonly Page[] = [
  ownPage("GET", "/account/keys", getKeys),
  ownPage("GET", "/account/keys/new", getNewKey),
  ownPage("POST", "/account/keys", postKeys),
  ownPage("POST", "/account/keys/:id/revoke", postRevoke),
  ownPage("GET", "/account/keys/:id/replace", getReplace),
  ownPage("POST", "/account/keys/:id/replace", postReplace),
];
