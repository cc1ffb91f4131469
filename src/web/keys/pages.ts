import { ownPage, type Page } from "../shared/page.ts";
import { getKeys, postKeys } from "./keys.tsx";
import { getReplace, postReplace } from "./replace.tsx";
import { postRevoke } from "./revoke.tsx";

/** API keys: to list, create, replace and revoke. */
export const KEY_PAGES: readonly Page[] = [
  ownPage("GET", "/account/keys", getKeys),
  ownPage("POST", "/account/keys", postKeys),
  ownPage("POST", "/account/keys/:id/revoke", postRevoke),
  ownPage("GET", "/account/keys/:id/replace", getReplace),
  ownPage("POST", "/account/keys/:id/replace", postReplace),
];
