import { type Invitation, listInvitations } from "../../db/people/invitations.ts";
import { listRedirects, type Redirect } from "../../db/people/redirects.ts";
import { findBrowserSession, listBrowserSessions } from "../../db/people/browser-sessions.ts";
import { exportJson } from "../../db/records/export.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { readCookie, type SignedInContext } from "../shared/page.ts";
import { fileReply, type PageReply } from "../shared/reply.tsx";
import { findAuthenticator } from "../../db/people/authenticators.ts";
import { listIdentities } from "../../db/people/identities.ts";
import { listPasskeys } from "../../db/people/passkeys.ts";
import type { Identity } from "../../domain/people/identity.ts";
import type { Passkey } from "../../domain/people/passkey.ts";
import type { BrowserSession } from "../../domain/people/session.ts";

/** `GET /account/export`: everything that the account holds, as Docket's own JSON. It can be imported again. */
export const getExport = async (context: SignedInContext): Promise<PageReply> =>
  fileReply("docket-export.json", exportText(context));

async function* exportText(context: SignedInContext): AsyncGenerator<string> {
  const { store, who, origin, now } = context;
  const head = {
    account: who.account.email,
    server: origin.href,
    exported_at: formatInstant(now),
  };
  for await (const text of exportJson(store, who.account.id, head)) {
    await stillSignedIn(context);
    yield text;
  }
}

/** It can take minutes, and ends with the browser session. */
const stillSignedIn = async ({
  service,
  store,
  request,
  origin,
}: SignedInContext): Promise<void> => {
  const cookie = readCookie(request, origin, "docket") ?? "";
  if (!(await findBrowserSession(store, cookie, service.clock.wall())))
    throw new Refusal("forbidden", "You have been signed out.");
};

/** Everything that gives access to an account, and every browser that has it. */
export type Holdings = {
  readonly passkeys: readonly Passkey[];
  readonly authenticator: Awaited<ReturnType<typeof findAuthenticator>>;
  readonly identities: readonly Identity[];
  readonly browserSessions: readonly BrowserSession[];
  readonly redirects: readonly Redirect[];
  readonly invitations: readonly Invitation[];
};

export const readHoldings = async ({ store, who, now }: SignedInContext): Promise<Holdings> => {
  const { id } = who.account;
  return {
    passkeys: await listPasskeys(store, id),
    authenticator: await findAuthenticator(store, id),
    identities: await listIdentities(store, id),
    browserSessions: await listBrowserSessions(store, id, now),
    redirects: await listRedirects(store, id),
    invitations: await listInvitations(store, id, now),
  };
};
