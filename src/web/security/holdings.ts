import { listRedirects, type Redirect } from "../../db/people/redirects.ts";
import { listBrowserSessions } from "../../db/people/browser-sessions.ts";
import type { SignedInContext } from "../shared/page.ts";
import { findAuthenticator } from "../../db/people/authenticators.ts";
import { listIdentities } from "../../db/people/identities.ts";
import { listPasskeys } from "../../db/people/passkeys.ts";
import type { Identity } from "../../domain/people/identity.ts";
import type { Passkey } from "../../domain/people/passkey.ts";
import type { BrowserSession } from "../../domain/people/session.ts";

/** Everything that gives access to an account, and every browser that has it. */
export type Holdings = {
  readonly passkeys: readonly Passkey[];
  readonly authenticator: Awaited<ReturnType<typeof findAuthenticator>>;
  readonly identities: readonly Identity[];
  readonly browserSessions: readonly BrowserSession[];
  readonly redirects: readonly Redirect[];
};

export const readHoldings = async ({ store, who, now }: SignedInContext): Promise<Holdings> => {
  const { id } = who.account;
  return {
    passkeys: await listPasskeys(store, id),
    authenticator: await findAuthenticator(store, id),
    identities: await listIdentities(store, id),
    browserSessions: await listBrowserSessions(store, id, now),
    redirects: await listRedirects(store, id),
  };
};
