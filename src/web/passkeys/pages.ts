import { openPage, ownPage, type Page } from "../shared/page.ts";
import { postCreationOptions, postPasskey, postRemovePasskey } from "./own.ts";
import { forScript } from "./script.ts";
import { postPasskeyConfirm, postPasskeySignIn, postRequestOptions } from "./sign-in.ts";

/** Passkeys: to sign in, to confirm who is there, to create and to remove. */
export const PASSKEY_PAGES: readonly Page[] = [
  openPage("POST", "/sign-in/passkey/options", forScript(postRequestOptions), "json"),
  openPage("POST", "/sign-in/passkey", forScript(postPasskeySignIn), "json"),
  ownPage("POST", "/account/confirm/passkey", forScript(postPasskeyConfirm), "json"),
  ownPage("POST", "/account/passkeys/options", forScript(postCreationOptions), "json"),
  ownPage("POST", "/account/passkeys", forScript(postPasskey), "json"),
  ownPage("POST", "/account/passkeys/:id/remove", postRemovePasskey),
];
