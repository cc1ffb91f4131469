import { openPage, type Page } from "../shared/page.ts";
import { getAuthorize, postAuthorize } from "./authorize.ts";

export const OAUTH_PAGES: readonly Page[] = [
  openPage("GET", "/oauth/authorize", getAuthorize),
  openPage("POST", "/oauth/authorize", postAuthorize),
];
