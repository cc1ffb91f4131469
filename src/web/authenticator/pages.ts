import { ownPage, type Page } from "../shared/page.ts";
import { postCodes } from "./codes.tsx";
import { postNew, postTurnOn } from "./set-up.tsx";
import { postTurnOff } from "./turn-off.ts";

/** The authenticator app: to set it up, to get recovery codes, and to turn it off. */
export const AUTHENTICATOR_PAGES: readonly Page[] = [
  ownPage("POST", "/account/authenticator/new", postNew),
  ownPage("POST", "/account/authenticator", postTurnOn),
  ownPage("POST", "/account/authenticator/codes", postCodes),
  ownPage("POST", "/account/authenticator/remove", postTurnOff),
];
