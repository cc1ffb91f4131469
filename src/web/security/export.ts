import { type Invitation, listInvitations } from "../../db/people/invitations.ts";
import { listRedirects, type Redirect } from "../../db/people/redirects.ts";
import { findBrowserSession, listBrowserSessions } from "../../db/people/browser-sessions.ts";
import { openPull, type Pull, pullRows } from "../../db/records/pull.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { TABLES } from "../../domain/base/record.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { readCookie, type SignedInContext } from "../shared/page.ts";
import { fileReply, type PageReply } from "../shared/reply.tsx";
import { findAuthenticator } from "../../db/people/authenticators.ts";
import { listIdentities } from "../../db/people/identities.ts";
import { listPasskeys } from "../../db/people/passkeys.ts";
import type { Identity } from "../../domain/people/identity.ts";
import type { Passkey } from "../../domain/people/passkey.ts";
import type { BrowserSession } from "../../domain/people/session.ts";

/** `GET /account/export`: all tasks, folders and buckets, in the form in which devices get them. */
export const getExport = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, now } = context;
  const pull = await openPull(store, who.account.id, null, null, now);
  return fileReply("docket-export.json", exportText(context, pull));
};

/** An export that breaks off is never valid JSON, so nobody takes it for complete. */
async function* exportText(context: SignedInContext, pull: Pull): AsyncGenerator<string> {
  const { store, who, origin, now } = context;
  const head = {
    account: who.account.email,
    server: origin.href,
    exported_at: formatInstant(now),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"records":{`;
  for (const [index, table] of TABLES.entries()) {
    let separator = `${index === 0 ? "" : ","}"${table}":[`;
    for await (const rows of pullRows(store, who.account.id, table, pull)) {
      await stillSignedIn(context);
      yield separator + rows.join(",");
      separator = ",";
    }
    yield separator === "," ? "]" : `${separator}]`;
  }
  yield "}}";
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
